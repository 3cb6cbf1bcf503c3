package echoladder.harness.claims;

import echoladder.harness.report.Units;

/** A figure as a person reads it, by the unit that its name ends with. */
final class FigureText {
  private FigureText() {}

  static String of(String name, double value) {
    if (name.endsWith("_ns")) {
      return Units.time(Math.round(value));
    }
    if (name.endsWith("_bytes") || name.endsWith("_bytes_per_task")) {
      return Units.bytes((Double) value);
    }
    return name.isEmpty() ? Units.times(value) : value == Math.rint(value) ? Units.count((long) value) : "%.3g".formatted(value);
  }
}
