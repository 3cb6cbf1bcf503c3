package echoladder.harness.common;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The folder everything is found in: servers, studies, results.
 *
 * @param root absolute
 */
public record Checkout(Path root) {
  /** System property that {@code ./ladder} gives the root in. */
  public static final String PROPERTY = "echoladder.home";

  /** That of the property, else the nearest folder above the working directory that has studies and servers. */
  public static Checkout find() {
    String told = System.getProperty(PROPERTY);
    if (told != null) {
      Path root = Path.of(told).toAbsolutePath().normalize();
      if (!Files.isDirectory(root)) {
        throw Refusal.badUsage("-D" + PROPERTY + "=" + told + " is not a folder");
      }
      return new Checkout(root);
    }
    for (@Nullable Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("studies")) && Files.isDirectory(at.resolve("servers"))) {
        return new Checkout(at);
      }
    }
    throw Refusal.cannotRun(
        "no folder with studies/ and servers/ at or above "
            + Path.of("").toAbsolutePath()
            + "; start ./ladder of a checkout, or give its root with -D"
            + PROPERTY
            + "=DIR");
  }

  /** One folder per study. */
  public Path studies() {
    return root.resolve("studies");
  }

  /** Where runs are written unless told otherwise. */
  public Path results() {
    return root.resolve("results");
  }

  /** A command as it may be published: checkout, java and the harness's class path are placeholders. */
  public List<String> portable(List<String> argv) {
    String java = Jdks.java().toString();
    String classPath = System.getProperty("java.class.path");
    return argv.stream()
        .map(a -> a.equals(java) ? "{java}" : a.equals(classPath) ? "{classpath}" : a.replace(root.toString(), "{home}"))
        .toList();
  }

  /** A path as a reader of the checkout would write it: relative where it lies inside. */
  public String display(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    return absolute.startsWith(root) ? root.relativize(absolute).toString() : absolute.toString();
  }
}
