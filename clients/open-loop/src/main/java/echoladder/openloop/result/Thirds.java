package echoladder.openloop.result;

import echoladder.client.CpuPerEcho;
import echoladder.client.LoadResult.Drift;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The first and the last third of a steady state, for what drifted between them. Either is cut where somebody looked, a
 * little after it. One thread.
 */
public final class Thirds {
  /**
   * Echoes of a third below which its CPU per echo says too little: of single rungs with 6,700 echoes a third, the floor, which has
   * nothing to warm up, had multiples of 0.87 to 1.39.
   */
  static final long LEAST_ECHOES = 10_000;

  /** The shortest third: below it a single stall of the host is a drift. */
  static final long LEAST_NS = 2_000_000_000L;

  private final long startNs;
  private final long thirdNs;
  private final List<Look> looks = new ArrayList<>();
  private final Histogram first = Recorders.emptyHistogram();
  private final Histogram last = Recorders.emptyHistogram();

  private record Look(long answered, @Nullable Long cpuNs) {}

  public Thirds(long startNs, long lengthNs) {
    this.startNs = startNs;
    this.thirdNs = lengthNs / 3;
  }

  /** Whether it is time for a look: at the beginning, after each third, at the end. */
  public boolean due(long nowNs) {
    return looks.size() < 4 && nowNs >= startNs + looks.size() * thirdNs;
  }

  /** Echoes that were answered and CPU of the server, so far. */
  public void look(long answered, @Nullable Long cpuNs) {
    looks.add(new Look(answered, cpuNs));
  }

  /** Response times that were recorded in that interval; one that is not within the first or the last third is in neither. */
  public void interval(long fromNs, long toNs, @Nullable Histogram responses) {
    if (responses == null || fromNs < startNs || toNs > startNs + 3 * thirdNs) {
      return;
    }
    if (toNs <= startNs + thirdNs) {
      first.add(responses);
    } else if (fromNs >= startNs + 2 * thirdNs) {
      last.add(responses);
    }
  }

  /** What they came to. */
  public Drift drift() {
    if (thirdNs < LEAST_NS) {
      return Drift.UNKNOWN;
    }
    Double before = looks.size() < 4 ? null : usPerEcho(looks.get(0), looks.get(1));
    Double after = looks.size() < 4 ? null : usPerEcho(looks.get(2), looks.get(3));
    Long p99Before = Quantiles.quantile(first, 99);
    Long p99After = Quantiles.quantile(last, 99);
    return new Drift(
        before == null || after == null ? null : (Double) (after / before),
        p99Before == null || p99After == null || p99Before == 0 ? null : (Double) ((double) p99After / p99Before));
  }

  private static @Nullable Double usPerEcho(Look from, Look to) {
    long echoes = to.answered - from.answered;
    return from.cpuNs == null || to.cpuNs == null || echoes < LEAST_ECHOES ? null
        : CpuPerEcho.ofServer(to.cpuNs - from.cpuNs, echoes);
  }
}
