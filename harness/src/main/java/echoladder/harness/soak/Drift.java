package echoladder.harness.soak;

import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What became of one figure over a soak.
 *
 * @param start median of the first quarter of its samples
 * @param end median of the last quarter
 * @param bound the most that the end may be
 * @param samples how many there were
 */
public record Drift(Watched watched, double start, double end, double bound, int samples) {
  /** With fewer a quarter has no middle. */
  static final int LEAST_SAMPLES = 12;

  /** The drift of each figure that has samples enough. Pure. */
  static List<Drift> of(List<SoakSample> samples) {
    List<Drift> all = new ArrayList<>();
    for (Watched watched : Watched.values()) {
      List<Long> values = samples.stream().map(watched::of).filter(Objects::nonNull).toList();
      if (values.size() >= LEAST_SAMPLES) {
        int quarter = values.size() / 4;
        double start = Spread.of(values.subList(0, quarter)).median();
        double end = Spread.of(values.subList(values.size() - quarter, values.size())).median();
        all.add(new Drift(watched, start, end, watched.bound(start), values.size()));
      }
    }
    return all;
  }

  /** Whether it stayed within its bound. */
  public boolean held() {
    return end <= bound;
  }

  /** E.g. {@code open descriptors: 210 at the beginning, 900 at the end, bound 237}. */
  String text() {
    return "%s: %s at the beginning, %s at the end, bound %s"
        .formatted(watched.words(), watched.unit().text(start), watched.unit().text(end), watched.unit().text(bound));
  }
}
