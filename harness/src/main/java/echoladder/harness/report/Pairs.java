package echoladder.harness.report;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Servers in pairs: the ratio of a figure between two of them in the same repeat of the same rung, at the highest rung
 * where both have valid repeats in common.
 */
final class Pairs {
  /**
   * One line of the table.
   *
   * @param figure what is compared
   * @param first its label
   * @param second its label
   * @param ratio first to second
   */
  record Row(String figure, String first, String second, String connections, PairedRatio ratio) {}

  private record Figure(String name, Function<RungRecord, @Nullable Double> of) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("server CPU per echo", r -> r.load() == null ? null : r.load().serverCpuUsPerEcho()),
          new Figure("response p99", r -> r.load() == null ? null : asDouble(r.load().responseTime().p99Ns())),
          new Figure(
              "RSS per connection", r -> r.probes() == null ? null : r.probes().serverRssBytesPerConnection()));

  private Pairs() {}

  private static @Nullable Double asDouble(@Nullable Long value) {
    return value == null ? null : (Double) value.doubleValue();
  }

  /** The rows of a run, figure by figure; none of a run without repeats. */
  static List<Row> rows(RunRecord run) {
    if (run.study().repeats() == 1) {
      return List.of();
    }
    List<String> labels =
        run.servers().stream().filter(s -> s.role().equals("contender")).map(RunRecord.ServerRecord::label).toList();
    List<RungRepeats> rungs = RungRepeats.of(run.rungs());
    List<Row> rows = new ArrayList<>();
    for (Figure figure : FIGURES) {
      for (int i = 0; i < labels.size(); i++) {
        for (int j = i + 1; j < labels.size(); j++) {
          highest(figure, run, rungs, labels.get(i), labels.get(j)).ifPresent(rows::add);
        }
      }
    }
    return rows;
  }

  private static Optional<Row> highest(
      Figure figure, RunRecord run, List<RungRepeats> rungs, String first, String second) {
    for (int connections : run.study().rungs().reversed()) {
      List<Double> ofFirst = new ArrayList<>();
      List<Double> ofSecond = new ArrayList<>();
      for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
        Double a = value(figure, rungs, first, connections, repeat);
        Double b = value(figure, rungs, second, connections, repeat);
        if (a != null && b != null && a > 0 && b > 0) {
          ofFirst.add(a);
          ofSecond.add(b);
        }
      }
      if (!ofFirst.isEmpty()) {
        return Optional.of(
            new Row(figure.name, first, second, Units.count(connections), PairedRatio.of(ofFirst, ofSecond)));
      }
    }
    return Optional.empty();
  }

  private static @Nullable Double value(
      Figure figure, List<RungRepeats> rungs, String label, int connections, int repeat) {
    for (RungRepeats group : rungs) {
      if (group.any().server().equals(label) && group.any().connections() == connections) {
        for (RungRecord rung : group.valid()) {
          if (rung.repeat() == repeat) {
            return figure.of.apply(rung);
          }
        }
      }
    }
    return null;
  }

  static String number(double ratio) {
    return String.format(Locale.ROOT, "%.3g", ratio);
  }

  static String range(PairedRatio ratio) {
    return ratio.pairs() == 1 ? Units.NONE : number(ratio.least()) + "–" + number(ratio.most());
  }

  static String interval(PairedRatio ratio) {
    Interval interval = ratio.interval();
    return interval == null
        ? Units.NONE
        : "%s–%s (%s)".formatted(number(interval.low()), number(interval.high()), Units.percent(interval.confidence()));
  }

  static String finding(Row row) {
    return switch (row.ratio().finding()) {
      case LESS -> row.first() + " has less";
      case MORE -> row.first() + " has more";
      case NO_DIFFERENCE_SHOWN -> "no difference shown";
      case TOO_FEW -> "range only, fewer than %d pairs".formatted(PairedRatio.FEWEST_FOR_INTERVAL);
    };
  }
}
