package echoladder.workloads;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Whether others begin while as many tasks as there are processors hold on to theirs: they compute, block below a native
 * frame, write to a file that takes no more, read from a socket, or wait for a monitor or a lock that another thread has.
 * Meanwhile probes are started one after the other, over the first half of the hold; {@code probes_in_hold_share} says how many
 * of them had begun when the holders were released. A virtual thread whose holder frees its carrier begins at once; one whose
 * carriers are all held begins only then.
 */
@Command(
    name = "carriers",
    description = "Let tasks hold on to their processors, and tell how many others begin meanwhile, and how late.",
    footer = {
      "",
      "Example: virtual threads that compute for a second",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.Carriers --model virtual --by compute --hold 1s",
      "",
      "Exit status: 0 all began, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class Carriers extends Workload {
  /** What a holder does. */
  enum By {
    COMPUTE,
    NATIVE,
    FILE,
    SOCKET,
    /** One of them for all, as {@code synchronized} takes it. */
    MONITOR,
    /** One lock for all tasks, a ReentrantLock. */
    LOCK
  }

  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--by", required = true, description = "What holds: compute, native, file, socket, monitor or lock.")
  private By by = By.COMPUTE;

  @Option(names = "--holders", paramLabel = "H", description = "1 to 1000. Default: as many as processors.")
  private @Nullable Integer holders;

  @Option(
      names = "--hold",
      defaultValue = "1s",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "How long, 1ms to 10m; default ${DEFAULT-VALUE}.")
  private Duration hold = Duration.ofSeconds(1);

  @Option(names = "--probes", defaultValue = "100", paramLabel = "N", description = "1 to 10,000; default ${DEFAULT-VALUE}.")
  private int probes = 100;

  @Option(names = "--warm-up", defaultValue = "100", paramLabel = "N", description = "Probes before that; default ${DEFAULT-VALUE}.")
  private int warmUp = 100;

  private final AtomicInteger holding = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final Times probeDelay = new Times();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Carriers(), args);
  }

  @Override
  void check() {
    requireWithin("--holders", holders == null ? 1 : holders, 1, 1_000);
    requireWithin("--probes", probes, 1, 10_000);
    requireWithin("--warm-up", warmUp, 0, 1_000_000);
    require(hold.toMillis() > 0 && hold.toMinutes() <= 10, "--hold " + hold.toMillis() + "ms is not allowed; 1ms to 10m");
  }

  @Override
  String progress() {
    return "%,d holding, %,d of %,d probes begun".formatted(holding.get(), begun.get(), probes);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    int count = holders == null ? Runtime.getRuntime().availableProcessors() : holders;
    figures
        .put("model", model.id())
        .put("by", by.name().toLowerCase(Locale.ROOT))
        .put("carriers", carriers())
        .put("holders", count)
        .put("hold_ns", hold.toNanos())
        .put("probes_requested", probes);
    for (int i = 0; i < warmUp; i++) {
      Thread thread = model.factory().newThread(() -> probe(System.nanoTime()));
      thread.start();
      thread.join();
    }
    probeDelay.reset();
    begun.set(0);
    try (Hold held = held(count, guards)) {
      CountDownLatch ended = new CountDownLatch(count + probes);
      start(held, count, ended, guards);
      figures.put("holders_begun", holding.get());
      int inHold = probe(ended, guards);
      held.release();
      guards.await(ended);
      figures
          .put("probes_begun", begun.get())
          .put("probes_in_hold", inHold)
          .put("probes_in_hold_share", guards.stopped() ? null : (Double) (inHold / (double) probes))
          .times("probe_delay", probeDelay);
    }
  }

  private Hold held(int count, Guards guards) throws Exception {
    return switch (by) {
      case COMPUTE -> new Hold.Computing();
      case NATIVE -> new Hold.Native(hold, guards);
      case FILE -> new Hold.OfFiles(count);
      case SOCKET -> new Hold.OfSockets(count);
      case MONITOR -> new Hold.AtMonitor();
      case LOCK -> new Hold.AtLock();
    };
  }

  /** Starts the holders, and waits until all hold, or for as long as they would: of more than there are carriers some cannot. */
  private void start(Hold held, int count, CountDownLatch ended, Guards guards) throws InterruptedException {
    ThreadFactory threads = model.factory();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.newThread(() -> hold(held, number, ended, guards)).start();
    }
    long latestNs = System.nanoTime() + hold.toNanos();
    boolean going = true;
    while (going && holding.get() < count && System.nanoTime() < latestNs) {
      going = guards.pause(1_000_000);
    }
  }

  private void hold(Hold held, int number, CountDownLatch ended, Guards guards) {
    holding.incrementAndGet();
    try {
      held.hold(number);
    } catch (Throwable e) {
      guards.fail(e);
    }
    ended.countDown();
  }

  /** Starts the probes, and waits until the holders are to be released; gives how many had begun by then. */
  private int probe(CountDownLatch ended, Guards guards) throws InterruptedException {
    ThreadFactory threads = model.factory();
    long releaseNs = System.nanoTime() + hold.toNanos();
    long everyNs = hold.toNanos() / (2L * probes);
    for (int i = 0; i < probes && guards.pause(everyNs); i++) {
      long askedNs = System.nanoTime();
      threads
          .newThread(
              () -> {
                probe(askedNs);
                ended.countDown();
              })
          .start();
    }
    guards.pause(Math.max(0, releaseNs - System.nanoTime()));
    return begun.get();
  }

  private void probe(long askedNs) {
    probeDelay.record(System.nanoTime() - askedNs);
    begun.incrementAndGet();
  }

  /** The scheduler's parallelism; null on a JDK before 24, which does not tell it. */
  private static @Nullable Object carriers() {
    try {
      return ManagementFactory.getPlatformMBeanServer()
          .getAttribute(new ObjectName("jdk.management:type=VirtualThreadScheduler"), "Parallelism");
    } catch (JMException e) {
      return null;
    }
  }
}
