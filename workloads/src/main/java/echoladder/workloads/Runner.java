package echoladder.workloads;

import com.sun.management.OperatingSystemMXBean;
import echoladder.workloads.Ended.Kind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine;

/**
 * Runs one workload in this process: options, guards, and in the end its figures as one line of JSON on stdout, whatever
 * ended it. Everything else goes to stderr.
 */
final class Runner {
  private static final int DONE = 0;
  private static final int ENDED_EARLY = 1;
  private static final int BAD_USAGE = 2;
  private static final int UNWRITTEN = 3;
  private static final int TRIES = 50;
  private static final long RETRY_NS = 200_000_000;

  /** Freed when the line is due, a piece for each try, so that there is memory left to write it. */
  private static final int BALLAST_PIECES = 16;
  private static final int PIECE_BYTES = 1 << 20;

  private final Workload workload;
  private final String name;
  private final Figures figures = new Figures();
  private final AtomicBoolean told = new AtomicBoolean();
  private final Guards guards;

  /** Without a buffer, which would have to grow. */
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private final Deque<byte[]> ballast = new ArrayDeque<>();

  /** The line by what ended it where no other can be made any more. */
  private final Map<Kind, byte[]> lastWords = new EnumMap<>(Kind.class);

  private final long startNs = System.nanoTime();

  private Runner(Workload workload, String name) {
    this.workload = workload;
    this.name = name;
    ProcessReadings now = new ProcessReadings();
    OperatingSystemMXBean host = host();
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
    for (int i = 0; i < BALLAST_PIECES; i++) {
      ballast.add(new byte[PIECE_BYTES]);
    }
    for (Kind kind : Kind.values()) {
      lastWords.put(kind, lastWords(kind));
    }
    rehearse(limits);
    guards = new Guards(limits, () -> name + ": " + workload.progress(), this::tellAndHalt);
  }

  /** All the way to the line while there is room: a class that is first needed where there is none is lost for good. */
  private void rehearse(Limits limits) {
    try (Guards failed = new Guards(limits, () -> name, () -> {});
        FileOutputStream nowhere = new FileOutputStream("/dev/null")) {
      failed.fail(new OutOfMemoryError());
      nowhere.write(Objects.requireNonNull(lastWords.get(failed.ended().kind())));
      nowhere.write((figures.line() + failed.overTime().points() + ProcessCpu.ns()).getBytes(StandardCharsets.UTF_8));
      LockSupport.parkNanos(1);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to /dev/null", e);
    }
  }

  /** The main of a workload. Never returns. */
  static void main(Workload workload, String[] args) {
    Locale.setDefault(Locale.ROOT);
    CommandLine line = new CommandLine(workload).setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().mixinStandardHelpOptions(true).usageMessage().sortOptions(false);
    try {
      line.parseArgs(args);
      if (line.isUsageHelpRequested()) {
        System.exit(help(line));
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
    } finally {
      tellAndHalt();
    }
  }

  private void onSignal() {
    try {
      guards.end(new Ended(Kind.SIGNAL, "interrupted; the figures are those of what was done by then"));
      Thread.sleep(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      tellAndHalt();
    }
  }

  /** The line, once, and the end of the process: threads of the workload that still wait hold nobody up. */
  private void tellAndHalt() {
    if (!told.compareAndSet(false, true)) {
      return;
    }
    int status = guards.ended().kind() == Kind.DONE ? DONE : ENDED_EARLY;
    try {
      boolean done = false;
      for (int i = 0; i < TRIES && !done; i++) {
        ballast.poll();
        done = tries();
      }
      if (!done) {
        out.write(Objects.requireNonNull(lastWords.get(guards.ended().kind())));
      }
    } catch (IOException e) {
      status = unwritten(name + ": the figures", e, status);
    } finally {
      Runtime.getRuntime().halt(status);
    }
  }

  private static int help(CommandLine line) {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write(line.getUsageMessage().getBytes(StandardCharsets.UTF_8));
      return DONE;
    } catch (IOException e) {
      return unwritten(line.getCommandName() + ": the help", e, DONE);
    }
  }

  /** The exit status where something could not be written. The reader of a pipe may go, as head(1) does: that changes nothing. */
  private static int unwritten(String what, IOException e, int status) {
    if (leadsToAReader()) {
      return status;
    }
    System.err.println(what + " cannot be written to stdout: " + e.getMessage());
    return UNWRITTEN;
  }

  private static boolean leadsToAReader() {
    try {
      String place = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return place.startsWith("pipe:") || place.startsWith("socket:");
    } catch (IOException e) {
      return false; // A closed one leads nowhere.
    }
  }

  /** Tries to write the line; false, after a while, where there was no memory for it. */
  private boolean tries() throws IOException {
    try {
      tell();
      return true;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      // Tasks that were under way took the room, or a class has none to begin; those that come to their end now leave some.
      LockSupport.parkNanos(RETRY_NS);
      return false;
    }
  }

  private byte[] lastWords(Kind kind) {
    return "{\"workload\":\"%s\",\"ended_by\":\"%s\",\"ended_detail\":\"%s; no memory was left to write the figures\"}\n"
        .formatted(name, kind.id(), kind == Kind.ERROR ? "java.lang.OutOfMemoryError" : kind.id())
        .getBytes(StandardCharsets.UTF_8);
  }

  private void tell() throws IOException {
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
    byte[] line = (figures.line() + "\n").getBytes(StandardCharsets.UTF_8);
    if (ended.kind() != Kind.DONE) {
      System.err.println(name + ": " + ended.kind().id() + ": " + ended.detail());
      System.err.flush();
    }
    out.write(line);
  }

  private static OperatingSystemMXBean host() {
    return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  }
}
