package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.words.Legend;
import echoladder.harness.stats.DetectableRatio;
import echoladder.harness.stats.Finding;
import echoladder.harness.stats.Holm;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers in pairs as a reader sees them. A comparison of fewer than {@value PairedRatio#FEWEST_TO_CONFIRM} pairs is a screen; of
 * the others a difference stands that does so among all comparisons of the table, by {@link Holm}.
 */
public final class PairsTable {
  private final Pairs pairs;
  private final List<Pairs.Row> rows;
  private final Map<Pairs.Row, Double> adjusted = new HashMap<>();
  private final Map<Metric, Double> deviations = new HashMap<>();

  public PairsTable(Pairs pairs) {
    this.pairs = pairs;
    rows = pairs.shown();
    List<Pairs.Row> compared = rows.stream().filter(row -> interval(row) != null).toList();
    List<Double> p = Holm.adjusted(compared.stream().map(row -> Objects.requireNonNull(row.ratio()).p()).toList());
    for (int i = 0; i < compared.size(); i++) {
      adjusted.put(compared.get(i), p.get(i));
    }
    for (Metric figure : compared.stream().map(Pairs.Row::figure).distinct().toList()) {
      deviations.put(figure, DetectableRatio.deviation(ratios(compared.stream().filter(row -> row.figure().equals(figure)))));
    }
  }

  private static List<PairedRatio> ratios(Stream<Pairs.Row> rows) {
    return rows.map(row -> Objects.requireNonNull(row.ratio())).toList();
  }

  /** The p of a row among all of the table; null of one that is not in it or has no interval. */
  @Nullable Double adjusted(Pairs.Row row) {
    return adjusted.get(row);
  }

  /** The least ratio above 1 that a row's pairs find in 80 of 100 runs, by the spread of all rows of that figure; null as above. */
  @Nullable Double detectable(Pairs.Row row) {
    Double deviation = deviations.get(row.figure());
    return deviation == null || !adjusted.containsKey(row) ? null : (Double) DetectableRatio.of(row.pairs(), deviation);
  }

  Table table() {
    Table table =
        new Table()
            .words("figure", "first", "second")
            .figures("connections", "pairs", "ratio", "range", "interval", "can see")
            .words("finding");
    rows.forEach(
        row ->
            table.row(
                figure(row), row.first(), row.second(), connections(row), String.valueOf(row.pairs()), ratio(row),
                range(row), interval(row) == null ? Units.NONE : intervals(row), canSee(row), told(row)));
    return table;
  }

  private String figure(Pairs.Row row) {
    return row.figure().label() + Legend.sign(pairs.mark(row));
  }

  private static String connections(Pairs.Row row) {
    return row.pooled()
        ? "%s–%s, %d rungs".formatted(row.rungs().getFirst().load(), row.highest().load(), row.rungs().size())
        : row.highest().load();
  }

  /** With the estimate's name; where processes fall apart that of each group, with its pairs. */
  private String ratio(Pairs.Row row) {
    PairedRatio ratio = row.ratio();
    List<PairedRatio> groups = pairs.byGroup(row);
    if (!groups.isEmpty()) {
      return groups.stream().map(of -> "%s (%d)".formatted(Units.ratio(of.ratio()), of.pairs())).collect(Collectors.joining(", "));
    }
    return ratio == null ? Units.NONE : "%s (%s)".formatted(Units.ratio(ratio.ratio()), interval(row) == null ? "median" : "HL");
  }

  private static String range(Pairs.Row row) {
    PairedRatio ratio = row.ratio();
    return ratio == null || ratio.pairs() == 1 ? Units.NONE : Units.ratio(ratio.least()) + "–" + Units.ratio(ratio.most());
  }

  private static @Nullable Interval interval(Pairs.Row row) {
    return row.ratio() == null ? null : row.ratio().interval();
  }

  private String intervals(Pairs.Row row) {
    List<PairedRatio> groups = pairs.byGroup(row);
    return groups.isEmpty()
        ? told(Objects.requireNonNull(interval(row)))
        : groups.stream()
            .map(of -> of.interval() == null ? Units.NONE : Units.interval(of.interval()))
            .collect(Collectors.joining(", "));
  }

  private static String told(Interval interval) {
    return "%s (%s)".formatted(Units.interval(interval), Units.percent(interval.confidence()));
  }

  private String canSee(Pairs.Row row) {
    Double detectable = detectable(row);
    if (detectable == null) {
      return Units.NONE;
    }
    double percent = 100 * (detectable - 1);
    return percent < 100 ? String.format(Locale.ROOT, percent < 10 ? "%.1f %%" : "%.0f %%", percent) : Units.ratio(detectable) + "×";
  }

  private String told(Pairs.Row row) {
    return finding(row) + (pairs.byGroup(row).isEmpty() ? "" : "; in groups of processes");
  }

  /** What a row says by itself and among the others. */
  String finding(Pairs.Row row) {
    PairedRatio ratio = row.ratio();
    if (ratio == null) {
      return "no ratio: not above 0 in %d of %d".formatted(row.without(), row.pairs());
    }
    String alone =
        switch (ratio.finding()) {
          case LESS -> among(row, row.first() + " has less");
          case MORE -> among(row, row.first() + " has more");
          case NO_DIFFERENCE_SHOWN -> "no difference shown";
          case TOO_FEW -> "range only, fewer than %d pairs".formatted(PairedRatio.FEWEST_FOR_INTERVAL);
        };
    return row.rungsP() == null || row.pooled() ? alone : alone + "; another ratio at another rung (p %s)".formatted(p(row.rungsP()));
  }

  private String among(Pairs.Row row, String difference) {
    if (!Objects.requireNonNull(row.ratio()).confirms()) {
      return difference + ": screened, not confirmed";
    }
    double among = Objects.requireNonNull(adjusted.get(row));
    return difference + (Holm.stands(among) ? ": stands" : ": does not stand") + " (Holm's p %s)".formatted(p(among));
  }

  private static String p(double p) {
    return p < 0.001 ? "below 0.001" : String.format(Locale.ROOT, "%.2g", p);
  }

  /** What the findings of the table are worth, a paragraph each; none without comparisons that have an interval. */
  public List<String> worth() {
    List<String> worth = new ArrayList<>();
    List<PairedRatio> ratios = ratios(adjusted.keySet().stream());
    long screened = ratios.stream().filter(ratio -> !ratio.confirms()).count();
    if (screened > 0) {
      worth.add(
          ("**A screen:** %d of the %d comparisons with an interval have fewer than %d pairs. What they show is screened, not "
                  + "confirmed: of six pairs the least p is 0.031, which does not stand beside a second comparison. "
                  + "`--set repeats=%d`, with the `--servers` that a sentence needs, confirms or does not.")
              .formatted(screened, ratios.size(), PairedRatio.FEWEST_TO_CONFIRM, PairedRatio.FEWEST_TO_CONFIRM));
    }
    if (screened < ratios.size()) {
      worth.add(
          ("A difference of %d pairs or more stands where its p, by Holm's procedure over the %d comparisons with an interval, is "
                  + "at most 0.05. %d of %d stand. The chance of even one that does where there is none is 5 %% for the whole table.")
              .formatted(
                  PairedRatio.FEWEST_TO_CONFIRM, ratios.size(),
                  adjusted.entrySet().stream().filter(of -> stands(of.getKey(), of.getValue())).count(), ratios.size() - screened));
    }
    int fewest = ratios.stream().filter(PairedRatio::confirms).mapToInt(PairedRatio::pairs).min().orElse(Integer.MAX_VALUE);
    if (!Holm.canStand(fewest, ratios.size())) {
      worth.add(
          "**Too many comparisons:** among %d no difference of %d pairs can stand. `--servers` climbs those alone that a sentence needs."
              .formatted(ratios.size(), fewest));
    }
    if (!ratios.isEmpty()) {
      worth.add(
          ("HL: the Hodges-Lehmann estimate. Can see: the difference that so many pairs find in %.0f of 100 runs, one comparison "
                  + "looked at alone, by the spread of that figure in this table.")
              .formatted(100 * DetectableRatio.POWER));
    }
    if (rows.stream().anyMatch(row -> !pairs.byGroup(row).isEmpty())) {
      worth.add(
          "In groups of processes: the processes of one of the two fall apart, see the table of groups. The ratio stands for each group"
              + " with its number of pairs; one of all would be a ratio that few pairs have. The finding is of all pairs.");
    }
    if (rows.stream().anyMatch(Pairs.Row::pooled)) {
      worth.add(
          "Several rungs: the pairs of all of them, where the test of Kruskal and Wallis shows no other ratio at any of them. Each rung by "
              + "itself is in `pairs.csv`.");
    }
    return worth;
  }

  private static boolean stands(Pairs.Row row, double among) {
    PairedRatio ratio = Objects.requireNonNull(row.ratio());
    return ratio.confirms() && ratio.finding() != Finding.NO_DIFFERENCE_SHOWN && Holm.stands(among);
  }
}
