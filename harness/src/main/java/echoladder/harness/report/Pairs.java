package echoladder.harness.report;

import echoladder.harness.lab.LabMark;
import echoladder.harness.results.RungFigure;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Servers in pairs: the ratio of a figure between two of them in the same repeat of the same rung, at the highest rung
 * where both have enough valid repeats in common for an interval, else at the highest where they have any.
 */
final class Pairs {
  private static final List<RungFigure> FIGURES =
      List.of(RungFigure.SERVER_CPU, RungFigure.RESPONSE_P99, RungFigure.RSS);

  /**
   * One line of the table.
   *
   * @param figure what is compared
   * @param first its label
   * @param second its label
   * @param pairs repeats that both have it of
   * @param without of those, in which it is not above 0 for both
   * @param ratio first to second; null where there is none in each pair
   */
  record Row(
      String figure, String first, String second, String connections, int pairs, int without, @Nullable PairedRatio ratio) {}

  /** What two servers have of a figure at one rung, repeat by repeat. */
  private record Common(int connections, List<Double> first, List<Double> second) {
    Row row(RungFigure figure, String a, String b) {
      int without = 0;
      for (int i = 0; i < first.size(); i++) {
        without += first.get(i) > 0 && second.get(i) > 0 ? 0 : 1;
      }
      return new Row(
          figure.words(), a, b, Units.count(connections), first.size(), without,
          without == 0 ? PairedRatio.of(first, second) : null);
    }
  }

  private Pairs() {}

  /** The rows of a run, figure by figure; none of a run without repeats, nor of what it may not be quoted for. */
  static List<Row> rows(RunRecord run) {
    if (run.study().repeats() == 1) {
      return List.of();
    }
    LabMark lab = LabMark.in(run.environment());
    List<String> labels =
        run.servers().stream().filter(s -> s.role().equals("contender")).map(RunRecord.ServerRecord::label).toList();
    List<Row> rows = new ArrayList<>();
    for (RungFigure figure : FIGURES) {
      for (int i = 0; i < labels.size() && LabMark.mayClaim(lab, figure.claim()); i++) {
        for (int j = i + 1; j < labels.size(); j++) {
          String first = labels.get(i);
          String second = labels.get(j);
          if (run.study().alike(first, second)) {
            highest(figure, run, first, second).ifPresent(common -> rows.add(common.row(figure, first, second)));
          }
        }
      }
    }
    return rows;
  }

  private static Optional<Common> highest(RungFigure figure, RunRecord run, String first, String second) {
    Common any = null;
    for (int connections : run.study().rungs().reversed()) {
      Common common = new Common(connections, new ArrayList<>(), new ArrayList<>());
      for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
        Double a = value(figure, run, first, connections, repeat);
        Double b = value(figure, run, second, connections, repeat);
        if (a != null && b != null) {
          common.first.add(a);
          common.second.add(b);
        }
      }
      if (common.first.size() >= PairedRatio.FEWEST_FOR_INTERVAL) {
        return Optional.of(common);
      }
      any = any == null && !common.first.isEmpty() ? common : any;
    }
    return Optional.ofNullable(any);
  }

  private static @Nullable Double value(
      RungFigure figure, RunRecord run, String label, int connections, int repeat) {
    for (RungRecord rung : run.rungs()) {
      if (rung.server().equals(label) && rung.connections() == connections && rung.repeat() == repeat && rung.valid()) {
        return figure.of(rung);
      }
    }
    return null;
  }

  static String number(double ratio) {
    return String.format(Locale.ROOT, "%.3g", ratio);
  }

  static String ratio(Row row) {
    return row.ratio() == null ? Units.NONE : number(row.ratio().ratio());
  }

  static String range(Row row) {
    PairedRatio ratio = row.ratio();
    return ratio == null || ratio.pairs() == 1 ? Units.NONE : number(ratio.least()) + "–" + number(ratio.most());
  }

  static String interval(Row row) {
    Interval interval = row.ratio() == null ? null : row.ratio().interval();
    return interval == null
        ? Units.NONE
        : "%s–%s (%s)".formatted(number(interval.low()), number(interval.high()), Units.percent(interval.confidence()));
  }

  static String finding(Row row) {
    if (row.ratio() == null) {
      return "no ratio: not above 0 in %d of %d".formatted(row.without(), row.pairs());
    }
    return switch (row.ratio().finding()) {
      case LESS -> row.first() + " has less";
      case MORE -> row.first() + " has more";
      case NO_DIFFERENCE_SHOWN -> "no difference shown";
      case TOO_FEW -> "range only, fewer than %d pairs".formatted(PairedRatio.FEWEST_FOR_INTERVAL);
    };
  }
}
