package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.probe.GapMeter;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The ladder as its users have it: a process, its arguments, two streams and an exit status. */
final class LadderProcess implements AutoCloseable {
  private final Process process;
  private final Path out;
  private final Path err;

  private LadderProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static LadderProcess start(Path home, Path logs, String... arguments) {
    return start(home, logs, Map.of(), arguments);
  }

  /** With a look at the host's gaps before a run, of so many ms for each processor. */
  static LadderProcess startLooking(long ms, Path home, Path logs, String... arguments) {
    return start(List.of(), home, logs, Map.of(), ms, arguments);
  }

  static LadderProcess start(Path home, Path logs, Map<String, String> environment, String... arguments) {
    return start(List.of(), home, logs, environment, arguments);
  }

  /** In a network namespace. */
  static LadderProcess startIn(String namespace, Path home, Path logs, String... arguments) {
    return start(List.of("ip", "netns", "exec", namespace), home, logs, Map.of(), arguments);
  }

  /** By a program that becomes it. */
  static LadderProcess startWith(List<String> wrapper, Path home, Path logs, String... arguments) {
    return startWith(wrapper, home, logs, Map.of(), arguments);
  }

  /** Starts the ladder with an environment. */
  static LadderProcess startWith(List<String> wrapper, Path home, Path logs, Map<String, String> environment, String... arguments) {
    return start(wrapper, home, logs, environment, arguments);
  }

  private static LadderProcess start(
      List<String> wrapper, Path home, Path logs, Map<String, String> environment, String... arguments) {
    // No test is about this host, but for one.
    return start(wrapper, home, logs, environment, 0, arguments);
  }

  /** With another jar, or folder, on its class path. */
  static LadderProcess startBeside(Path jar, Path home, Path logs, Map<String, String> environment, String... arguments) {
    return start(List.of(), home, logs, environment, 0, jar + ":" + System.getProperty("java.class.path"), arguments);
  }

  private static LadderProcess start(
      List<String> wrapper, Path home, Path logs, Map<String, String> environment, long gapMeterMs, String... arguments) {
    return start(wrapper, home, logs, environment, gapMeterMs, System.getProperty("java.class.path"), arguments);
  }

  private static LadderProcess start(
      List<String> wrapper, Path home, Path logs, Map<String, String> environment, long gapMeterMs, String classPath, String[] arguments) {
    // A shell that starts a build in the background lets it ignore SIGINT, and so would all below it.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(wrapper);
    command.add(Jdks.java().toString());
    // Not of all its JVMs: one with another class path would complain, a client on its stdout.
    command.addAll(LadderArchive.options());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + home,
            "-D" + GapMeter.PROPERTY + "=" + gapMeterMs,
            "-cp",
            classPath,
            "echoladder.harness.Ladder"));
    command.addAll(List.of(arguments));
    try {
      Path out = Files.createTempFile(logs, "ladder", ".out");
      Path err = Files.createTempFile(logs, "ladder", ".err");
      ProcessBuilder builder = new ProcessBuilder(command);
      // Of all its JVMs: no test asks how quick they are, and the second compiler costs such short runs more than it gives.
      builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
      builder.environment().putAll(environment);
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      return new LadderProcess(process, out, err);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for its end and gives its exit status. */
  int status() throws InterruptedException {
    if (!process.waitFor(1_500, TimeUnit.SECONDS)) {
      throw new AssertionError("the ladder still runs after 25 minutes; its stderr: " + err());
    }
    return process.exitValue();
  }

  String out() {
    return read(out);
  }

  /** Without what a JVM says of the option that it is given here. */
  String err() {
    return read(err).replaceAll("(?m)^Picked up JAVA_TOOL_OPTIONS: .*\\R", "");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Sends a signal by its name, e.g. INT. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).inheritIO().start().waitFor();
  }

  /** All that it has started and that still runs. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** The one process among them whose command line contains {@code part}. */
  ProcessHandle descendant(String part) {
    return descendants().stream()
        .filter(p -> CommandLines.of(p).contains(part))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no process with " + part + " in its command line"));
  }

  @Override
  public void close() {
    descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
