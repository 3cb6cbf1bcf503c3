package echoladder.harness.report.plot;

import echoladder.client.Verdict;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.table.Table;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One figure over the connections or over an axis of the study, in lines: what a plot, its table and its description are
 * made of.
 *
 * @param title what is shown
 * @param unit of its values
 * @param logarithmic whether values stand on a logarithmic scale; else it begins at 0
 */
public record Panel(String title, Unit unit, boolean logarithmic, Across across, List<Line> lines) {
  public Panel {
    lines = List.copyOf(lines);
  }

  /** How a line is drawn. */
  public enum Style {
    /** A mark at each place, with its range; a line joins the valid ones. */
    MARKS,
    /** A line alone. */
    CURVE,
    DASHED
  }

  /**
   * One line.
   *
   * @param series its index among those of the run: a server's in the study, or one beyond them
   * @param note what is added to its name
   * @param marks by place, ascending; valid ones make the line
   */
  public record Line(int series, String note, Style style, List<Mark> marks) {
    public Line {
      marks = List.copyOf(marks);
    }

    /** A line of marks. */
    public Line(int series, List<Mark> marks) {
      this(series, "", Style.MARKS, marks);
    }

    List<Mark> valid() {
      return marks.stream().filter(Mark::valid).toList();
    }

    String name(List<Series> of) {
      return of.get(series).label() + note;
    }
  }

  /**
   * One point: the median of the valid repeats of a rung, or a single measurement that is not valid.
   *
   * @param place across: connections, or the index of an axis's value
   * @param low the lowest of the repeats
   * @param high the highest of them
   * @param repeats that it is the median of
   * @param verdict whether it may be quoted; of a saturated rung without a value of its own the line ends here, at the height
   *     of the last that has one
   * @param atLeast whether it is a lower bound, as part of the messages was never answered
   */
  public record Mark(int place, double value, double low, double high, int repeats, Verdict verdict, boolean atLeast) {
    /** A single measurement, valid or not. */
    Mark(int place, double value, boolean valid, boolean atLeast) {
      this(place, value, valid ? Verdict.VALID : Verdict.INVALID, atLeast);
    }

    /** A single measurement with what it is worth. */
    Mark(int place, double value, Verdict verdict, boolean atLeast) {
      this(place, value, value, value, 1, verdict, atLeast);
    }

    boolean valid() {
      return verdict == Verdict.VALID;
    }

    /** Where a line ends because the load could not be carried: there is no value. */
    static Mark end(int place, double height) {
      return new Mark(place, height, height, height, 0, Verdict.SATURATED, false);
    }

    boolean ends() {
      return repeats == 0;
    }

    /** The median of valid repeats, with their range. */
    public static Mark of(int place, Spread repeats) {
      return new Mark(place, repeats.median(), repeats.least(), repeats.most(), repeats.count(), Verdict.VALID, false);
    }
  }

  /** The scale of the values. */
  Scale up() {
    return Scale.of(logarithmic, values().stream().map(value -> value / divisor()).toList());
  }

  /** How much of the unit one is on that scale: memory stands in KiB or MiB there, or its ticks would be odd. */
  int divisor() {
    return switch (unit) {
      case BYTES_PER_CONNECTION, BYTES_PER_TASK, BYTES_PER_ECHO, BYTES_PER_S -> 1024;
      case BYTES -> 1 << 20;
      default -> 1;
    };
  }

  /** A value on that scale, without digits that say nothing: 200 µs, 5 ms, 1.5×. */
  String tick(double value) {
    return switch (unit) {
      case NS -> value < 1e3 ? Units.plain(value) + " ns" : us(value / 1e3);
      case US_PER_ECHO, US_PER_DELIVERY -> us(value);
      case MULTIPLE -> Units.plain(value) + "×";
      case BYTES_PER_CONNECTION, BYTES_PER_TASK, BYTES_PER_ECHO -> Units.plain(value) + " KiB";
      case BYTES -> Units.plain(value) + " MiB";
      case BYTES_PER_S -> Units.plain(value) + " KiB/s";
      case PER_S -> Units.plain(value) + "/s";
      case SECONDS, PER_ECHO, SHARE, COUNT -> Units.plain(value);
    };
  }

