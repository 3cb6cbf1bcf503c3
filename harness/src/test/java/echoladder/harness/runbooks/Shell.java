package echoladder.harness.runbooks;

import echoladder.harness.Ladder;
import echoladder.harness.cli.LadderArchive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A shell in which a runbook is executed: with processes and mounts of its own, so that nothing of it stays behind, and
 * a network of its own where the runbook does not make one. Its folder looks like a checkout, with a ./ladder that runs
 * the classes under test.
 */
final class Shell implements AutoCloseable {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String MARK = "--- end of step ---";
  /** Ends a step that hangs; a run over hosts takes minutes where other tests keep the processors busy. */
  private static final long LONGEST_STEP_S = 600;

  private static final List<String> SHOWN = List.of("deploy", "runbooks", "studies", "sysctl");

  private final Path dir;
  private final Process process;
  private final Writer in;
  private final BufferedReader out;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  private Shell(Path dir, Process process) {
    this.dir = dir;
    this.process = process;
    this.in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static List<String> unshare(boolean network) {
    List<String> argv = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"));
    if (network) {
      argv.add("--net");
    }
    argv.addAll(List.of("bash", "--noprofile", "--norc"));
    return argv;
  }

  static Shell in(Path dir, boolean network) throws IOException {
    checkout(dir);
    ProcessBuilder builder = new ProcessBuilder(unshare(network)).directory(dir.toFile()).redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", dir.resolve("state").toString());
    // The JDK's programs, whatever else is on PATH.
    builder.environment().merge("PATH", System.getProperty("java.home") + "/bin", (path, bin) -> bin + ":" + path);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Shell shell = new Shell(dir, builder.start());
    shell.run("mkdir -p /run/netns; mount -t tmpfs tmpfs /run/netns");
    // Where root's journals are: those of this shell are not the host's.
    shell.run("mkdir -p /var/lib/echo-ladder; mount -t tmpfs -o mode=755 tmpfs /var/lib/echo-ladder");
    // JVMs of two process namespaces, which have the same process ids, must not meet there.
    shell.run("H=/tmp/hsperfdata_$(id -un); mkdir -p $H; mount -t tmpfs tmpfs $H");
    if (network) {
      shell.run("ip link set lo up");
    }
    return shell;
  }

  /** A folder whose ./ladder runs the classes under test on this checkout instead of building it. */
  private static void checkout(Path dir) throws IOException {
    Path ladder =
        Files.writeString(
            dir.resolve("ladder"),
            """
            #!/usr/bin/env bash
            exec '%s/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 %s --enable-native-access=ALL-UNNAMED \\
              -Decholadder.home='%s' -Decholadder.gap-meter-ms=0 -Decholadder.nofile.soft="$(ulimit -Sn)" -Decholadder.nofile.hard="$(ulimit -Hn)" \\
              -cp '%s' %s "$@"
            """
                .formatted(
                    System.getProperty("java.home"), String.join(" ", LadderArchive.options()), ROOT, System.getProperty("java.class.path"), Ladder.class.getName()));
    if (!ladder.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + ladder + " executable");
    }
    for (String shown : SHOWN) {
      Files.createSymbolicLink(dir.resolve(shown), ROOT.resolve(shown));
    }
  }

  /** Runs a command in the shell itself, with its variables and jobs; gives what it and its jobs wrote meanwhile. */
  String run(String command) throws IOException {
    in.write("{ " + command + "\n} </dev/null\nprintf '\\n%s\\n' '" + MARK + "'\n");
    in.flush();
    var end = clock.schedule(process::destroyForcibly, LONGEST_STEP_S, TimeUnit.SECONDS);
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); !MARK.equals(line); line = out.readLine()) {
      if (line == null) {
        throw new IOException(
            "the shell ended, or was ended after %d s, within: %s%nwhat it wrote: %s".formatted(LONGEST_STEP_S, command, said));
      }
      said.append(line).append('\n');
    }
    end.cancel(false);
    // The mark's own line begins with an end of line, for output that has none.
    if (said.length() > 0 && said.charAt(said.length() - 1) == '\n') {
      said.setLength(said.length() - 1);
    }
    return said.length() == 0 || said.charAt(said.length() - 1) == '\n' ? said.toString() : said.append('\n').toString();
  }

  @Override
  public void close() throws IOException {
    clock.shutdownNow();
    process.destroyForcibly();
    out.close();
    for (String shown : SHOWN) {
      Files.deleteIfExists(dir.resolve(shown));
    }
  }
}
