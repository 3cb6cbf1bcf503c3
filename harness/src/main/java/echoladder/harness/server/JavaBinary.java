package echoladder.harness.server;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The java that JVM servers and clients run on: the one that runs the harness, or that of a JDK named by its home. */
public final class JavaBinary {
  private JavaBinary() {}

  /** Absolute path. */
  public static Path path() {
    return in(System.getProperty("java.home"));
  }

  /** That of a JDK. */
  public static Path in(String home) {
    return Path.of(home, "bin", "java");
  }

  /** What is wrong with that home of a JDK; null where nothing is. */
  public static @Nullable String complaint(String home) {
    return Files.isExecutable(in(home)) ? null : "'" + home + "' is not allowed; there is no program " + in(home);
  }
}
