package echoladder.harness.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One figure over the connections, a line for each server: what a plot, its table and its description are made of.
 *
 * @param id unique in a report
 * @param title what is shown
 * @param unit of its values
 * @param logarithmic whether values stand on a logarithmic axis, as connections always do; else the axis begins at 0
 */
record Panel(String id, String title, Unit unit, boolean logarithmic, List<Line> lines) {
  Panel {
    lines = List.copyOf(lines);
  }

  /** What values are in, and how a person reads them. */
  enum Unit {
    TIME_NS,
    CPU_US,
    MULTIPLE,
    BYTES;

    String text(double value) {
      return switch (this) {
        case TIME_NS -> Units.time(Math.round(value));
        case CPU_US -> Units.us(value);
        case MULTIPLE -> Units.times(value);
        case BYTES -> Units.bytes((Double) value);
      };
    }

    /** The name in data for scripts. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One server.
   *
   * @param server its index in the study
   * @param marks by connections, ascending; valid ones make the line
   */
  record Line(int server, List<Mark> marks) {
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
   * @param low the lowest of the repeats
   * @param high the highest of them
   * @param repeats that it is the median of
   * @param valid whether it may be quoted
   * @param atLeast whether it is a lower bound, as part of the messages was never answered
   */
  record Mark(int connections, double value, double low, double high, int repeats, boolean valid, boolean atLeast) {}

  /** The values of all marks. */
  List<Double> values() {
    return lines.stream()
        .flatMap(l -> l.marks().stream())
        .flatMap(m -> java.util.stream.Stream.of(m.value(), m.low(), m.high()))
        .toList();
  }

  /** Every connection count that has a mark, ascending. */
  List<Integer> connections() {
    return lines.stream().flatMap(l -> l.marks().stream()).map(Mark::connections).distinct().sorted().toList();
  }

  /** In a sentence: each server at the highest rung for which it has a valid value. */
  String description(List<String> labels) {
    String values =
        lines.stream()
            .filter(l -> !l.valid().isEmpty())
            .map(l -> labels.get(l.server()) + " " + at(l.valid().getLast()))
            .collect(Collectors.joining(", "));
    return title + ". " + (values.isEmpty() ? "No valid value." : "At the highest valid rung of each: " + values + ".");
  }

  private String at(Mark mark) {
    return unit.text(mark.value()) + " at " + Units.count(mark.connections());
  }
}
