package echoladder.harness.compare;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Finding;
import echoladder.harness.stats.GroupRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound on how much one figure of a second run may differ from the first: {@code server_cpu_us_per_echo > 1.10}.
 *
 * @param figure by its name in run.json
 * @param above whether ratios above the bound are too much; else those below it
 * @param bound of the ratio second / first, above 0
 */
public record Guard(Metric figure, boolean above, double bound) {
  private static final Pattern FORM = Pattern.compile("\\s*(\\w+)\\s*([<>])\\s*(\\d{1,9}(?:\\.\\d{1,9})?)\\s*");

  /**
   * From its text.
   *
   * @throws Refusal (bad usage) where it has another form, or names no figure of a rung
   */
  public static Guard parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || Double.parseDouble(matcher.group(3)) == 0) {
      throw Refusal.badUsage("--fail-if '" + text
          + "' is no bound; expected FIGURE > RATIO or FIGURE < RATIO, e.g. 'server_cpu_us_per_echo > 1.10'");
    }
    Metric figure =
        Catalogue.named(matcher.group(1))
            .orElseThrow(
                () -> Refusal.badUsage(
                    "--fail-if: there is no figure '%s'; docs/METHOD.md lists all, as does the column figure of results.csv"
                        .formatted(matcher.group(1))));
    return new Guard(figure, matcher.group(2).equals(">"), Double.parseDouble(matcher.group(3)));
  }

  /** What a comparison says of it: a line for each rung, and whether all of them keep within it. */
  public record Outcome(List<String> lines, boolean passed) {
    public Outcome {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Looks at every rung that both runs have. A rung fails where the estimate of the ratio is beyond the bound and the repeats show a
   * difference in that direction. A rung that cannot be told fails too, as does one that was valid in the first run and was climbed in
   * the second without being valid: a guard that sees nothing must not pass.
   */
  public Outcome look(RunRecord first, RunRecord second) {
    List<String> lines = new ArrayList<>();
    boolean passed = LabMark.mayClaim(LabMark.in(first.environment()), figure.claim());
    if (!passed) {
      lines.add("fail-if: the runs were made in a lab, where " + figure.name() + " is not quoted");
    }
    List<CommonRung> rungs = CommonRung.of(first, second);
    if (rungs.isEmpty()) {
      lines.add("fail-if: cannot be told: no rung is valid in both runs");
      passed = false;
    }
    for (CommonRung rung : rungs) {
      List<Double> a = values(rung.first());
      List<Double> b = values(rung.second());
      boolean compares = !a.isEmpty() && !b.isEmpty() && a.stream().allMatch(v -> v > 0) && b.stream().allMatch(v -> v > 0);
      GroupRatio ratio = compares ? GroupRatio.of(a, b) : null;
      String name = "fail-if: %s  %s  %s: ".formatted(rung.first().any().server(), rung.first().any().key().load(), figure.label());
      if (ratio == null || ratio.interval() == null) {
        lines.add(name + (ratio == null ? "cannot be told: no value above 0 in both runs"
            : "cannot be told: %s; four of each run at least".formatted(Comparison.tooFew(rung, ratio))));
        passed = false;
        continue;
      }
      boolean beyond = above ? ratio.ratio() > bound && ratio.finding() == Finding.MORE : ratio.ratio() < bound
          && ratio.finding() == Finding.LESS;
      passed &= !beyond;
      lines.add(
          "%s%s (%s), %s %s %s".formatted(
              name, Units.ratio(ratio.ratio()), Units.interval(Objects.requireNonNull(ratio.interval())), beyond ? "FAILS:" : "passes: not",
              above ? ">" : "<", Units.plain(bound)));
    }
    for (RungKey key : Unpaired.lost(first, second)) {
      lines.add("fail-if: %s: cannot be told: it is valid in the first run, and not in the second".formatted(Unpaired.text(key)));
      passed = false;
    }
    return new Outcome(lines, passed);
  }

  private List<Double> values(RungRepeats rung) {
    return rung.valid().stream().map(figure::value).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }
}
