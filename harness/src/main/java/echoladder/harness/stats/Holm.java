package echoladder.harness.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many comparisons in one table: with each at 5 % by itself, one in twenty of servers alike shows a difference. Holm's
 * step-down procedure (Scandinavian Journal of Statistics 6, 1979, 65-70) keeps the chance of even one such difference in the
 * whole table at 5 %, whatever the comparisons have to do with each other.
 */
public final class Holm {
  private Holm() {}

  /** The adjusted p of each, 0 to 1, in their order: a difference stands among all of them where it is at most 0.05. */
  public static List<Double> adjusted(List<Double> p) {
    List<Integer> ascending = IntStream.range(0, p.size()).boxed().sorted(Comparator.comparingDouble(p::get)).toList();
    List<Double> adjusted = new ArrayList<>(p);
    double most = 0;
    for (int rank = 0; rank < p.size(); rank++) {
      int at = ascending.get(rank);
      most = Math.max(most, Math.min(1, (p.size() - rank) * p.get(at)));
      adjusted.set(at, most);
    }
    return adjusted;
  }

  /** Whether a difference of so many pairs can stand among so many comparisons at all: all its ratios on one side of 1. */
  public static boolean canStand(int pairs, int comparisons) {
    return stands(comparisons * Math.scalb(2.0, -pairs));
  }

  /** Whether a difference of that adjusted p stands. */
  public static boolean stands(double adjusted) {
    return adjusted <= Interval.ERROR;
  }
}
