package echoladder.workloads;

import echoladder.workloads.Ended.Kind;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * Runs one workload in this process: options, guards, and in the end its figures as one line of JSON on stdout, whatever
 * ended it. Everything else goes to stderr.
 */
final class Runner {
  private static final int DONE = 0;
  private static final int ENDED_EARLY = 1;
  private static final int BAD_USAGE = 2;
  private static final int TRIES = 20;

  /** Freed when the line is due, so that there is memory left to write it. */
  private static final int BALLAST_BYTES = 16 << 20;

  private final Workload workload;
  private final String name;
  private final Figures figures = new Figures();
  private final AtomicBoolean told = new AtomicBoolean();
  private final Guards guards;

  @SuppressWarnings("unused") // Held, not read.
  private volatile byte @Nullable [] ballast = new byte[BALLAST_BYTES];

  private final long startNs = System.nanoTime();

  private Runner(Workload workload, String name) {
    this.workload = workload;
    this.name = name;
    ProcessReadings now = new ProcessReadings();
    com.sun.management.OperatingSystemMXBean host = host();
    GuardOptions options = workload.guardOptions;
    Limits limits =
        HostLimits.of(
            options.memoryBytes, options.time.toNanos(), now.availableBytes(), host.getTotalMemorySize());
    figures
        .put("workload", name)
        .put("runtime", "java")
        .put("runtime_version", System.getProperty("java.vm.version"))
        .put("runtime_options", ManagementFactory.getRuntimeMXBean().getInputArguments())
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("memory_limit_bytes", limits.memoryBytes())
        .put("memory_limit_by", limits.memoryBy())
        .put("task_limit", limits.tasks())
        .put("task_limit_by", limits.tasksBy())
        .put("heap_max_bytes", Runtime.getRuntime().maxMemory())
        .put("rss_start_bytes", now.rssBytes());
    // Once while there is room, so that every class of it is loaded when there is none.
    figures.line();
    guards = new Guards(limits, () -> name + ": " + workload.progress(), this::tellAndHalt);
  }

  /** The main of a workload. Never returns. */
  static void main(Workload workload, String[] args) {
    Locale.setDefault(Locale.ROOT);
    CommandLine line = new CommandLine(workload).setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().mixinStandardHelpOptions(true).usageMessage().sortOptions(false);
    try {
      line.parseArgs(args);
      if (line.isUsageHelpRequested()) {
        line.usage(System.out);
        System.exit(DONE);
      }
      workload.check();
    } catch (ParameterException e) {
      String name = line.getCommandName();
      System.err.println(name + ": " + e.getMessage());
      System.err.println(name + ": see --help");
      System.exit(BAD_USAGE);
    }
    new Runner(workload, workload.getClass().getAnnotation(Command.class).name()).run();
  }

  private void run() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::onSignal, "on-signal"));
    try {
      workload.run(guards, figures);
    } catch (Throwable e) {
      // The error that a model breaks on is a result, an OutOfMemoryError above all.
      guards.fail(e);
    }
    tellAndHalt();
  }

  private void onSignal() {
    guards.end(new Ended(Kind.SIGNAL, "interrupted; the figures are those of what was done by then"));
    try {
      Thread.sleep(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tellAndHalt();
  }

  /** The line, once, and the end of the process: threads of the workload that still wait hold nobody up. */
  private void tellAndHalt() {
    if (!told.compareAndSet(false, true)) {
      return;
    }
    ballast = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        tell();
        break;
      } catch (OutOfMemoryError e) {
        // Tasks that were under way took the room; those that come to their end now leave some.
        retryDelay();
      }
    }
    Runtime.getRuntime().halt(guards.ended().kind() == Kind.DONE ? DONE : ENDED_EARLY);
  }

  private void tell() {
    Ended ended = guards.ended();
    if (ended.kind() == Kind.DONE && figures.get("settled_at") == null) {
      figures.put("settled_at", "end").settled();
    }
    ProcessReadings now = new ProcessReadings();
    figures
        .put("process_ns", System.nanoTime() - startNs)
        .put("process_cpu_ns", ProcessCpu.ns())
        .put("rss_peak_bytes", now.rssPeakBytes())
        .put("held_peak_bytes", guards.heldPeakBytes())
        .put("os_threads_peak", Math.max(guards.threadsPeak(), now.threads()))
        .put("over_time", guards.overTime().points())
        .put("ended_by", ended.kind().id())
        .put("ended_detail", ended.detail());
    String line = figures.line();
    if (ended.kind() != Kind.DONE) {
      System.err.println(name + ": " + ended.kind().id() + ": " + ended.detail());
      System.err.flush();
    }
    System.out.println(line);
    System.out.flush();
  }

  private static void retryDelay() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static com.sun.management.OperatingSystemMXBean host() {
    return (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  }
}
