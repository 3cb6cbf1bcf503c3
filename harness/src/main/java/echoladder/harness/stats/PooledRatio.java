package echoladder.harness.stats;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one figure compares between two subjects over several rungs: one ratio of all their pairs, where nothing shows that the
 * rungs have different ones. That is asked of the ratios by {@link KruskalWallis}.
 *
 * @param ratio of all pairs of all rungs
 * @param p that of the test: at most 0.05 = the ratio is another one at some rung
 */
public record PooledRatio(PairedRatio ratio, double p) {

  /**
   * The values of one rung.
   *
   * @param first by pair, above 0
   * @param second by pair, as many
   */
  public record OfRung(List<Double> first, List<Double> second) {
    public OfRung {
      first = List.copyOf(first);
      second = List.copyOf(second);
    }

    private double[] ratios() {
      double[] ratios = new double[first.size()];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = first.get(i) / second.get(i);
      }
      return ratios;
    }
  }

  /** Pools rungs with a pair or more each; null for so few rungs or pairs that no ratios could show a difference between rungs. */
  public static @Nullable PooledRatio of(List<OfRung> rungs) {
    int[] sizes = rungs.stream().mapToInt(rung -> rung.first().size()).toArray();
    if (rungs.size() < 2 || !KruskalWallis.canTell(sizes)) {
      return null;
    }
    List<Double> first = new ArrayList<>();
    List<Double> second = new ArrayList<>();
    rungs.forEach(rung -> first.addAll(rung.first()));
    rungs.forEach(rung -> second.addAll(rung.second()));
    return new PooledRatio(PairedRatio.of(first, second), KruskalWallis.p(rungs.stream().map(OfRung::ratios).toList()));
  }

  /** Whether the rungs are shown to have different ratios; the one of all is none of any of them then. */
  public boolean differsOverRungs() {
    return p <= Interval.ERROR;
  }
}
