package echoladder.harness.profile;

import echoladder.harness.study.Profile;
import echoladder.linux.ChildProcess;
import echoladder.linux.HeadAndTail;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The commands of perf(1) for each kind of profile, and whether this host lets them do that. */
public final class Perf {
  /** What a trial of it may take. */
  private static final Duration TRIAL_BOUND = Duration.ofSeconds(30);

  /** Of the ring that each processor writes to: 25,000 echoes/s of six calls each enter and leave the kernel 300,000 times a second. */
  private static final String RING = "16M";

  /** Samples per second of CPU time: no divisor of a kernel's tick, which would take the same moment of each. */
  private static final String SAMPLES_PER_S = "499";

  /**
   * The kernel's events, the processor's, and with the scheduler's tracepoints how often the server's threads woke others. An event
   * that the host cannot count is left out of the answer by perf itself.
   */
  private static final String EVENTS = "context-switches,cpu-migrations,page-faults,instructions,cycles";

  /** Counted where the kernel has it. */
  private static final String WAKING = "sched:sched_waking";

  /** Looked at once, by the first who asks. */
  private static final class Waking {
    private static final boolean COUNTED = runs(List.of("perf", "stat", "-x,", "-e", WAKING, "-o")).isEmpty();
  }

  private static final Map<Profile.Kind, String> COMPLAINTS = new ConcurrentHashMap<>();

  private Perf() {}

  /** The command without whom it watches and where it writes. */
  private static List<String> verb(Profile.Kind kind) {
    return switch (kind) {
      case SYSCALLS -> List.of("perf", "trace", "-s", "-m", RING);
      case EVENTS -> List.of("perf", "stat", "-x,", "-e", Waking.COUNTED ? EVENTS + "," + WAKING : EVENTS);
      // Software time: a processor's own counter is not on every host. Stacks are walked by frame pointers.
      case CPU -> List.of("perf", "record", "-q", "-e", "cpu-clock", "-F", SAMPLES_PER_S, "--call-graph", "fp");
    };
  }

  /** The command that watches a process, and writes what it saw to a file that is not there yet. */
  static List<String> watching(Profile.Kind kind, long pid, Path out) {
    List<String> command = new ArrayList<>(verb(kind));
    command.addAll(List.of("-p", String.valueOf(pid), "-o", out.toString()));
    return command;
  }

  /** Why a kind of profile cannot be made on this host, and how to get what it needs; empty where it can. Looked at once per process. */
  public static String complaint(Profile.Kind kind) {
    return COMPLAINTS.computeIfAbsent(kind, Perf::look);
  }

  private static String look(Profile.Kind kind) {
    List<String> trial = new ArrayList<>(verb(kind));
    trial.add("-o");
    String said = runs(trial);
    return said.isEmpty()
        ? ""
        : ("`%s` cannot be used here: %s; it needs perf (apt-get install linux-perf on Debian, linux-tools-generic on Ubuntu), and root"
            + " or kernel.perf_event_paranoid of -1")
            .formatted(String.join(" ", verb(kind)), said);
  }

  /** Runs it with a file to write to, on a command that does nothing; empty where it ended well, else what was wrong. */
  private static String runs(List<String> perf) {
    try {
      Path folder = Files.createTempDirectory("echo-ladder-perf");
      Path out = folder.resolve("out");
      try {
        List<String> command = new ArrayList<>(perf);
        command.addAll(List.of(out.toString(), "--", "true"));
        return run(command, TRIAL_BOUND).ending();
      } finally {
        Files.deleteIfExists(out);
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * How a command ended.
   *
   * @param out its stdout
   * @param ending empty where it ended well
   */
  record Ran(String out, String ending) {}

  static Ran run(List<String> command, Duration bound) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (HeadAndTail said = new HeadAndTail(out, 256 << 20, 1);
        HeadAndTail complained = HeadAndTail.log(err);
        ChildProcess process =
            ChildProcess.start(new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile()), said, complained)) {
      boolean ended = process.endsWithin(bound);
      if (!ended) {
        process.kill();
      }
      process.drained();
      Integer status = process.status();
      String well = ended && status != null && status == 0 ? "" : "it %s%s".formatted(process.ending(), words(err));
      return new Ran(out.toString(StandardCharsets.UTF_8), well);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command.getFirst() + " ran", e);
    }
  }

  private static String words(ByteArrayOutputStream err) {
    return err.toString(StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank()).findFirst().map(line -> " (" + line.strip() + ")")
        .orElse("");
  }
}
