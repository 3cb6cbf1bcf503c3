package echoladder.harness.claims;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Unit;

/** A figure as a person reads it, by the unit that its name ends with. */
final class FigureText {
  private FigureText() {}

  static String of(String figure, double value) {
    if (figure.isEmpty()) {
      // Of a ratio near 1 percents are asked for, and bounds lie between them.
      return value < 2 ? "%.3f×".formatted(value) : Units.times(value);
    }
    return Unit.ofName(Rule.StepFigure.base(figure)).text(value);
  }
}
