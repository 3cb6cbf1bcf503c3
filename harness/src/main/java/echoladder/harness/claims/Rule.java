package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One condition of a claim; written before anything is measured, decided by the figures alone. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
  @JsonSubTypes.Type(Rule.Within.class),
  @JsonSubTypes.Type(Rule.Ascending.class),
  @JsonSubTypes.Type(Rule.Ends.class)
})
public sealed interface Rule {

  /** What it asks, in a line. */
  String text();

  /**
   * A figure of a step.
   *
   * @param step its name
   * @param figure a name in the line that a workload ends with, or one of a climb, there with the rung: {@code
   *     response_time_p99_ns_at_10000}
   */
  record StepFigure(String step, String figure) {
    private static final Pattern RUNG = Pattern.compile("_at_\\d+$");

    /** Reads {@code step.figure}. */
    static StepFigure parse(String text) {
      int dot = text.indexOf('.');
      return new StepFigure(text.substring(0, dot), text.substring(dot + 1));
    }

    /** Without the rung of a climb: it ends in its unit. */
    static String base(String figure) {
      return RUNG.matcher(figure).replaceFirst("");
    }

    /** Whether others on the host change it: times and rates, not memory and counts. */
    boolean needsQuiet() {
      return base(figure).endsWith("_ns") || base(figure).endsWith("_per_s");
    }

    @Override
    public String toString() {
      return step + "." + figure;
    }
  }

  /**
   * A figure, or its ratio to another, that decides nothing.
   *
   * @param over what it is divided by; null = itself is shown
   */
  record Shown(StepFigure take, @Nullable StepFigure over) {
    /** Reads {@code step.figure} or {@code step.figure / step.figure}. */
    static Shown parse(String text) {
      String[] parts = text.split(" / ", 2);
      return new Shown(StepFigure.parse(parts[0]), parts.length == 1 ? null : StepFigure.parse(parts[1]));
    }

    List<StepFigure> figures() {
      return over == null ? List.of(take) : List.of(take, over);
    }

    @Override
    public String toString() {
      return over == null ? take.toString() : take + " / " + over;
    }
  }

  /**
   * A figure, or its ratio to another, lies between two bounds.
   *
   * @param take the figure
   * @param over what it is divided by; null = itself is compared
   * @param least null where there is no lower bound
   * @param most null where there is no upper bound
   */
  record Within(StepFigure take, @Nullable StepFigure over, @Nullable Double least, @Nullable Double most) implements Rule {
    @Override
    public String text() {
      String what = over == null ? take.toString() : take + " / " + over;
      String unit = over == null ? take.figure() : "";
      return what
          + (least == null ? "" : " ≥ " + FigureText.of(unit, least))
          + (least == null || most == null ? "" : " and")
          + (most == null ? "" : " ≤ " + FigureText.of(unit, most));
    }
  }

  /** Each is above the one before. */
  record Ascending(List<StepFigure> figures) implements Rule {
    public Ascending {
      figures = List.copyOf(figures);
    }

    @Override
    public String text() {
      return String.join(" < ", figures.stream().map(StepFigure::toString).toList());
    }
  }

  /**
   * A step ends in one of some ways.
   *
   * @param step its name
   * @param ways values of ended_by
   * @param words what its detail must contain; null = anything
   */
  record Ends(String step, List<String> ways, @Nullable String words) implements Rule {
    public Ends {
      ways = List.copyOf(ways);
    }

    @Override
    public String text() {
      return step + " ends by " + String.join(" or ", ways) + (words == null ? "" : ", with \"" + words + "\"");
    }
  }
}
