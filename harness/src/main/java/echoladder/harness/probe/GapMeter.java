package echoladder.harness.probe;

import echoladder.linux.CpuAffinity;
import echoladder.linux.CpuList;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How much time this host takes from a thread that wants all of a processor: measured one processor at a time and all at
 * once, as a virtual machine may give each alone what it does not give them together. A response time beyond such gaps may be
 * the host's.
 */
public final class GapMeter {
  /** How long each measurement takes, in ms; 0 = none. For tests, which would otherwise wait for it at every run. */
  public static final String PROPERTY = "echoladder.gap-meter-ms";

  private static final long DEFAULT_MS = 2_000;
  /** One at a time on a host with many processors would take minutes. */
  private static final int ALONE_MOST = 8;
  /** For the compiler. */
  private static final long WARM_UP_NS = 100_000_000;

  private GapMeter() {}

  /**
   * What environment.json has of it; null where it is switched off, or where the processors cannot be told.
   *
   * @param say is told beforehand how long it takes
   */
  public static @Nullable Map<String, Object> read(Consumer<String> say) {
    long ms = Long.getLong(PROPERTY, DEFAULT_MS);
    CpuList cpus = CpuAffinity.of(ProcessHandle.current().pid());
    if (ms <= 0 || cpus == null) {
      return null;
    }
    say.accept(
        "looking for %.0f s at what this host takes from a busy thread".formatted((alone(cpus).length + 1) * ms / 1e3));
    return measure(cpus, Duration.ofMillis(ms));
  }

  private static int[] alone(CpuList cpus) {
    int[] all = cpus.stream().toArray();
    int step = Math.ceilDiv(all.length, ALONE_MOST);
    return IntStream.range(0, all.length).filter(i -> i % step == 0).map(i -> all[i]).toArray();
  }

  static Map<String, Object> measure(CpuList cpus, Duration each) {
    List<Gaps> alone = new ArrayList<>();
    for (int cpu : alone(cpus)) {
      alone.addAll(together(new int[] {cpu}, each));
    }
    Map<String, Object> gaps = new LinkedHashMap<>();
    gaps.put("seconds_each", each.toMillis() / 1e3);
    gaps.put("steps_ns", Gaps.STEPS_NS);
    gaps.put("alone", alone);
    gaps.put("together", together(cpus.stream().toArray(), each));
    return gaps;
  }

  private static List<Gaps> together(int[] cpus, Duration each) {
    return together(cpus, each, new AtomicBoolean());
  }

  /**
   * Of all these processors at the same time; one on which no thread can be kept is left out.
   *
   * @param cut set = it ends at once, and what it says is of the time until then
   */
  static List<Gaps> together(int[] cpus, Duration each, AtomicBoolean cut) {
    List<Spinning> spinning = new ArrayList<>();
    CountDownLatch begin = new CountDownLatch(1);
    for (int cpu : cpus) {
      spinning.add(new Spinning(cpu, each.toNanos(), begin, cut));
    }
    begin.countDown();
    return spinning.stream().map(Spinning::result).filter(Objects::nonNull).toList();
  }

  /** A thread on one processor that looks at the clock and does nothing else. */
  private static final class Spinning {
    private final int cpu;
    private final long ns;
    private final CountDownLatch begin;
    private final AtomicBoolean cut;
    private final Thread thread;
    private volatile @Nullable Gaps gaps;

    Spinning(int cpu, long ns, CountDownLatch begin, AtomicBoolean cut) {
      this.cpu = cpu;
      this.ns = ns;
      this.begin = begin;
      this.cut = cut;
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
      count(WARM_UP_NS);
      long start = System.nanoTime();
      Gaps.Count counted = count(ns);
      gaps = counted.of(cpu, System.nanoTime() - start);
    }

    private Gaps.Count count(long forNs) {
      Gaps.Count count = new Gaps.Count();
      long shortest = Gaps.STEPS_NS.getFirst();
      long last = System.nanoTime();
      long end = last + forNs;
      while (last < end && !cut.get()) {
        long now = System.nanoTime();
        if (now - last > shortest) {
          count.add(now - last);
        }
        last = now;
      }
      return count;
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
