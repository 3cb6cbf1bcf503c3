package echoladder.servers.kit;

import echoladder.linux.ProcSys;
import echoladder.linux.process.DescriptorLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections that could not be accepted, or not be given what they need: counted by reason, logged at most once a
 * second. Thread-safe.
 */
public final class AcceptErrors {
  /** How long an acceptor rests after a failure: a waiting connection would make it fail again at once. */
  public static final Duration PAUSE = Duration.ofMillis(50);

  private static final String DIRECT_MEMORY =
      "; the limit is that of direct memory (-XX:MaxDirectMemorySize, or where that is not given, of the heap)";

  private static final String THREADS =
      "; the limit is one of kernel.threads-max, kernel.pid_max, vm.max_map_count, RLIMIT_NPROC and pids.max of the"
          + " control group";

  private static final String HEAP = "; the limit is the heap (-XX:MaxRAMPercentage, -Xmx)";

  /** In the JDK's words for a thread that cannot be started. */
  private static final String NO_THREAD = "native thread";

  private final EchoMetrics metrics;
  private final DescriptorReserve reserve;
  private final LogPace log;
  private final String descriptorLimit;
  private final LongSupplier clockNs;
  /** Null until something has run out: then no accept asks for the time. */
  private volatile @Nullable Long restUntilNs;

  /**
   * Failures of one server.
   *
   * @param clockNs as {@link System#nanoTime}
   */
  public AcceptErrors(EchoMetrics metrics, DescriptorReserve reserve, ServerLog log, LongSupplier clockNs) {
    this.metrics = metrics;
    this.reserve = reserve;
    this.log = new LogPace(log, clockNs);
    this.clockNs = clockNs;
    // Read while there are descriptors to read it by.
    this.descriptorLimit = descriptorLimit(DescriptorLimit.own().soft(), nrOpen());
  }

  /**
   * Whether the next connection may be accepted. Where it may not, for want of descriptors, or of memory or threads a
   * moment ago, that was counted and logged: pause, then ask again.
   */
  public boolean mayAccept() {
    Long until = restUntilNs;
    if (until != null && clockNs.getAsLong() - until < 0) {
      return false;
    }
    try {
      reserve.fill();
      return true;
    } catch (IOException e) {
      failed(e);
      return false;
    }
  }

  /** What ran out, and the limit behind it. */
  static String withLimit(OutOfMemoryError seen) {
    String said = text(seen.getMessage());
    return said + (direct(said) ? DIRECT_MEMORY : said.contains(NO_THREAD) ? THREADS : HEAP);
  }

  /** Both the JDK's and Netty's own say "direct" and "memory". */
  private static boolean direct(String said) {
    return said.contains("direct ");
  }

  /**
   * Counts and logs a failure; the acceptor then pauses for {@link #PAUSE}. On any thread: a connection that finds no
   * memory once it was accepted fails here too, and the acceptor hears of it.
   */
  public void failed(Throwable seen) {
    if (seen instanceof OutOfMemoryError) {
      restUntilNs = clockNs.getAsLong() + PAUSE.toNanos();
    }
    // A descriptor for the reserve is asked for by this name; that it was not to be had is what matters.
    String reason = reason(seen);
    String said = text(seen.getMessage());
    String advice = seen instanceof OutOfMemoryError && direct(said) ? DIRECT_MEMORY : advice(reason);
    failed(reason, said.replaceFirst("^/dev/null \\((.*)\\)$", "$1"), advice);
  }

  /**
   * Counts and logs a failure of a server that knows the errno itself; the acceptor then pauses for {@link #PAUSE}.
   *
   * @param reason as counted, e.g. {@code emfile}
   * @param seen as logged
   */
  public void failed(String reason, String seen) {
    failed(reason, seen, advice(reason));
  }

  private void failed(String reason, String seen, String advice) {
    reserve.release();
    metrics.acceptFailed(reason);
    log.say("accept failed with " + metrics.open() + " connections open: " + seen + advice);
  }

  private String reason(Throwable seen) {
    String message = text(seen.getMessage());
    if (message.contains("Too many open files in system")) {
      return "enfile";
    }
    if (message.contains("Too many open files")) {
      return "emfile";
    }
    if (seen instanceof OutOfMemoryError) {
      return message.contains(NO_THREAD) ? "eagain" : "enomem";
    }
    // The JDK hands on the C library's text, which the user's locale may have translated.
    return reserve.oneIsFree() ? "other" : "emfile";
  }

  private static String text(@Nullable String message) {
    return message == null ? "" : message;
  }

  /** What bounds a process's descriptors: its own limit, or that of any process where it is the lower one. */
  static String descriptorLimit(long nofile, long nrOpen) {
    return nrOpen < nofile
        ? "fs.nr_open, which is %,d (this process's RLIMIT_NOFILE is %,d): raise it by sysctl before the start"
            .formatted(nrOpen, nofile)
        : "this process's RLIMIT_NOFILE, which is %,d (ulimit -n): raise its hard limit before the start"
            .formatted(nofile);
  }

  private static long nrOpen() {
    try {
      return Long.parseLong(ProcSys.read("fs.nr_open"));
    } catch (IOException | NumberFormatException e) {
      // Not shown here: then the process's own limit is all that is known.
      return Long.MAX_VALUE;
    }
  }

  private String advice(String reason) {
    return switch (reason) {
      case "emfile" -> "; the limit is " + descriptorLimit;
      case "enfile" -> "; the limit is fs.file-max of the whole system";
      case "eagain" -> THREADS;
      case "enomem" -> HEAP;
      default -> "";
    };
  }
}
