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
    return "A  %s  %s, %s%nB  %s  %s, %s%n%n%s%n%s%n%n%s%n"
        .formatted(
            first.runId(), first.study().name(), first.startedAt(),
            second.runId(), second.study().name(), second.startedAt(),
            surroundings(first, second), figures(first, second),
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
    for (CommonRung rung : CommonRung.of(first, second)) {
      for (Metric figure : figures) {
        List<Double> a = values(rung.first(), figure);
        List<Double> b = values(rung.second(), figure);
        if (!a.isEmpty() && !b.isEmpty()) {
          long without = Stream.concat(a.stream(), b.stream()).filter(value -> !(value > 0)).count();
          GroupRatio ratio = without == 0 ? GroupRatio.of(a, b) : null;
          table.row(
              List.of(
                  rung.first().any().server(),
                  rung.first().any().key().load(),
                  figure.label(),
                  Units.range(Spread.of(a), figure.unit()::text),
                  Units.range(Spread.of(b), figure.unit()::text),
                  ratio == null ? Units.NONE : Units.ratio(ratio.ratio()),
                  interval(ratio == null ? null : ratio.interval()),
                  ratio == null
                      ? "no ratio: not above 0 in %d of %d".formatted(without, a.size() + b.size())
                      : finding(ratio)));
        }
      }
    }
    return String.join("\n", table.lines());
  }

  private static List<Double> values(RungRepeats rung, Metric figure) {
    return rung.valid().stream().map(figure::value).filter(Objects::nonNull).toList();
  }

  private static String finding(GroupRatio ratio) {
    return switch (ratio.finding()) {
      case LESS -> "B has less";
      case MORE -> "B has more";
      case NO_DIFFERENCE_SHOWN -> "no difference shown";
      case TOO_FEW -> "too few repeats";
    };
  }

  private static String interval(@Nullable Interval interval) {
    return interval == null ? Units.NONE : Units.interval(interval);
  }
}
