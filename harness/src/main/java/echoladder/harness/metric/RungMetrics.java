package echoladder.harness.metric;

import echoladder.harness.lab.Quotable;
import java.util.List;

/** What was asked of a rung, and how long it took. */
final class RungMetrics {
  private static final Rows ROWS = Rows.of(Quotable.LIMITS, Better.NEITHER);

  static {
    ROWS.rung(
        "rate_per_s", Words.of("planned per s", "messages per second planned over all connections"), MeasuredRung::ratePerS);
    ROWS.rung("seconds", Words.of("duration", "from start to stop of the server"), MeasuredRung::seconds);
  }

  private RungMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return ROWS.all();
  }
}
