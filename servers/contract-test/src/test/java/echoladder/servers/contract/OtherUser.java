package echoladder.servers.contract;

import echoladder.needs.Lacks;
import echoladder.needs.Need;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A user of the server's own: RLIMIT_NPROC counts all threads of a user, and does not bind root. Needs root and
 * setpriv(1).
 */
public final class OtherUser {
  private static final AtomicInteger USERS = new AtomicInteger();

  private final List<String> prefix;

  private OtherUser(List<String> prefix) {
    this.prefix = prefix;
  }

  /** One more, of whom nothing else runs: above all ids that distributions hand out. */
  private static int nextId() {
    return 3_000_000 + (int) (ProcessHandle.current().pid() % 100_000) * 100 + USERS.getAndIncrement() % 100;
  }

  /** A user who can run that command; the test is skipped where there can be none. */
  public static OtherUser whoRuns(List<String> command) throws IOException, InterruptedException {
    String id = Integer.toString(nextId());
    List<String> prefix = List.of("setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups");
    String libraries = command.stream().filter(part -> part.endsWith("/lib/*")).findFirst().orElse("/");
    List<String> trial = new ArrayList<>(prefix);
    trial.addAll(List.of("test", "-x", command.getFirst(), "-a", "-r", libraries.replace("/*", "")));
    if (run(trial) != 0) {
      throw Lacks.found(Need.OTHER_USER, "a server cannot be run as user " + id);
    }
    return new OtherUser(prefix);
  }

  /** What a command is put behind to be run as this user. */
  public List<String> prefix() {
    return prefix;
  }

  /** Lowers the limit of threads of a process of this user to as many above those that it has. */
  public void leaveThreads(long pid, int spare) throws IOException, InterruptedException {
    long threads;
    try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/task"))) {
      threads = all.count();
    }
    // As that user, whose process it is: root without CAP_SYS_RESOURCE may not.
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("prlimit", "--pid", Long.toString(pid), "--nproc=" + (threads + spare) + ":"));
    if (run(command) != 0) {
      throw new AssertionError("could not limit the threads of process " + pid + ": " + command);
    }
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0 && !said.isBlank()) {
      System.err.println(command + ": " + said);
    }
    return status;
  }
}
