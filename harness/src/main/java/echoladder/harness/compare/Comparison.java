package echoladder.harness.compare;

import echoladder.harness.common.Refusal;
import echoladder.harness.report.TextTable;
import echoladder.harness.lab.Claim;
import echoladder.harness.lab.LabMark;
import echoladder.harness.report.Units;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.GroupRatio;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two runs as text: what differs around them, then the figures of their common rungs. Pure. */
public final class Comparison {
  private record Figure(String name, Function<RungRecord, @Nullable Double> of, Function<Double, String> unit) {}

  private static final List<Figure> TIMES =
      List.of(
          new Figure("response p50", r -> ns(Objects.requireNonNull(r.load()).responseTime().p50Ns()), Comparison::time),
          new Figure("response p99", r -> ns(Objects.requireNonNull(r.load()).responseTime().p99Ns()), Comparison::time),
          new Figure("server CPU per echo", r -> Objects.requireNonNull(r.load()).serverCpuUsPerEcho(), Units::us));

  private static final List<Figure> BYTES =
      List.of(
          new Figure(
              "RSS per connection",
              r -> r.probes() == null ? null : r.probes().serverRssBytesPerConnection(),
              Units::bytes),
          new Figure(
              "live heap per connection",
              r -> r.probes() == null ? null : r.probes().serverLiveHeapBytesPerConnection(),
              Units::bytes));

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
            "B / A: by repeats of each run, which nothing pairs; with an interval (Mann-Whitney, at least 95 %) from four\n"
                + "repeats of each on. It covers what differs between repeats of one run; what else was different between the\n"
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
    // A lab's times and CPU are not to be quoted.
    List<Figure> figures = new ArrayList<>(LabMark.mayClaim(LabMark.in(first.environment()), Claim.TIMES) ? TIMES : List.of());
    figures.addAll(BYTES);
    for (CommonRung rung : CommonRung.of(first, second)) {
      for (Figure figure : figures) {
        List<Double> a = values(rung.first(), figure);
        List<Double> b = values(rung.second(), figure);
        if (!a.isEmpty() && !b.isEmpty()) {
          GroupRatio ratio = GroupRatio.of(a, b);
          table.row(
              List.of(
                  rung.first().any().server(),
                  Units.count(rung.first().any().connections()),
                  figure.name,
                  text(a, figure),
                  text(b, figure),
                  number(ratio.ratio()),
                  interval(ratio.interval()),
                  finding(ratio)));
        }
      }
    }
    return String.join("\n", table.lines());
  }

  private static List<Double> values(RungRepeats rung, Figure figure) {
    List<Double> values = new ArrayList<>();
    for (RungRecord repeat : rung.valid()) {
      Double value = figure.of.apply(repeat);
      if (value != null && value > 0) {
        values.add(value);
      }
    }
    return values;
  }

  private static String text(List<Double> values, Figure figure) {
    return Units.range(Spread.of(values), figure.unit);
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
    return interval == null ? Units.NONE : number(interval.low()) + "–" + number(interval.high());
  }

  private static String number(double ratio) {
    return String.format(Locale.ROOT, "%.3g", ratio);
  }

  private static @Nullable Double ns(@Nullable Long value) {
    return value == null ? null : (Double) value.doubleValue();
  }

  private static String time(double ns) {
    return Units.time(Math.round(ns));
  }
}
