package echoladder.workloads;

import echoladder.workloads.TurnSample.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What it costs to go from one thread to another: T threads that yield again and again, or that hand one token round a ring,
 * each parked until it is its turn. They go on until they are told to stop; what is measured lies between two moments at
 * which all of them are under way, so neither their start nor their end is in it.
 *
 * <p>A yield need not switch: with fewer threads than processors, or none that waits for the same one, whoever yields goes on
 * itself. So {@code per_switch_ns} is per yield, and {@code switches_seen_per_yield} says how many of them switched: of
 * platform threads by the kernel's counts of all of them (those by preemption among them), of virtual threads by a sample,
 * taken after the measurement, of who ran after whom on each carrier. A token that arrives has switched by its nature.
 * {@code per_switch_seen_ns} puts all the time down to the yields that switched; as the others cost too, a switch costs no
 * more than that.
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
      "For 2, 10 and 100 threads there is a benchmark by JMH too: mvn -Pbench -pl workloads -am verify",
      "",
      "Exit status: 0 all were done, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class ContextSwitch extends Workload {
  /** Shorter, and a pause of whatever else runs on the host would be much of it. */
  private static final long WALL_LEAST_NS = 500_000_000;

  private static final long LOOK_EVERY_NS = 10_000_000;

  /** To add up the counts takes some ns each, which must stay little of the time between two looks. */
  private static final long LOOK_NS_PER_THREAD = 500;

  private static final int SAMPLE_LEAST = 20_000;
  private static final int SAMPLE_MOST = 400_000;
  private static final long SAMPLE_NS_MOST = 5_000_000_000L;

  /** How one thread makes way for another. */
  enum By {
    YIELD,
    /** Unparks the next and parks itself. */
    TOKEN
  }

  private enum Phase {
    TURNS,
    /** Turns are taken, and each is written down. */
    SAMPLED_TURNS,
    OVER
  }

  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--threads", required = true, paramLabel = "T", description = "How many, 2 to 100,000,000.")
  private int threads;

  @Option(names = "--by", defaultValue = "yield", description = "yield or token; default ${DEFAULT-VALUE}.")
  private By by = By.YIELD;

  @Option(
      names = "--switches",
      defaultValue = "2000000",
      paramLabel = "N",
      description = "At least so many in all, and for half a second at least; default ${DEFAULT-VALUE}.")
  private long switches = 2_000_000;

  @Option(names = "--warm-up", defaultValue = "500000", paramLabel = "N", description = "Before that; default ${DEFAULT-VALUE}.")
  private long warmUp = 500_000;

  private final List<Turns> ring = new ArrayList<>();
  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicInteger going = new AtomicInteger();
  private final KernelSwitches kernelSwitches = new KernelSwitches();
  private final Times startDelay = new Times();
  private final Times taskTime = new Times();
  private TurnSample sample = new TurnSample(0);
  private volatile boolean open;
  private volatile Phase phase = Phase.TURNS;
  private volatile int turn;
  private volatile long doneForProgress;

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new ContextSwitch(), args);
  }

  @Override
  void check() {
    requireWithin("--threads", threads, 2, 100_000_000);
    requireWithin("--switches", switches, 1, 100_000_000_000L);
    requireWithin("--warm-up", warmUp, 0, 100_000_000_000L);
  }

  @Override
  String progress() {
    return "%,d of %,d threads ready, %,d of %,d switches"
        .formatted(ready.get(), threads, doneForProgress, warmUp + switches);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("model", model.id()).put("threads", threads).put("by", by.name().toLowerCase(Locale.ROOT));
    CountDownLatch left = new CountDownLatch(threads);
    ThreadFactory factory = model.factory();
    for (int i = 0; i < threads && !guards.stopped(); i++) {
      Turns turns = new Turns(i, factory, left, guards);
      ring.add(turns);
      turns.thread.start();
    }
    boolean all = true;
    while (all && ready.get() < threads) {
      all = guards.pause(1_000_000);
    }
    if (all) {
      open = true;
      // By one of their kind: what comes to the scheduler of virtual threads from elsewhere waits until a carrier has none of
      // its own to run, which is never once two of them yield to each other. And one by one: whom a latch lets go wakes
      // the next, which then waits for all before it to yield, each time.
      Thread opener = factory.newThread(this::wake);
      opener.start();
      opener.join();
      all = measure(guards, figures);
    }
    if (all && by == By.YIELD && model == Model.VIRTUAL) {
      sample(guards);
    }
    phase = Phase.OVER;
    wake();
    if (all && guards.await(left)) {
      if (by == By.YIELD) {
        seen(figures);
      }
      figures.times("start_delay", startDelay).times("task_time", taskTime);
    }
  }

  private void wake() {
    for (Turns turns : ring) {
      LockSupport.unpark(turns.thread);
    }
  }

  /** False where it was ended before. */
  private boolean measure(Guards guards, Figures figures) throws InterruptedException {
    while (going.get() < threads || done() < warmUp) {
      if (!look(guards)) {
        return false;
      }
    }
    long before = done();
    long cpu = ProcessCpu.ns();
    long begun = System.nanoTime();
    while (done() - before < switches || System.nanoTime() - begun < WALL_LEAST_NS) {
      if (!look(guards)) {
        return false;
      }
    }
    long count = done() - before;
    long wall = System.nanoTime() - begun;
    int atOnce = by == By.TOKEN ? 1 : Math.min(threads, Runtime.getRuntime().availableProcessors());
    figures
        .put("switches", count)
        .put("wall_ns", wall)
        .put("per_switch_ns", (double) wall * atOnce / count)
        .put("cpu_per_switch_ns", (double) (ProcessCpu.ns() - cpu) / count);
    return true;
  }

  private boolean look(Guards guards) throws InterruptedException {
    return guards.pause(Math.max(LOOK_EVERY_NS, threads * LOOK_NS_PER_THREAD));
  }

  private long done() {
    long sum = 0;
    for (Turns turns : ring) {
      sum += turns.done.getOpaque();
    }
    doneForProgress = sum;
    return sum;
  }

  private void sample(Guards guards) throws InterruptedException {
    sample = new TurnSample(Math.clamp(4L * threads, SAMPLE_LEAST, SAMPLE_MOST));
    phase = Phase.SAMPLED_TURNS;
    long begun = System.nanoTime();
    boolean goes = true;
    while (goes && !sample.full() && System.nanoTime() - begun < SAMPLE_NS_MOST) {
      goes = guards.pause(1_000_000);
    }
  }

  /** How many of the yields did switch. */
  private void seen(Figures figures) {
    boolean kernel = model == Model.PLATFORM;
    Seen seen = kernel ? kernelSwitches.seen() : sample.seen();
    Double share = seen.turns() == 0 ? null : (Double) ((double) seen.switches() / seen.turns());
    figures
        .put("switches_seen_by", kernel ? "kernel" : seen.turns() == 0 ? null : "sample")
        .put("switches_seen", share == null ? null : (Long) seen.switches())
        .put("switches_seen_of", share == null ? null : (Long) seen.turns())
        .put("switches_seen_per_yield", share)
        .put("per_switch_seen_ns", perSeen(figures, "per_switch_ns", share))
        .put("cpu_per_switch_seen_ns", perSeen(figures, "cpu_per_switch_ns", share));
  }

  private static @Nullable Double perSeen(Figures figures, String name, @Nullable Double share) {
    return share == null || share == 0 || !(figures.get(name) instanceof Double each) ? null : (Double) (each / share);
  }

  /** A count that one thread writes, too far from the next one for two of them to share a line of the cache. */
  private static final class OwnCount extends AtomicLong {
    @SuppressWarnings("unused") // They take room.
    long a, b, c, d, e, f, g;
  }

  /** The turns of one thread. */
  private final class Turns implements Runnable {
    final OwnCount done = new OwnCount();
    final Thread thread;
    private final long askedNs = System.nanoTime();
    private final int number;
    private final CountDownLatch left;
    private final Guards guards;

    Turns(int number, ThreadFactory factory, CountDownLatch left, Guards guards) {
      this.number = number;
      this.left = left;
      this.guards = guards;
      thread = factory.newThread(this);
    }

    @Override
    public void run() {
      startDelay.record(System.nanoTime() - askedNs);
      ready.incrementAndGet();
      try {
        while (!open) {
          LockSupport.park(this);
        }
        untilOver();
      } catch (Throwable e) {
        guards.fail(e); // No memory to go on with, above all.
      }
      left.countDown();
    }

    private void untilOver() {
      long begun = System.nanoTime();
      long before = model == Model.PLATFORM ? KernelSwitches.ofThisThread() : NumberFile.MISSING;
      going.incrementAndGet();
      long count = turns();
      kernelSwitches.add(before, count);
      taskTime.record(System.nanoTime() - begun);
    }

    @SuppressWarnings("ThreadPriorityCheck") // A yield is what is measured.
    private long turns() {
      long count = 0;
      for (Phase now = phase; now != Phase.OVER; now = phase) {
        if (by == By.YIELD) {
          Thread.yield();
        } else {
          passOn();
        }
        count++;
        done.setOpaque(count);
        if (now == Phase.SAMPLED_TURNS) {
          sample.add(number);
        }
      }
      return count;
    }

    private void passOn() {
      while (turn != number && phase != Phase.OVER) {
        LockSupport.park(this);
      }
      int next = number + 1 == threads ? 0 : number + 1;
      turn = next;
      LockSupport.unpark(ring.get(next).thread);
    }
  }
}
