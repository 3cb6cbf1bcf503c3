package echoladder.harness.report.table;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.compare.ServerPairs;
import echoladder.harness.compare.ValidRungs;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Finding;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.stats.PooledRatio;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Contenders in pairs: the ratio of a figure between two of them in the same repeat of the same rung. */
public final class Pairs {
  private final RunRecord run;
  private final ServerPairs servers;
  private final ValidRungs valid;
  private final ProcessGroups groups;
  private final List<Row> all = new ArrayList<>();
  private final Map<Pair, PooledRatio> overRungs = new HashMap<>();

  private record Pair(Metric figure, String first, String second) {}

  /**
   * One figure of two servers, at one rung or over several.
   *
   * @param figure what is compared
   * @param first its label
   * @param second its label
   * @param rungs the first one's, each of its first repeat, ascending; more than one = the pairs of all of these together
   * @param pairs repeats that both have it of, one at least
   * @param without of those, in which it is not above 0 for both
   * @param ratio first to second; null where there is none in each pair
   * @param rungsP the chance of ratios as different between the rungs where they have one; null where that was not asked
   */
  record Row(
      Metric figure, String first, String second, List<RungKey> rungs, int pairs, int without, @Nullable PairedRatio ratio,
      @Nullable Double rungsP) {
    /** The highest of its rungs. */
    RungKey highest() {
      return rungs.getLast();
    }

    boolean pooled() {
      return rungs.size() > 1;
    }

    private Pair pair() {
      return new Pair(figure, first, second);
    }

    private boolean enough() {
      return pairs >= PairedRatio.FEWEST_FOR_INTERVAL;
    }

    private Row besides(PooledRatio overRungs) {
      return new Row(figure, first, second, rungs, pairs, without, ratio, overRungs.p());
    }
  }

  /** Pairs of a run; none without repeats, nor of what it may not be quoted for. */
  public Pairs(RunRecord run) {
    this.run = run;
    this.valid = new ValidRungs(run);
    this.servers = new ServerPairs(run);
    this.groups = ProcessGroups.of(run);
    if (run.study().repeats() > 1) {
      LabMark lab = LabMark.in(run.environment());
      ServerTimes.in(run.rungs(), figures(run.study())).stream()
          .filter(figure -> LabMark.mayClaim(lab, figure.claim()) || valid.ofNetwork(figure))
          .forEach(this::compare);
    }
  }

  private static List<Metric> figures(Study study) {
    if (study.tuned().isEmpty()) {
      return Shown.IN_PAIRS;
    }
    return study.phases().acceptStallNs() > 0 ? Shown.OF_CONNECTING : study.networked() ? Shown.OF_KNOBS_OVER_NETWORK : Shown.OF_KNOBS;
  }

  private void compare(Metric figure) {
    servers.in(figure).forEach(of -> compare(new Pair(figure, of.first(), of.second())));
  }

  private void compare(Pair pair) {
    List<PooledRatio.OfRung> rungs = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    for (RungKey at : valid.rungs(pair.first())) {
      ValidRungs.Paired values = valid.pairs(pair.figure(), at, pair.second());
      int pairs = values.first().size();
      if (pairs > 0) {
        PairedRatio ratio = values.without() == 0 ? PairedRatio.of(values.first(), values.second()) : null;
        rows.add(new Row(pair.figure(), pair.first(), pair.second(), List.of(at), pairs, values.without(), ratio, null));
        rungs.add(new PooledRatio.OfRung(values.first(), values.second()));
      }
    }
    PooledRatio pooled = rows.stream().allMatch(row -> row.ratio() != null) ? PooledRatio.of(rungs) : null;
    if (pooled == null) {
      all.addAll(rows);
    } else {
      overRungs.put(pair, pooled);
      rows.forEach(row -> all.add(row.besides(pooled)));
    }
  }

  /** The groups that the processes of the run fall apart in. */
  public ProcessGroups groups() {
    return groups;
  }

  /** The greatest part of a figure in these pairs that is not the server's work, 0 to 1: see {@link Quoting#share}. */
  double notTheServers(Row row) {
    return measured(row).mapToDouble(rung -> Quoting.share(row.figure(), rung)).max().orElse(0);
  }

  /** Why a figure of these pairs is marked. */
  Quoting.Mark mark(Row row) {
    return measured(row).map(rung -> Quoting.mark(row.figure(), rung)).filter(mark -> mark != Quoting.Mark.NONE).findFirst()
        .orElse(Quoting.Mark.NONE);
  }

