package echoladder.harness.cli;

import echoladder.harness.common.Jdks;
import java.util.List;

/** How the client's process is started. */
final class ClientJvm {
  private ClientJvm() {}

  /** java, its flags and class path, up to where the main class follows. */
  static List<String> command() {
    return List.of(
        Jdks.java().toString(),
        // System calls by the foreign function API.
        "--enable-native-access=ALL-UNNAMED",
        // It allocates next to nothing per echo, so it needs no collector with threads of its own beside the server.
        "-XX:+UseSerialGC",
        // The client allocates next to nothing while it loads: a small nursery keeps its RSS at what it holds.
        "-Xms64m",
        "-Xmn8m",
        "-cp",
        System.getProperty("java.class.path"));
  }
}