  private static String us(double us) {
    return us < 1e3 ? Units.plain(us) + " µs" : us < 1e6 ? Units.plain(us / 1e3) + " ms" : Units.plain(us / 1e6) + " s";
  }

  /** The values of all marks. */
  public List<Double> values() {
    return lines.stream()
        .flatMap(l -> l.marks().stream())
        .flatMap(m -> Stream.of(m.value(), m.low(), m.high()))
        .toList();
  }

  /** Every connection count that has a mark, or every value of the axis, ascending. */
  List<Integer> places() {
    return across.kind() == Across.Kind.VALUES
        ? IntStream.range(0, across.values().size()).boxed().toList()
        : lines.stream().flatMap(l -> l.marks().stream()).map(Mark::place).distinct().sorted().toList();
  }

  /** The values as a table: a row for each place, a column for each line. */
  Table table(List<Series> series) {
    Table table = new Table().figures(across.name()).figures(lines.stream().map(line -> line.name(series)).toList());
    for (int place : places()) {
      List<String> cells = new ArrayList<>(List.of(across.text(place)));
      for (Line line : lines) {
        String at = line.marks().stream().filter(m -> m.place() == place).map(this::text).collect(Collectors.joining("; "));
        cells.add(at.isEmpty() ? Units.NONE : at);
      }
      table.row(cells);
    }
    return table;
  }

  /** A mark's value in words. */
  String text(Mark mark) {
    if (mark.ends()) {
      return "saturated";
    }
    String spread = mark.repeats() > 1 ? " (%s to %s)".formatted(unit.signed(mark.low()), unit.signed(mark.high())) : "";
    String doubt = mark.valid() ? "" : across.kind() == Across.Kind.PERCENTILES ? " (few)" : mark.verdict().note();
    return (mark.atLeast() ? "≥ " : "") + unit.text(mark.value()) + spread + doubt;
  }

  /**
   * In a sentence: each server at the highest rung for which it has a valid value; each line's least over an axis, its most over
   * the time, and its p99.
   */
  String description(List<Series> series) {
    String values =
        lines.stream()
            .filter(l -> l.style() != Style.DASHED)
            .flatMap(l -> l.valid().stream().filter(this::told).max(order()).map(m -> l.name(series) + " " + at(m)).stream())
            .collect(Collectors.joining(", "));
    return title + ". " + (values.isEmpty() ? "No valid value." : which() + values + ".");
  }

  private boolean told(Mark mark) {
    return switch (across.kind()) {
      case PERCENTILES -> mark.place() <= 2 * Spectrum.PER_DECADE;
      // The other way round it is the same point.
      case TIMES -> mark.value() >= 0.01;
      default -> true;
    };
  }

  /** What comes last is told. */
  private Comparator<Mark> order() {
    Comparator<Mark> byValue = Comparator.comparingDouble(Mark::value);
    return switch (across.kind()) {
      case COUNTS, PERCENTILES, TIMES -> Comparator.comparingInt(Mark::place);
      case VALUES -> byValue.reversed();
      case TIME -> byValue;
    };
  }

  private String which() {
    return switch (across.kind()) {
      case COUNTS ->
          across.equals(Across.CONNECTIONS)
              ? "At the highest valid rung of each: "
              : "At the most %s of each: ".formatted(across.name());
      case VALUES -> "The least of each: ";
      case TIME -> "The most of each: ";
      case PERCENTILES, TIMES -> "";
    };
  }

  private String at(Mark mark) {
    return unit.text(mark.value()) + " at " + across.text(mark.place());
  }
}
