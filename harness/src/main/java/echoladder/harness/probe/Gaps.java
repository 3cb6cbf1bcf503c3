package echoladder.harness.probe;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The time of one processor that a thread missed although it never slept.
 *
 * @param cpu the processor's number
 * @param shares of the time that went in gaps longer than each of {@link #STEPS_NS}, 0 to 1, falling
 * @param longestNs the longest gap
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Gaps(int cpu, List<Double> shares, long longestNs) {
  /** From what an interrupt takes to what a hypervisor takes. */
  public static final List<Long> STEPS_NS =
      List.of(20_000L, 50_000L, 100_000L, 200_000L, 500_000L, 1_000_000L, 2_000_000L, 5_000_000L, 10_000_000L);

  /**
   * The share of the time that went in gaps longer than one of the steps.
   *
   * @throws IllegalArgumentException where that is none of {@link #STEPS_NS}
   */
  public double longerThan(long stepNs) {
    int step = STEPS_NS.indexOf(stepNs);
    if (step < 0) {
      throw new IllegalArgumentException(stepNs + " ns is none of the steps " + STEPS_NS);
    }
    return shares.get(step);
  }

  /** The share of gaps longer than any length; see {@link HostGaps#share}. */
  double share(double longerThanNs) {
    int steps = Math.min(shares.size(), STEPS_NS.size());
    int above = 0;
    while (above < steps && STEPS_NS.get(above) <= longerThanNs) {
      above++;
    }
    if (above == 0 || above == steps) {
      return above == 0 ? shares.getFirst() : shares.get(steps - 1);
    }
    double from = STEPS_NS.get(above - 1);
    double at = Math.log(longerThanNs / from) / Math.log(STEPS_NS.get(above) / from);
    double low = shares.get(above - 1);
    return low + at * (shares.get(above) - low);
  }

  /** Takes gaps as they come. Belongs to one thread. */
  static final class Count {
    private final long[] lostNs = new long[STEPS_NS.size()];
    private long longestNs;

    /** A gap: the time between two looks at the clock; only those above the first step count. */
    void add(long gapNs) {
      longestNs = Math.max(longestNs, gapNs);
      for (int i = 0; i < lostNs.length && gapNs > STEPS_NS.get(i); i++) {
        lostNs[i] += gapNs;
      }
    }

    /** What that comes to over the time that it was counted in. */
    Gaps of(int cpu, long countedNs) {
      List<Double> shares = new ArrayList<>();
      for (long lost : lostNs) {
        shares.add((double) lost / Math.max(1, countedNs));
      }
      return new Gaps(cpu, List.copyOf(shares), longestNs);
    }
  }
}
