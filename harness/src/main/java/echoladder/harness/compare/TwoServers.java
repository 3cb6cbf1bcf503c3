package echoladder.harness.compare;

import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.stats.PairedRatio;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run that asks which of two servers costs more: two of the user's own, or two contenders with conditions. The second is told by the
 * first, pair by pair. Pure.
 *
 * @param first label of the server that the other is told by
 * @param second label of the other
 * @param valid the rungs of the run that compare
 * @param at the rung that is told: the highest with the most pairs of CPU per echo
 */
public record TwoServers(RunRecord run, String first, String second, ValidRungs valid, RungKey at) {

  /**
   * One figure of both.
   *
   * @param ratios second to first, by pair
   * @param ratio of all pairs; null where there are none, or one of them has no ratio
   * @param gaps whether the host's own gaps may explain the value of one of them
   */
  public record Row(Metric figure, List<Double> ratios, @Nullable PairedRatio ratio, boolean gaps) {
    public Row {
      ratios = List.copyOf(ratios);
    }
  }

  /** The question of a run; empty of one that asks another. */
  public static Optional<TwoServers> of(RunRecord run) {
    List<RunRecord.ServerRecord> contenders = run.servers().stream().filter(server -> server.role().equals("contender")).toList();
    boolean asks = contenders.stream().allMatch(server -> server.own() != null) || !run.study().failIf().isEmpty();
    boolean inPairs = run.study().repeats() > 1 && run.study().capacity() == null && run.study().load().staged() == null;
    if (contenders.size() != 2 || !asks || !inPairs) {
      return Optional.empty();
    }
    String first = contenders.getFirst().label();
    String second = contenders.getLast().label();
    if (!run.study().alike(first, second)) {
      return Optional.empty();
    }
    ValidRungs valid = new ValidRungs(run);
    return Optional.of(new TwoServers(run, first, second, valid, told(valid, first, second)));
  }

  private static RungKey told(ValidRungs valid, String first, String second) {
    List<RungKey> keys = valid.rungs(second);
    RungKey best = keys.getFirst();
    int most = -1;
    for (RungKey key : keys) {
      int pairs = valid.pairs(LoadMetrics.SERVER_CPU, key, first).first().size();
      if (pairs >= most) {
        best = key;
        most = pairs;
      }
    }
    return best;
  }

  /** Every figure of which at least one pair has a ratio, at that rung; those of the run's conditions last, where no table has them. */
  public List<Row> rows() {
    LabMark lab = LabMark.in(run.environment());
    List<Metric> figures = ServerTimes.in(run.rungs(), Shown.IN_PAIRS);
    Stream<Metric> bounded = Condition.of(run.study()).stream().map(Condition::figure);
    return Stream.concat(figures.stream(), bounded).distinct().filter(figure -> LabMark.mayClaim(lab, figure.claim())).map(this::row)
        .filter(row -> !row.ratios().isEmpty()).toList();
  }

  /** One figure at that rung. */
  public Row row(Metric figure) {
    ValidRungs.Paired pairs = valid.pairs(figure, at, first);
    boolean gaps = pairs.first().size() > valid.pairs(figure, at, first, false).first().size();
    List<Double> ratios = pairs.ratios();
    boolean all = !ratios.isEmpty() && pairs.without() == 0;
    return new Row(figure, ratios, all ? PairedRatio.of(pairs.first(), pairs.second()) : null, gaps);
  }
}
