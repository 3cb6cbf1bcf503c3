package echoladder.harness.report.text;

import echoladder.client.ReasonCode;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.report.words.Legend;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** How noisy the host of a run was, and what that means for whoever reads the figures. */
public final class HostText {
  /** Below this share of its CPU nobody notices what others took. */
  private static final double QUIET = 0.01;

  private HostText() {}

  /** A line for above the table; empty of a run that does not tell the speed of its host. */
  public static String of(RunRecord run) {
    List<RungRecord> measured = run.rungs().stream().filter(rung -> rung.load() != null).toList();
    DoubleSummaryStatistics speed = values(measured, HostMetrics.HOST_SPEED);
    if (speed.getCount() == 0) {
      return "";
    }
    double steal = most(measured, HostMetrics.STEAL_SHARE);
    double foreign = most(measured, HostMetrics.FOREIGN_SHARE);
    double off = measured.stream().mapToDouble(rung -> Quoting.offSpeed(LoadMetrics.SERVER_CPU, rung)).max().orElse(0);
    boolean marked = measured.stream().anyMatch(rung -> Quoting.mark(LoadMetrics.SERVER_CPU, rung) == Quoting.Mark.DISTURBED);
    String seen =
        "the hypervisor took up to %s of its CPU, other programs up to %s, and its speed moved by up to %s"
            .formatted(percent(steal), percent(foreign), percent(off));
    if (!marked && steal < QUIET && foreign < QUIET) {
      return "The host was quiet: " + seen + ".";
    }
    long heldUp =
        measured.stream()
            .filter(rung -> rung.aside().stream().anyMatch(doubt -> doubt.reason() == ReasonCode.OFFERED_RATE_NOT_REACHED))
            .count();
    long spoilt = measured.stream().filter(rung -> !rung.valid() && noisy(rung) && rung.has(ReasonCode.LATE_SENDS)).count();
    return "The host was disturbed: " + seen + ". That touches CPU per echo"
        + (marked ? ", which has the mark %s or is not given in such a rung.".formatted(Legend.sign(Quoting.Mark.DISTURBED))
            : "; no rung had so much of it that the figure is marked.")
        + (heldUp == 0 ? "" : " It held the load up in %d of %d rungs.".formatted(heldUp, measured.size()))
        + " Connections, memory and limits are as ever."
        + (spoilt == 0 ? ""
            : " In %d of %d rungs messages were lost too; nobody can tell whose fault that was.".formatted(spoilt, measured.size()));
  }

  private static boolean noisy(RungRecord rung) {
    return rung.aside().stream().anyMatch(doubt -> doubt.reason() == ReasonCode.HOST_TOO_NOISY);
  }

  /** What the host's other work cost: the rungs without a CPU figure, in a line; empty = none. */
  public static String lost(RunRecord run) {
    List<RungRecord> measured = run.rungs().stream().filter(RungRecord::valid).toList();
    List<RungRecord> lost = measured.stream().filter(rung -> Quoting.withheld(LoadMetrics.SERVER_CPU, rung)).toList();
    return lost.isEmpty() ? ""
        : "CPU per echo is not given for %d of %d rungs, as the host's speed was over %.0f %% off: %s."
            .formatted(
                lost.size(), measured.size(), 100 * Quoting.SPEED_WITHHELD,
                lost.stream().map(rung -> RungText.where(run, rung)).collect(Collectors.joining(", ")));
  }

  private static double most(List<RungRecord> rungs, Metric figure) {
    DoubleSummaryStatistics all = values(rungs, figure);
    return all.getCount() == 0 ? 0 : all.getMax();
  }

  private static DoubleSummaryStatistics values(List<RungRecord> rungs, Metric figure) {
    return rungs.stream().map(figure::value).filter(Objects::nonNull).mapToDouble(Double::doubleValue).summaryStatistics();
  }

  private static String percent(double share) {
    return share < 0.0995 ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
