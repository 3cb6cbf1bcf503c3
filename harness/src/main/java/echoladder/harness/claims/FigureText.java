package echoladder.harness.claims;

import echoladder.harness.common.Units;

/** A figure as a person reads it, by the unit that its name ends with. */
final class FigureText {
  private FigureText() {}

  static String of(String figure, double value) {
    String name = Rule.Figure.base(figure);
    if (name.endsWith("_ns")) {
      return Units.time(Math.round(value));
    }
    if (name.endsWith("_bytes") || name.contains("_bytes_per_")) {
      return Units.bytes((Double) value);
    }
    if (name.contains("_us_per_")) {
      return Units.us(value);
    }
    if (name.endsWith("_per_s")) {
      return Units.count(Math.round(value)) + "/s";
    }
    if (name.isEmpty()) {
      // Of a ratio near 1 percents are asked for, and bounds lie between them.
      return value < 2 ? "%.3f×".formatted(value) : Units.times(value);
    }
    return value == Math.rint(value) || value >= 1000 ? Units.count(Math.round(value)) : "%.3g".formatted(value);
  }
}
