package echoladder.harness.profile;

import echoladder.harness.study.Profile;
import echoladder.linux.OwnedFolder;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.DescriptorLimit;
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
import java.util.stream.Stream;

/** The commands of perf(1) for each kind of profile, and whether this host lets them do that. */
public final class Perf {
  /** What a trial of it may take. */
  private static final Duration TRIAL_BOUND = Duration.ofSeconds(30);

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

  /** How long it is looked for which system calls a server makes, before those are counted. */
  private static final String LOOK_S = "0.5";

  /** What perf opens besides its counters, of which it has one per thread. */
  private static final long OTHER_DESCRIPTORS = 500;

  private static final Map<Profile.Kind, String> COMPLAINTS = new ConcurrentHashMap<>();

  private Perf() {}

  /** Asked for once, by the first who needs it. */
  private static final class Named {
    private static final List<String> CALLS = calls();

    private static List<String> calls() {
      try {
        return SystemCallCounters.known(run(List.of("perf", "list", "syscalls:sys_*"), TRIAL_BOUND).out());
      } catch (IOException e) {
        return List.of(); // That is said by a trial.
      }
    }
  }

  /** The command without whom it watches and where it writes; of system calls those of these names. */
  private static List<String> verb(Profile.Kind kind, List<String> calls) {
    return switch (kind) {
      case SYSCALLS -> Stream.concat(Stream.of("perf", "stat", "-x,"), SystemCallCounters.options(calls).stream()).toList();
      case EVENTS -> List.of("perf", "stat", "-x,", "-e", Waking.COUNTED ? EVENTS + "," + WAKING : EVENTS);
      // Software time: a processor's own counter is not on every host. Stacks are walked by frame pointers.
      case CPU -> List.of("perf", "record", "-q", "-e", "cpu-clock", "-F", SAMPLES_PER_S, "--call-graph", "fp");
    };
  }

  /**
   * The command that watches a process, and writes what it saw to a file that is not there yet.
   *
   * @param wrapper what each command begins with
   * @throws IOException where it was to be looked at first which calls the process makes, and that failed
   */
  static List<String> watching(Profile.Kind kind, List<String> wrapper, long pid, Path out) throws IOException {
    List<String> calls = kind == Profile.Kind.SYSCALLS ? calls(wrapper, pid, out.resolveSibling("looked.out")) : List.of();
    return command(kind, calls, wrapper, pid, out);
  }

  private static List<String> command(Profile.Kind kind, List<String> calls, List<String> wrapper, long pid, Path out) {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(verb(kind, calls));
    command.addAll(List.of("-p", String.valueOf(pid), "-o", out.toString()));
    return command;
  }

  /** Names of the system calls that a process makes, of those that have a counter. */
  private static List<String> calls(List<String> wrapper, long pid, Path out) throws IOException {
    List<String> names = Named.CALLS;
    if (names.isEmpty()) {
      throw new IOException(
          "`perf list` names no counter of a system call, as syscalls:sys_enter_read; mount tracefs at /sys/kernel/tracing");
    }
    long threads;
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
      threads = tasks.count();
    }
    int counters = SystemCallCounters.counters(names);
    long most = DescriptorLimit.own().hard() - OTHER_DESCRIPTORS;
    if (threads * counters > most) {
      throw new IOException(
          ("perf needs a descriptor for each of %d counters in each of %d threads, and may open %d; raise the hard limit of"
                  + " descriptors (nofile)")
              .formatted(counters, threads, most));
    }
    List<String> command = command(Profile.Kind.SYSCALLS, names, wrapper, pid, out);
    command.addAll(List.of("--", "sleep", LOOK_S));
    String ending = run(command, TRIAL_BOUND).ending();
    if (!ending.isEmpty()) {
      throw new IOException("perf stat, to see which system calls are made: " + ending);
    }
    return SystemCallCounters.seen(EventCounts.parse(Files.readString(out)));
  }

  /** Why a kind of profile cannot be made on this host, and how to get what it needs; empty where it can. Looked at once per process. */
  public static String complaint(Profile.Kind kind) {
    return COMPLAINTS.computeIfAbsent(kind, Perf::look);
  }

  private static String look(Profile.Kind kind) {
    List<String> verb = verb(kind, SystemCallCounters.NAMES.subList(0, 1));
    List<String> trial = new ArrayList<>(verb);
    trial.add("-o");
    String said = runs(trial);
    return said.isEmpty()
        ? ""
        : ("`%s` cannot be used here: %s; it needs perf (apt-get install linux-perf on Debian, linux-tools-generic on Ubuntu), and root"
            + " or kernel.perf_event_paranoid of -1")
            .formatted(String.join(" ", verb), said);
  }

  /** Runs it with a file to write to, on a command that does nothing; empty where it ended well, else what was wrong. */
  private static String runs(List<String> perf) {
    try (OwnedFolder folder = OwnedFolder.temporary("perf")) {
      List<String> command = new ArrayList<>(perf);
      command.addAll(List.of(folder.dir().resolve("out").toString(), "--", "true"));
      return run(command, TRIAL_BOUND).ending();
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
