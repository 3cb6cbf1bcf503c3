package echoladder.servers.kit;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * How long this process did not run although it wanted to, whoever kept it from it: its collector, a safepoint, the
 * host. As jHiccup has it: a thread that sleeps {@value #SLEEP_MS} ms and records by how much it overslept. What many
 * such threads would have seen of one long hiccup is recorded too (itself, less a sleep, less two, ...), so that a
 * quantile is a share of time, not of wake-ups. Every overrun has the timer slack of a thread in it, 50 µs by default.
 *
 * <p>It costs CPU, a hundred wake-ups a second. What its thread takes stands beside it, so that whoever gives the CPU of
 * an echo can leave it out (docs/decisions/hiccup-meter.md).
 */
final class HiccupMeter {
  /** That of all servers: in Go a shorter one costs what no clock tells (docs/decisions/hiccup-meter.md). */
  static final int SLEEP_MS = 10;

  private static final long SLEEP_NS = SLEEP_MS * 1_000_000L;

  /** Overruns beyond count as this one, which bounds what one of them takes to record. */
  private static final long MOST_NS = 100_000_000_000L;

  /** The preferred numbers R10 from 100 µs to 100 s: a quantile is at most 28 % too high. */
  private static final double[] TENTHS = {1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8};

  private final DistributionDataPoint overruns;

  HiccupMeter(DistributionDataPoint overruns) {
    this.overruns = overruns;
  }

  /** Puts its figures on the page and measures until the process ends. */
  static void start(PrometheusRegistry registry) {
    Histogram histogram =
        Histogram.builder()
            .name("echo_hiccup_seconds")
            .help("By how much a thread that sleeps " + SLEEP_MS + " ms overslept, and what others would have meanwhile.")
            .classicOnly()
            .classicUpperBounds(bounds())
            .register(registry);
    Thread thread = Thread.ofPlatform().daemon().name("hiccup-meter").start(new HiccupMeter(histogram)::measure);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    CounterWithCallback.builder()
        .name("echo_hiccup_cpu_seconds_total")
        .help("CPU of the hiccup meter itself, which is in process_cpu_seconds_total too.")
        .callback(c -> c.call(threads.getThreadCpuTime(thread.threadId()) / 1e9))
        .register(registry);
  }

  private static double[] bounds() {
    double[] bounds = new double[6 * TENTHS.length + 1];
    for (int i = 0; i < bounds.length; i++) {
      int decade = i / TENTHS.length;
      bounds[i] = TENTHS[i % TENTHS.length] * Math.pow(10, decade) / 1e4;
    }
    return bounds;
  }

  private void measure() {
    long before = System.nanoTime();
    try {
      while (true) {
        Thread.sleep(SLEEP_MS);
        long now = System.nanoTime();
        overslept(now - before - SLEEP_NS);
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Records one overrun and what it would have been for those who had begun to sleep within it. */
  void overslept(long ns) {
    long left = Math.clamp(ns, 0, MOST_NS);
    do {
      overruns.observe(left / 1e9);
      left -= SLEEP_NS;
    } while (left > 0);
  }
}
