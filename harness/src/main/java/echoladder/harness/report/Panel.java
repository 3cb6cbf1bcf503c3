package echoladder.harness.report;

import echoladder.harness.common.Units;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One figure over the connections or over an axis of the study, in lines: what a plot, its table and its description are
 * made of.
 *
 * @param id unique in a report
 * @param title what is shown
 * @param unit of its values
 * @param logarithmic whether values stand on a logarithmic axis; else it begins at 0
 */
public record Panel(String id, String title, Unit unit, boolean logarithmic, Across across, List<Line> lines) {
  public Panel {
    lines = List.copyOf(lines);
  }

  /** What values are in, and how a person reads them. */
  public enum Unit {
    TIME_NS,
    CPU_US,
    MULTIPLE,
    KIB,
    MIB,
    PER_S,
    NUMBER;

    /** That of a figure's plot. */
    public static Unit of(echoladder.harness.metric.Unit unit) {
      return switch (unit) {
        case NS -> TIME_NS;
        case US_PER_ECHO -> CPU_US;
        case MULTIPLE -> MULTIPLE;
        case BYTES_PER_CONNECTION, BYTES_PER_TASK, BYTES_PER_ECHO -> KIB;
        case BYTES -> MIB;
        case PER_S -> PER_S;
        case SECONDS, PER_ECHO, SHARE, COUNT -> NUMBER;
      };
    }

    /** A figure's value in this unit. */
    public double of(double value) {
      return switch (this) {
        case KIB -> value / 1024;
        case MIB -> value / (1 << 20);
        case TIME_NS, CPU_US, MULTIPLE, PER_S, NUMBER -> value;
      };
    }

    String text(double value) {
      return switch (this) {
        case TIME_NS -> Units.time(Math.round(value));
        case CPU_US -> Units.us(value);
        case MULTIPLE -> Units.times(value);
        case KIB -> Units.bytes((Double) (value * 1024));
        case MIB -> Units.bytes((Double) (value * (1 << 20)));
        case PER_S -> Units.count(Math.round(value)) + "/s";
        case NUMBER -> Units.count(Math.round(value));
      };
    }

    /** A value on an axis, without digits that say nothing: 200 µs, 5 ms, 1.5×. */
    String tick(double value) {
      return switch (this) {
        case TIME_NS ->
            value < 1e3
                ? Units.plain(value) + " ns"
                : value < 1e6
                    ? Units.plain(value / 1e3) + " µs"
                    : value < 1e9 ? Units.plain(value / 1e6) + " ms" : Units.plain(value / 1e9) + " s";
        case CPU_US -> Units.plain(value) + " µs";
        case MULTIPLE -> Units.plain(value) + "×";
        case KIB -> Units.plain(value) + " KiB";
        case MIB -> Units.plain(value) + " MiB";
        case PER_S -> Units.plain(value) + "/s";
        case NUMBER -> Units.plain(value);
      };
    }

    /** The name in data for scripts. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a panel's marks stand over.
   *
   * @param name of it
   * @param values of an axis of the study, which stand evenly spaced; none = counts, such as connections, on a logarithmic
   *     axis, or a time
   * @param overTime whether places are milliseconds, on a linear axis
   */
  public record Across(String name, List<String> values, boolean overTime) {
    static final Across CONNECTIONS = counts("connections");

    public Across {
      values = List.copyOf(values);
    }

    Across(String name, List<String> values) {
      this(name, values, false);
    }

    /** Counts of something, e.g. threads. */
    public static Across counts(String name) {
      return new Across(name, List.of());
    }

    /** The time since something began. */
    public static Across time() {
      return new Across("time", List.of(), true);
    }

    /** What a place is called. */
    String text(int place) {
      return overTime ? Units.plain(place / 1e3) + " s" : values.isEmpty() ? Units.count(place) : values.get(place);
    }

    /** With room at both ends, and with these places as ticks. */
    Axis axis(List<Integer> places) {
      return values.isEmpty() ? Axis.ofCounts(places) : Axis.ofPlaces(values.size());
    }

    /** What stands below it. */
    String label(boolean logarithmicUp) {
      return !values.isEmpty() ? name : logarithmicUp ? name + " (both axes logarithmic)" : name + " (logarithmic)";
    }
  }

  /**
   * One line.
   *
   * @param series its index among those of the run: a server's in the study, or one beyond them
   * @param marks by place, ascending; valid ones make the line
   */
  public record Line(int series, List<Mark> marks) {
    public Line {
      marks = List.copyOf(marks);
    }

    List<Mark> valid() {
      return marks.stream().filter(Mark::valid).toList();
    }
  }

  /**
   * One point: the median of the valid repeats of a rung, or a single invalid measurement.
   *
   * @param place across: connections, or the index of an axis's value
   * @param low the lowest of the repeats
   * @param high the highest of them
   * @param repeats that it is the median of
   * @param valid whether it may be quoted
   * @param atLeast whether it is a lower bound, as part of the messages was never answered
   */
  public record Mark(int place, double value, double low, double high, int repeats, boolean valid, boolean atLeast) {}

  /** The values of all marks. */
  public List<Double> values() {
    return lines.stream()
        .flatMap(l -> l.marks().stream())
        .flatMap(m -> Stream.of(m.value(), m.low(), m.high()))
        .toList();
  }

  /** Every connection count that has a mark, or every value of the axis, ascending. */
  List<Integer> places() {
    return across.values().isEmpty()
        ? lines.stream().flatMap(l -> l.marks().stream()).map(Mark::place).distinct().sorted().toList()
        : IntStream.range(0, across.values().size()).boxed().toList();
  }

  /**
   * In a sentence: each server at the highest rung for which it has a valid value; each line's least over an axis, and its
   * most over the time.
   */
  String description(List<Series> series) {
    Comparator<Mark> byValue = Comparator.comparingDouble(Mark::value);
    Comparator<Mark> last =
        across.overTime() ? byValue : across.values().isEmpty() ? Comparator.comparingInt(Mark::place) : byValue.reversed();
    String values =
        lines.stream()
            .filter(l -> !l.valid().isEmpty())
            .map(l -> series.get(l.series()).label() + " " + at(Collections.max(l.valid(), last)))
            .collect(Collectors.joining(", "));
    return title + ". " + (values.isEmpty() ? "No valid value." : which() + values + ".");
  }

  private String which() {
    if (across.overTime()) {
      return "The most of each: ";
    }
    if (across.equals(Across.CONNECTIONS)) {
      return "At the highest valid rung of each: ";
    }
    return across.values().isEmpty() ? "At the most %s of each: ".formatted(across.name()) : "The least of each: ";
  }

  private String at(Mark mark) {
    return unit.text(mark.value()) + " at " + across.text(mark.place());
  }
}
