package echoladder.harness.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Finding;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.AxisPoint;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Contenders in pairs: the ratio of a figure between two of them in the same repeat of the same rung. */
final class Pairs {
  private final RunRecord run;
  private final Map<At, RungRecord> valid = new HashMap<>();
  private final List<Row> all = new ArrayList<>();

  private record At(String label, int connections, int repeat) {}

  private record Pair(Metric figure, String first, String second) {}

  /**
   * One figure of two servers at one rung.
   *
   * @param figure what is compared
   * @param first its label
   * @param second its label
   * @param pairs repeats that both have it of, one at least
   * @param without of those, in which it is not above 0 for both
   * @param ratio first to second; null where there is none in each pair
   */
  record Row(
      Metric figure, String first, String second, int connections, int pairs, int without, @Nullable PairedRatio ratio) {
    private Pair pair() {
      return new Pair(figure, first, second);
    }

    private boolean enough() {
      return pairs >= PairedRatio.FEWEST_FOR_INTERVAL;
    }
  }

  /** Of a run; none of one without repeats, nor of what it may not be quoted for. */
  Pairs(RunRecord run) {
    this.run = run;
    LabMark lab = LabMark.in(run.environment());
    if (run.study().repeats() > 1) {
      run.rungs().stream()
          .filter(RungRecord::valid)
          .forEach(rung -> valid.put(new At(rung.server(), rung.connections(), rung.repeat()), rung));
      Shown.IN_PAIRS.stream().filter(figure -> LabMark.mayClaim(lab, figure.claim())).forEach(this::compare);
    }
  }

  private void compare(Metric figure) {
    List<String> labels =
        run.servers().stream().filter(s -> s.role().equals("contender")).map(RunRecord.ServerRecord::label).toList();
    for (int i = 0; i < labels.size(); i++) {
      for (String second : labels.subList(i + 1, labels.size())) {
        if (run.study().alike(labels.get(i), second)) {
          for (int connections : run.study().rungs()) {
            compare(figure, labels.get(i), second, connections);
          }
        }
      }
    }
  }

  private void compare(Metric figure, String first, String second, int connections) {
    List<Double> ofFirst = new ArrayList<>();
    List<Double> ofSecond = new ArrayList<>();
    int without = 0;
    for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
      Double a = value(figure, new At(first, connections, repeat));
      Double b = value(figure, new At(second, connections, repeat));
      if (a != null && b != null) {
        ofFirst.add(a);
        ofSecond.add(b);
        without += a > 0 && b > 0 ? 0 : 1;
      }
    }
    if (!ofFirst.isEmpty()) {
      PairedRatio ratio = without == 0 ? PairedRatio.of(ofFirst, ofSecond) : null;
      all.add(new Row(figure, first, second, connections, ofFirst.size(), without, ratio));
    }
  }

  private @Nullable Double value(Metric figure, At at) {
    RungRecord rung = valid.get(at);
    return rung == null ? null : figure.value(rung);
  }

  /** Every pair at every rung, figure by figure. */
  List<Row> all() {
    return List.copyOf(all);
  }

  /**
   * Those for a reader: each pair that differs in its server or on one axis alone, at the highest rung where both have
   * enough valid repeats in common for an interval, else at the highest where they have any.
   */
  List<Row> shown() {
    return highest().stream().filter(row -> neighbours(row.first(), row.second())).toList();
  }

  /** How many pairs of servers differ in more, and stand in {@link PairsFile} alone. */
  long leftOut() {
    return highest().stream()
        .filter(row -> !neighbours(row.first(), row.second()))
        .map(row -> List.of(row.first(), row.second()))
        .distinct()
        .count();
  }

  private List<Row> highest() {
    return all.stream().collect(groupingBy(Row::pair, LinkedHashMap::new, toList())).values().stream()
        .map(rows -> rows.reversed().stream().filter(Row::enough).findFirst().orElse(rows.getLast()))
        .toList();
  }

  private boolean neighbours(String first, String second) {
    Study.Entry a = run.study().entry(first).orElseThrow();
    Study.Entry b = run.study().entry(second).orElseThrow();
    AxisPoint atA = a.point();
    AxisPoint atB = b.point();
    if (atA == null || atB == null) {
      return true;
    }
    // An axis that only one of them has belongs to its server.
    long axes =
        atA.values().entrySet().stream()
            .filter(on -> atB.values().containsKey(on.getKey()) && !on.getValue().equals(atB.values().get(on.getKey())))
            .count();
    return axes + (a.base().equals(b.base()) ? 0 : 1) == 1;
  }

  /**
   * What comes of servers that stand in the study twice, under two labels and otherwise the same (A/A): of how many
   * comparisons, one of each rung with enough pairs, how many show a difference where there is none.
   */
  List<String> withThemselves() {
    Map<String, List<Row>> twice = new LinkedHashMap<>();
    all.stream()
        .filter(row -> row.enough() && run.study().same(row.first(), row.second()))
        .forEach(row -> twice.computeIfAbsent(row.first() + " and " + row.second(), _ -> new ArrayList<>()).add(row));
    return twice.entrySet().stream()
        .map(pair -> "%s are the same server twice: %s.".formatted(pair.getKey(), counted(pair.getValue())))
        .toList();
  }

  private static String counted(List<Row> rows) {
    List<String> counts = new ArrayList<>();
    for (Metric figure : Shown.IN_PAIRS) {
      List<PairedRatio> ratios =
          rows.stream().filter(row -> row.figure().equals(figure) && row.ratio() != null).map(row -> row.ratio()).toList();
      long different = ratios.stream().filter(ratio -> ratio.finding() != Finding.NO_DIFFERENCE_SHOWN).count();
      if (!ratios.isEmpty()) {
        counts.add("of %s %d of %d comparisons show a difference".formatted(figure.label(), different, ratios.size()));
      }
    }
    return String.join(", ", counts);
  }

  Table table() {
    Table table =
        new Table().words("figure", "first", "second").figures("connections", "pairs", "ratio", "range", "interval").words("finding");
    shown().forEach(
        row ->
            table.row(
                row.figure().label(), row.first(), row.second(), Units.count(row.connections()), String.valueOf(row.pairs()),
                ratio(row), range(row), interval(row), finding(row)));
    return table;
  }

  static String ratio(Row row) {
    return row.ratio() == null ? Units.NONE : Units.ratio(row.ratio().ratio());
  }

  static String range(Row row) {
    PairedRatio ratio = row.ratio();
    return ratio == null || ratio.pairs() == 1 ? Units.NONE : Units.ratio(ratio.least()) + "–" + Units.ratio(ratio.most());
  }

  static String interval(Row row) {
    Interval interval = row.ratio() == null ? null : row.ratio().interval();
    return interval == null
        ? Units.NONE
        : "%s (%s)".formatted(Units.interval(interval), Units.percent(interval.confidence()));
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
