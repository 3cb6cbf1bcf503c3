package echoladder.harness.compare;

import echoladder.harness.common.Nearest;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Unit;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.Study;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition that fails a run: {@code B/A server_cpu_us_per_echo > 1.05} of two of its servers, {@code B server_time_p99_ns > 2ms} of
 * one.
 *
 * @param text as it was given
 * @param label the server whose figure it is about
 * @param over the server by whose figure that one is divided, pair by pair; null = the figure itself is bounded
 * @param figure by its name in run.json
 * @param above whether values above the bound fail; else those below it
 * @param bound a ratio above 0, or a value in the figure's own unit
 */
public record Condition(String text, String label, @Nullable String over, Metric figure, boolean above, double bound) {
  /** What is documented of conditions, for people. */
  public static final String PAGE = "docs/regression-guard.md";

  private static final Pattern FORM =
      Pattern.compile("\\s*([^\\s/<>]+)(?:\\s*/\\s*([^\\s/<>]+))?\\s+(\\w+)\\s*([<>])\\s*(\\d{1,15}(?:\\.\\d{1,9})?)\\s*(\\S{0,8})\\s*");

  /**
   * The conditions of a study, checked against its servers before anything is started.
   *
   * @throws Refusal (bad usage) listing all that is wrong
   */
  public static List<Condition> of(Study study) {
    if (study.failIf().isEmpty()) {
      return List.of();
    }
    String why =
        study.capacity() != null ? "study '%s' searches for rates, and its figures belong to no common load".formatted(study.name())
            : study.repeats() < PairedRatio.FEWEST_FOR_INTERVAL
                ? "study '%s' has %d repeats, and an interval of 95 %% needs %d; give --set repeats=%d or more"
                    .formatted(study.name(), study.repeats(), PairedRatio.FEWEST_FOR_INTERVAL, PairedRatio.FEWEST_FOR_INTERVAL)
                : null;
    if (why != null) {
      throw Refusal.badUsage("--fail-if: a condition is judged by the interval of a figure over repeats; %s; see %s".formatted(why, PAGE));
    }
    List<String> labels = study.servers().stream().map(Study.Entry::label).toList();
    List<Condition> conditions = study.failIf().stream().map(text -> parse(text, labels)).toList();
    for (Condition condition : conditions) {
      if (condition.over != null && !study.alike(condition.label, condition.over)) {
        throw condition.refusal("%s and %s have other loads or settings in study '%s', so no pair of them compares"
            .formatted(condition.label, condition.over, study.name()));
      }
    }
    return conditions;
  }

  /**
   * A condition from its text.
   *
   * @param labels of the servers that there are
   * @throws Refusal (bad usage) where it has another form, or names a server, figure or unit that there is not
   */
  static Condition parse(String text, List<String> labels) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw refusal(text, "it is no condition: it has to be LABEL/LABEL FIGURE > RATIO or LABEL FIGURE > VALUE (or <), e.g. '%s/%s "
          .formatted(labels.getLast(), labels.getFirst()) + "server_cpu_us_per_echo > 1.05'");
    }
    String label = form.group(1);
    String over = form.group(2);
    for (String named : over == null ? List.of(label) : List.of(label, over)) {
      if (!labels.contains(named)) {
        throw refusal(text, "the run has no server '%s'; it has %s".formatted(named, String.join(", ", labels)));
      }
    }
    if (label.equals(over)) {
      throw refusal(text, "the ratio of '%s' to itself is 1; name two servers".formatted(label));
    }
    Metric figure = Catalogue.named(form.group(3)).orElseThrow(() -> refusal(text, noFigure(form.group(3))));
    return new Condition(text, label, over, figure, form.group(4).equals(">"), bound(text, figure, over != null, form));
  }

  private static String noFigure(String name) {
    List<String> known = Catalogue.ofRung().stream().map(Metric::name).toList();
    return "there is no figure '%s'; the nearest are %s; docs/METHOD.md lists all, as does the column figure of a run's results.csv"
        .formatted(name, String.join(", ", Nearest.to(name, known)));
  }

  private static double bound(String text, Metric figure, boolean ratio, Matcher form) {
    double number = Double.parseDouble(form.group(5));
    String unit = form.group(6);
    if (ratio) {
      if (!unit.isEmpty()) {
        throw refusal(text, "a ratio of two servers has no unit, and the bound has '%s'; 1.05 is 5 %% more".formatted(unit));
      }
      if (number == 0) {
        throw refusal(text, "no ratio is below 0, or above it for nothing; 1.05 is 5 % more, 0.95 is 5 % less");
      }
      return number;
    }
    Map<String, Double> units = units(figure.unit());
    Double factor = units.get(unit);
    if (factor == null) {
      String known = units.keySet().stream().filter(of -> !of.isEmpty()).sorted().collect(Collectors.joining(", "));
      throw refusal(
          text,
          known.isEmpty() ? "%s is a plain number, and the bound has the unit '%s'; leave the unit out".formatted(figure.name(), unit)
              : "the bound of %s needs a unit, one of %s, and has %s; e.g. '%s %s %s %s%s'".formatted(
                  figure.name(), known, unit.isEmpty() ? "none" : "'" + unit + "'", form.group(1), figure.name(), form.group(4),
                  form.group(5), known.replaceFirst(",.*", "")));
    }
    return number * factor;
  }

  /** What one of each unit is in the unit of a figure; the empty one = a number by itself. */
  private static Map<String, Double> units(Unit unit) {
    return switch (unit) {
      case NS -> Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9);
      case SECONDS -> Map.of("ms", 1e-3, "s", 1.0, "m", 60.0);
      case US_PER_ECHO, US_PER_DELIVERY -> Map.of("ns", 1e-3, "us", 1.0, "µs", 1.0, "ms", 1e3);
      case BYTES, BYTES_PER_ECHO, BYTES_PER_CONNECTION, BYTES_PER_TASK ->
          Map.of("B", 1.0, "KiB", 1024.0, "MiB", 1024.0 * 1024, "GiB", 1024.0 * 1024 * 1024);
      case PER_S -> Map.of("/s", 1.0);
      case BYTES_PER_S -> Map.of("B/s", 1.0, "KiB/s", 1024.0, "MiB/s", 1024.0 * 1024, "GiB/s", 1024.0 * 1024 * 1024);
      case SHARE -> Map.of("%", 0.01, "", 1.0);
      case PER_ECHO, MULTIPLE, COUNT -> Map.of("", 1.0);
    };
  }

  private Refusal refusal(String why) {
    return refusal(text, why);
  }

  private static Refusal refusal(String text, String why) {
    return Refusal.badUsage("--fail-if '%s': %s; see %s".formatted(text, why, PAGE));
  }

  /** What is bounded: {@code B/A server CPU per echo}. */
  String subject() {
    return label + (over == null ? "" : "/" + over) + " " + figure.label();
  }

  /** A value of what is bounded, for people. */
  String told(double value) {
    return over == null ? figure.unit().text(value) : Units.ratio(value);
  }

  /** The bound, for people. */
  String toldBound() {
    return over == null ? figure.unit().text(bound) : Units.plain(bound);
  }
}
