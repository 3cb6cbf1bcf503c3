package echoladder.openloop;

import java.util.ArrayList;
import java.util.List;

/** How a test starts the client as a process of its own: this JVM's java and class path, nothing packaged. */
public final class ClientProcess {
  private ClientProcess() {}

  /** Java, flags and class path, up to where the main class follows; nobody asks how quick this one is. */
  public static List<String> javaCommand() {
    List<String> command = new ArrayList<>(measuredJavaCommand());
    command.add(1, "-XX:TieredStopAtLevel=1");
    return command;
  }

  /** Java, flags and class path for a benchmark, with every compiler. */
  static List<String> measuredJavaCommand() {
    return List.of(
        ProcessHandle.current().info().command().orElseThrow(),
        "--enable-native-access=ALL-UNNAMED",
        "-XX:+UseSerialGC",
        // As the harness starts it: with a nursery of the JVM's own choice, RSS would be the garbage of its start.
        "-Xms64m",
        "-Xmn8m",
        "-cp",
        System.getProperty("java.class.path"));
  }

  /** The command of a process that may open that many descriptors and no more. */
  public static List<String> javaCommand(int descriptors) {
    List<String> command = new ArrayList<>();
    // Soft and hard limit: a JVM raises its soft limit to the hard one by itself.
    command.addAll(List.of("sh", "-c", "ulimit -n " + descriptors + " && exec \"$@\"", "sh"));
    command.addAll(javaCommand());
    return command;
  }
}
