package echoladder.harness.claims;

import echoladder.harness.common.ProcText;
import echoladder.harness.server.JavaBinary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JDKs of this host: those that were named, then those in the places where they are installed, the same that
 * {@code ./ladder} looks in.
 *
 * @param named homes that the user gave
 * @param folders that hold homes
 */
public record Jdks(List<Path> named, List<Path> folders) {
  public Jdks {
    named = List.copyOf(named);
    folders = List.copyOf(folders);
  }

  /** With those that the user named. */
  public static Jdks of(List<Path> named) {
    Path home = Path.of(System.getProperty("user.home"));
    return new Jdks(
        named,
        List.of(
            Path.of("/usr/lib/jvm"), home.resolve(".sdkman/candidates/java"), home.resolve(".jdks"), Path.of("/opt")));
  }

  /** The home of one with that feature release; null where there is none. */
  @Nullable Path find(int release) {
    return homes().stream().filter(home -> is(home, release)).findFirst().orElse(null);
  }

  /** Where it looked, for a message; a ledger that is published names no user. */
  String places() {
    String home = System.getProperty("user.home") + "/";
    return Stream.concat(named.stream(), folders.stream())
        .map(path -> path.toString().startsWith(home) ? "~/" + path.toString().substring(home.length()) : path.toString())
        .collect(Collectors.joining(", "));
  }

  private List<Path> homes() {
    List<Path> homes = new ArrayList<>(named);
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (Stream<Path> all = Files.list(folder)) {
        homes.addAll(all.sorted().toList());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot list " + folder, e);
      }
    }
    return homes;
  }

  /** A JDK tells its version in the file {@code release}. */
  private static boolean is(Path home, int release) {
    String text = ProcText.read(home.resolve("release").toString());
    return text != null
        && text.matches("(?s).*JAVA_VERSION=\"" + release + "[.\"].*")
        && JavaBinary.complaint(home.toString()) == null;
  }
}
