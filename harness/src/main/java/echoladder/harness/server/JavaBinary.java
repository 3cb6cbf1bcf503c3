package echoladder.harness.server;

import java.nio.file.Path;

/** The java that JVM servers and clients run on: the one that runs the harness. */
public final class JavaBinary {
  private JavaBinary() {}

  /** Absolute path. */
  public static Path path() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
