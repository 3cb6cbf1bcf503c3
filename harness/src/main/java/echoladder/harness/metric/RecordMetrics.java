package echoladder.harness.metric;

import echoladder.harness.lab.Quotable;
import java.util.List;
import java.util.Optional;

/** Figures of run.json that are no rung's: of a climb, of a search for the highest rate, of a host beside those that a rung has too. */
public final class RecordMetrics {
  private static final Rows TIMES = Rows.of(Quotable.TIMES, Better.LOWER);
  private static final Rows RATES = TIMES.with(Quotable.TIMES, Better.HIGHER);
  private static final Rows CLOCKS = TIMES.with(Quotable.TIMES, Better.NEITHER);

  public static final Metric CAPACITY_HELD =
      RATES.written(
          "capacity_held_per_s",
          Words.of("rate held", "of a search: the highest rate that was held, messages per second over all connections").brief("held"));

  public static final Metric CAPACITY_NOT_HELD =
      RATES.written(
          "capacity_not_held_per_s",
          Words.of("rate not held", "of a search: the lowest rate above it that was shown not to be held").brief("not held"));

  static {
    RATES.written("undecided_per_s", Words.of("rate undecided", "of a search: the rate between the two that could not be decided"));
  }

  /** Where several rungs had one server, of its only start. */
  public static final Metric READY =
      TIMES.written(
          "server_ready_ns",
          Words.of("time to ready", "in claims, from `process.ready_seconds`: from the start of the server to its ready line"));

  public static final Metric CEILING =
      RATES.written(
          "ceiling_per_s",
          Words.of("ceiling of the loop",
              "of users in stages: the most requests per second that they can ask for, with nothing to wait for but the server"));

  public static final Metric HIGHEST_VALID =
      TIMES.with(Quotable.LIMITS, Better.HIGHER)
          .written("highest_valid_connections",
              Words.of("highest valid rung", "of a climb: the most connections of a rung that was valid"));

  static {
    CLOCKS.written("clock_ahead_ns",
        Words.of("clock ahead", "of a host: its clock less that of the process that ran the study, before the rung"));
    CLOCKS.written("clock_uncertainty_ns",
        Words.of("clock uncertainty", "of a host: half of the shortest round trip by which that was measured"));
  }

  public static final Metric CLOCK_DRIFT =
      CLOCKS.written("clock_drift_ns", Words.of("clock drift", "of a host: by how much its clock gained during the rung"));

  private RecordMetrics() {}

  /** The row of that name; empty where a figure has none. */
  public static Optional<Metric> named(String name) {
    return all().stream().filter(row -> row.name().equals(name)).findFirst();
  }

  static List<Metric> all() {
    return TIMES.all();
  }
}
