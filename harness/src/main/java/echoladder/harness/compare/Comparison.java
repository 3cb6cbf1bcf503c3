package echoladder.harness.compare;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.GroupRatio;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.Spread;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two runs as text: what differs around them, then the figures of their common rungs. Pure. */
public final class Comparison {
  private Comparison() {}

  /**
   * The comparison.
   *
   * @throws Refusal (bad usage) with every reason where they are not comparable
   */
  public static String of(RunRecord first, RunRecord second) {
    List<String> objections = Objections.to(first, second);
    if (!objections.isEmpty()) {
      throw Refusal.badUsage(
          "%s and %s cannot be compared: %s".formatted(first.runId(), second.runId(), String.join("; ", objections)));
    }
    List<String> unpaired = Unpaired.sentences(first, second);
    return "A  %s  %s, %s%nB  %s  %s, %s%n%n%s%n%s%n%n%s%s%n"
        .formatted(
            first.runId(), first.study().name(), first.startedAt(),
            second.runId(), second.study().name(), second.startedAt(),
            surroundings(first, second), figures(first, second),
            unpaired.isEmpty() ? "" : String.join("\n", unpaired) + "\n\n",
            "B / A: by repeats of each run, which nothing pairs: the Hodges-Lehmann estimate, with an interval (Mann-Whitney,\n"
                + "at least 95 %) from four repeats of each on. It covers what differs between repeats of one run; what else was"
                + " different between the\n"
                + "two, the time of day included, is in the ratio. Only valid repeats are compared.");
  }

  private static String surroundings(RunRecord first, RunRecord second) {
    List<Surroundings.Difference> differences = Surroundings.differences(first, second);
    if (differences.isEmpty()) {
      return "Nothing that was recorded differs around them: host, runtimes, settings, study and servers are alike.\n";
    }
    TextTable table = new TextTable().row(List.of("differs", "A", "B"));
    differences.forEach(d -> table.row(List.of(d.name(), d.first(), d.second())));
    return String.join("\n", table.lines()) + "\n";
  }

  private static String figures(RunRecord first, RunRecord second) {
    TextTable table = new TextTable().row(List.of("server", "connections", "figure", "A", "B", "B / A", "interval", "finding"));
    LabMark lab = LabMark.in(first.environment());
    List<Metric> figures =
        ServerTimes.in(first.rungs(), ServerTimes.in(second.rungs(), Shown.BETWEEN_RUNS)).stream()
            .filter(figure -> LabMark.mayClaim(lab, figure.claim()))
            .toList();
    ProcessGroups ofA = ProcessGroups.of(first);
    ProcessGroups ofB = ProcessGroups.of(second);
    for (CommonRung rung : CommonRung.of(first, second)) {
      for (Metric figure : figures) {
        List<Double> a = values(rung.first(), figure);
        List<Double> b = values(rung.second(), figure);
        if (!a.isEmpty() && !b.isEmpty()) {
          long without = Stream.concat(a.stream(), b.stream()).filter(value -> !(value > 0)).count();
          String groupsOfA = ofA.cell(figure, Map.of(first.runId(), rung.first().valid())).orElse("");
          String groupsOfB = ofB.cell(figure, Map.of(second.runId(), rung.second().valid())).orElse("");
          boolean apart = !groupsOfA.isEmpty() || !groupsOfB.isEmpty();
          GroupRatio ratio = without == 0 && !apart ? GroupRatio.of(a, b) : null;
          table.row(
              List.of(
                  rung.first().any().server(),
                  rung.first().any().key().load(),
                  figure.label(),
                  groupsOfA.isEmpty() ? figure.unit().range(Spread.of(a)) : groupsOfA,
                  groupsOfB.isEmpty() ? figure.unit().range(Spread.of(b)) : groupsOfB,
                  ratio == null ? Units.NONE : Units.ratio(ratio.ratio()),
                  interval(ratio == null ? null : ratio.interval()),
                  ratio == null ? none(apart, without, a.size() + b.size()) : finding(rung, ratio)));
        }
      }
    }
    return String.join("\n", table.lines());
  }

  private static String none(boolean apart, long without, int all) {
    return apart ? "no ratio: processes in two groups" : "no ratio: not above 0 in %d of %d".formatted(without, all);
  }

  private static List<Double> values(RungRepeats rung, Metric figure) {
    return rung.valid().stream().map(figure::value).filter(Objects::nonNull).toList();
  }

  private static String finding(CommonRung rung, GroupRatio ratio) {
    return switch (ratio.finding()) {
      case LESS -> "B has less";
      case MORE -> "B has more";
      case NO_DIFFERENCE_SHOWN -> "no difference shown";
      case TOO_FEW -> tooFew(rung, ratio);
    };
  }

  /** With their number, as the table does not show how many of a study's repeats are valid and have the figure. */
  static String tooFew(CommonRung rung, GroupRatio ratio) {
    int first = rung.first().rungs().size();
    int second = rung.second().rungs().size();
    return first == second
        ? "too few repeats: A %d, B %d valid of %d".formatted(ratio.first(), ratio.second(), first)
        : "too few repeats: A %d valid of %d, B %d of %d".formatted(ratio.first(), first, ratio.second(), second);
  }

  private static String interval(@Nullable Interval interval) {
    return interval == null ? Units.NONE : Units.interval(interval);
  }
}
