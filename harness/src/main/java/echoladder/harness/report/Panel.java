package echoladder.harness.report;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One figure over the connections or over an axis of the study, in lines: what a plot, its table and its description are
 * made of.
 *
 * @param id unique in a report
 * @param title what is shown
 * @param unit of its values
 * @param logarithmic whether values stand on a logarithmic axis; else it begins at 0
 */
record Panel(String id, String title, Unit unit, boolean logarithmic, Across across, List<Line> lines) {
  Panel {
    lines = List.copyOf(lines);
  }

  /** What values are in, and how a person reads them. */
  enum Unit {
    TIME_NS,
    CPU_US,
    MULTIPLE,
    KIB;

    String text(double value) {
      return switch (this) {
        case TIME_NS -> Units.time(Math.round(value));
        case CPU_US -> Units.us(value);
        case MULTIPLE -> Units.times(value);
        case KIB -> Units.bytes((Double) (value * 1024));
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
   * @param values of an axis of the study, which stand evenly spaced; none = connections, on a logarithmic axis
   */
  record Across(String name, List<String> values) {
    static final Across CONNECTIONS = new Across("connections", List.of());

    Across {
      values = List.copyOf(values);
    }

    /** What a place is called. */
    String text(int place) {
      return values.isEmpty() ? Units.count(place) : values.get(place);
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
  record Line(int series, List<Mark> marks) {
    Line {
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
  record Mark(int place, double value, double low, double high, int repeats, boolean valid, boolean atLeast) {}

  /** The values of all marks. */
  List<Double> values() {
    return lines.stream()
        .flatMap(l -> l.marks().stream())
        .flatMap(m -> java.util.stream.Stream.of(m.value(), m.low(), m.high()))
        .toList();
  }

  /** Every connection count that has a mark, or every value of the axis, ascending. */
  List<Integer> places() {
    return across.values().isEmpty()
        ? lines.stream().flatMap(l -> l.marks().stream()).map(Mark::place).distinct().sorted().toList()
        : IntStream.range(0, across.values().size()).boxed().toList();
  }

  /** In a sentence: each server at the highest rung for which it has a valid value; each line's least over an axis. */
  String description(List<Series> series) {
    Comparator<Mark> last =
        across.values().isEmpty() ? Comparator.comparingInt(Mark::place) : Comparator.comparingDouble(Mark::value).reversed();
    String values =
        lines.stream()
            .filter(l -> !l.valid().isEmpty())
            .map(l -> series.get(l.series()).label() + " " + at(Collections.max(l.valid(), last)))
            .collect(Collectors.joining(", "));
    String which = across.values().isEmpty() ? "At the highest valid rung of each: " : "The least of each: ";
    return title + ". " + (values.isEmpty() ? "No valid value." : which + values + ".");
  }

  private String at(Mark mark) {
    return unit.text(mark.value()) + " at " + across.text(mark.place());
  }
}