  /**
   * The ratios of a row by the groups that its processes are of, ascending: where the processes of one of the two fall apart in that
   * figure, the ratio of all pairs is one that few of them have. None where they do not.
   */
  List<PairedRatio> byGroup(Row row) {
    Map<List<@Nullable Boolean>, PooledRatio.OfRung> parts = new HashMap<>();
    for (RungKey at : row.ratio() == null ? List.<RungKey>of() : row.rungs()) {
      for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
        RungKey ours = at.repeat(repeat);
        RungKey theirs = ours.of(row.second());
        Double first = valid.value(row.figure(), ours);
        Double second = valid.value(row.figure(), theirs);
        if (first != null && second != null) {
          List<@Nullable Boolean> of =
              Arrays.asList(groups.high(row.figure(), run.runId(), ours), groups.high(row.figure(), run.runId(), theirs));
          parts.merge(of, new PooledRatio.OfRung(List.of(first), List.of(second)), Pairs::together);
        }
      }
    }
    return parts.size() < 2
        ? List.of()
        : parts.values().stream()
            .map(part -> PairedRatio.of(part.first(), part.second()))
            .sorted(Comparator.comparingDouble(PairedRatio::ratio))
            .toList();
  }

  private static PooledRatio.OfRung together(PooledRatio.OfRung one, PooledRatio.OfRung other) {
    return new PooledRatio.OfRung(
        Stream.concat(one.first().stream(), other.first().stream()).toList(),
        Stream.concat(one.second().stream(), other.second().stream()).toList());
  }

  private Stream<RungRecord> measured(Row row) {
    return valid.all()
        .filter(rung -> row.rungs().contains(rung.key().of(row.first()).repeat(1)))
        .filter(rung -> rung.server().equals(row.first()) || rung.server().equals(row.second()));
  }

  /** Every pair at every rung, figure by figure. */
  public List<Row> all() {
    return List.copyOf(all);
  }

  /** Those of all rungs together, where the ratio is not shown to be another one at some rung. */
  List<Row> pooled() {
    return byPair().stream().map(this::pooled).filter(Objects::nonNull).toList();
  }

  /**
   * Those for a reader: each pair that differs in its server or on one axis alone, over all rungs where these have one ratio, else
   * at the highest rung where both have enough valid repeats in common for an interval, else at the highest where they have any.
   */
  List<Row> shown() {
    return byPair().stream()
        .filter(rows -> servers.neighbours(rows.getFirst().first(), rows.getFirst().second()))
        .map(
            rows ->
                Objects.requireNonNullElseGet(
                    pooled(rows), () -> rows.reversed().stream().filter(Row::enough).findFirst().orElse(rows.getLast())))
        .toList();
  }

  /** How many pairs of servers differ in more, and stand in {@link PairsFile} alone. */
  public long leftOut() {
    return all.stream()
        .filter(row -> !servers.neighbours(row.first(), row.second()))
        .map(row -> List.of(row.first(), row.second()))
        .distinct()
        .count();
  }

  private Collection<List<Row>> byPair() {
    return all.stream().collect(groupingBy(Row::pair, LinkedHashMap::new, toList())).values();
  }

  /** One row for all rungs of a pair, from the rows of each rung; null where there is none over all of them. */
  private @Nullable Row pooled(List<Row> rows) {
    Pair pair = rows.getFirst().pair();
    PooledRatio pooled = overRungs.get(pair);
    return pooled == null || pooled.differsOverRungs()
        ? null
        : new Row(
            pair.figure(), pair.first(), pair.second(), rows.stream().map(Row::highest).toList(), pooled.ratio().pairs(), 0,
            pooled.ratio(), pooled.p());
  }

  /**
   * What comes of servers that stand in the study twice, under two labels and otherwise the same (A/A): of how many
   * comparisons, one of each rung with enough pairs, how many show a difference where there is none.
   */
  public List<String> withThemselves() {
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
    for (Metric figure : rows.stream().map(Row::figure).distinct().toList()) {
      List<PairedRatio> ratios =
          rows.stream().filter(row -> row.figure().equals(figure) && row.ratio() != null).map(row -> row.ratio()).toList();
      long different = ratios.stream().filter(ratio -> ratio.finding() != Finding.NO_DIFFERENCE_SHOWN).count();
      if (!ratios.isEmpty()) {
        counts.add("of %s %d of %d comparisons show a difference".formatted(figure.label(), different, ratios.size()));
      }
    }
    return String.join(", ", counts);
  }
}
