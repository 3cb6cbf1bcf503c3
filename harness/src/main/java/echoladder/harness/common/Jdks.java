package echoladder.harness.common;

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
 * The JDKs of this host: those that were named, then those in the places where JDKs are installed. {@code ./ladder} and the
 * build server look in the same places, which a test holds them to.
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

  /** The home of the JDK that runs this process, which JVM servers and clients run on unless told otherwise. */
  public static Path own() {
    return Path.of(System.getProperty("java.home"));
  }

  /** The program {@code java} of {@link #own()}, absolute. */
  public static Path java() {
    return java(own().toString());
  }

  /** The program {@code java} of a JDK, by its home. */
  public static Path java(String home) {
    return Path.of(home, "bin", "java");
  }

  /** What is wrong with that home of a JDK; null where nothing is. */
  public static @Nullable String complaint(String home) {
    return Files.isExecutable(java(home)) ? null : "'" + home + "' is not allowed; there is no program " + java(home);
  }

  /** The home of one with that feature release; null where there is none. */
  public @Nullable Path find(int release) {
    return homes().stream().filter(home -> is(home, release)).findFirst().orElse(null);
  }

  /** Where it looked, for a message; a ledger that is published names no user. */
  public String places() {
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
        && complaint(home.toString()) == null;
  }
}
