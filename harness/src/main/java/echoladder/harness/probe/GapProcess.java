package echoladder.harness.probe;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.IdleThreads;
import echoladder.linux.process.StdinWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The process that {@link GapMeter} starts. In the ladder's own, its compilers would take the processor from the threads that
 * measure, and the host would seem to have gaps that are the ladder's. It prints a line per processor and measurement, and
 * ends with its stdin.
 */
final class GapProcess {
  /** For the compiler, before the first measurement. */
  private static final long COMPILED_AFTER_NS = 300_000_000;

  /** How long each measuring thread runs before it counts, to settle. */
  private static final long SETTLED_AFTER_NS = 50_000_000;

  private GapProcess() {}

  /**
   * Makes one measurement after the other.
   *
   * @param args nanoseconds of each measurement; then each {@link GapMeter.Look}, e.g. {@code 0-1} or {@code 0:1}
   */
  public static void main(String[] args) throws IOException {
    StdinWatch.begin();
    long ns = Long.parseLong(args[0]);
    count(COMPILED_AFTER_NS);
    IdleThreads.compilers();
    for (int i = 1; i < args.length; i++) {
      for (Gaps gaps : look(GapMeter.Look.parse(args[i]), ns)) {
        System.out.println(i + " " + gaps.cpu() + " " + gaps.longestNs() + " "
            + gaps.shares().stream().map(String::valueOf).collect(Collectors.joining(" ")));
      }
      System.out.flush();
    }
  }

  /** Measures all these processors at one time; one on which no thread can be kept is left out. */
  private static List<Gaps> together(CpuList cpus, long ns) {
    CountDownLatch begin = new CountDownLatch(1);
    List<Spinning> spinning = new ArrayList<>();
    cpus.stream().forEach(cpu -> spinning.add(new Spinning(cpu, ns, begin)));
    begin.countDown();
    return spinning.stream().map(Spinning::result).filter(Objects::nonNull).toList();
  }

  /** With some processors filled meanwhile. */
  private static List<Gaps> look(GapMeter.Look look, long ns) {
    List<Filling> filling = look.filled().stream().mapToObj(Filling::new).toList();
    try {
      return together(look.measured(), ns);
    } finally {
      filling.forEach(Filling::end);
    }
  }

  private static Gaps.Count count(long forNs) {
    Gaps.Count count = new Gaps.Count();
    long shortest = Gaps.STEPS_NS.getFirst();
    long last = System.nanoTime();
    long end = last + forNs;
    while (last < end) {
      long now = System.nanoTime();
      if (now - last > shortest) {
        count.add(now - last);
      }
      last = now;
    }
    return count;
  }

  /** A thread on one processor that never sleeps and runs only where nobody else wants to. */
  private static final class Filling {
    private final int cpu;
    private final Thread thread;
    private volatile boolean ended;

    Filling(int cpu) {
      this.cpu = cpu;
      thread = Thread.ofPlatform().daemon().name("gap-filler-" + cpu).start(this::fill);
    }

    private void fill() {
      try {
        IdleThreads.current();
        CpuAffinity.pinThread(CpuList.of(cpu));
      } catch (IOException e) {
        // Without it, the measurement is as with an idle processor there, which shows less.
        return;
      }
      while (!ended) {
        // It does not pause, as some hypervisors take a processor that pauses.
      }
    }

    void end() {
      ended = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A thread on one processor that looks at the clock and does nothing else. */
  private static final class Spinning {
    private final int cpu;
    private final long ns;
    private final CountDownLatch begin;
    private final Thread thread;
    private volatile @Nullable Gaps gaps;

    Spinning(int cpu, long ns, CountDownLatch begin) {
      this.cpu = cpu;
      this.ns = ns;
      this.begin = begin;
      thread = Thread.ofPlatform().daemon().name("gap-meter-" + cpu).start(this::spin);
    }

    private void spin() {
      try {
        CpuAffinity.pinThread(CpuList.of(cpu));
        begin.await();
      } catch (IOException e) {
        // It has gone offline since, or is not allowed any more: nothing can be said of it.
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      count(SETTLED_AFTER_NS);
      long start = System.nanoTime();
      Gaps.Count counted = count(ns);
      gaps = counted.of(cpu, System.nanoTime() - start);
    }

    @Nullable Gaps result() {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return gaps;
    }
  }
}
