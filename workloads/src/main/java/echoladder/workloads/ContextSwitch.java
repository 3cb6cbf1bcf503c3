package echoladder.workloads;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What it costs to go from one thread to another: T threads that yield again and again, or that hand one token round a ring,
 * each parked until it is its turn.
 *
 * <p>A yield of a platform thread need not switch: the kernel may let it go on. {@code kernel_switches_per_yield} says how
 * often it did. Of virtual threads that is not known, but whoever yields goes behind all others that could run.
 */
@Command(
    name = "context-switch",
    description = "Let T threads yield, or hand a token round, and tell ns per switch.",
    footer = {
      "",
      "Example: a thousand virtual threads that yield two million times in all",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.ContextSwitch --model virtual --threads 1000 \\",
      "    --switches 2000000",
      "",
      "Exit status: 0 all were done, 1 it ended before (ended_by and ended_detail say why), 2 bad usage."
    })
public final class ContextSwitch extends Workload {
  private static final byte[] VOLUNTARY = NumberFile.key("voluntary_ctxt_switches:");
  private static final byte[] OTHERS = NumberFile.key("nonvoluntary_ctxt_switches:");

  /** How one thread makes way for another. */
  enum By {
    YIELD,
    /** Unparks the next and parks itself. */
    TOKEN
  }

  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--threads", required = true, paramLabel = "T", description = "How many, 2 to 1,000,000.")
  private int threads;

  @Option(names = "--by", defaultValue = "yield", description = "yield or token; default ${DEFAULT-VALUE}.")
  private By by = By.YIELD;

  @Option(names = "--switches", defaultValue = "2000000", paramLabel = "N", description = "In all; default ${DEFAULT-VALUE}.")
  private long switches = 2_000_000;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong kernelSwitches = new AtomicLong();
  private volatile int turn;
  private volatile boolean over;
  private @Nullable Thread[] ring = new Thread[0];

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new ContextSwitch(), args);
  }

  @Override
  void check() {
    requireWithin("--threads", threads, 2, 1_000_000);
    requireWithin("--switches", switches, threads, 100_000_000_000L);
  }

  @Override
  String progress() {
    return "%,d of %,d threads ready, %,d of %,d switches".formatted(ready.get(), threads, done.get(), switches);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("model", model.id()).put("threads", threads).put("by", by.name().toLowerCase(Locale.ROOT));
    long each = switches / threads;
    CountDownLatch left = new CountDownLatch(threads);
    ring = new Thread[threads];
    for (int i = 0; i < threads && !guards.stopped(); i++) {
      int number = i;
      Thread thread = model.factory().newThread(() -> thread(number, each, guards, left));
      ring[i] = thread;
      thread.start();
    }
    boolean going = true;
    while (going && ready.get() < threads) {
      going = guards.pause(1_000_000);
    }
    if (guards.stopped()) {
      return;
    }
    long cpu = cpuNs();
    long begun = System.nanoTime();
    gate.countDown();
    boolean all = guards.await(left);
    long wall = System.nanoTime() - begun;
    over = true;
    if (!all) {
      return;
    }
    long count = each * threads;
    int atOnce = by == By.TOKEN ? 1 : Math.min(threads, Runtime.getRuntime().availableProcessors());
    figures
        .put("switches", count)
        .put("wall_ns", wall)
        .put("per_switch_ns", (double) wall * atOnce / count)
        .put("cpu_per_switch_ns", (double) (cpuNs() - cpu) / count)
        .put("kernel_switches_per_yield", model == Model.VIRTUAL ? null : (Double) ((double) kernelSwitches.get() / count));
  }

  @SuppressWarnings("ThreadPriorityCheck") // A yield is what is measured.
  private void thread(int number, long each, Guards guards, CountDownLatch left) {
    ready.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    long before = model == Model.PLATFORM ? switchesOfThisThread() : 0;
    for (long i = 0; i < each && !guards.stopped(); i++) {
      if (by == By.YIELD) {
        Thread.yield();
      } else {
        passOn(number);
      }
    }
    kernelSwitches.addAndGet(model == Model.PLATFORM ? switchesOfThisThread() - before : 0);
    done.addAndGet(each);
    left.countDown();
  }

  private void passOn(int number) {
    while (turn != number && !over) {
      LockSupport.park(this);
    }
    int next = number + 1 == threads ? 0 : number + 1;
    turn = next;
    LockSupport.unpark(ring[next]);
  }

  private static long switchesOfThisThread() {
    try (NumberFile status = new NumberFile("/proc/thread-self/status").refresh()) {
      return status.after(VOLUNTARY) + status.after(OTHERS);
    } catch (IOException e) {
      return 0; // Of thousands of threads some may find no descriptor; the figure is a share.
    }
  }

  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }
}
