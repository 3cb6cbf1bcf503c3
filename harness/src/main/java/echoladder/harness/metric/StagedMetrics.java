package echoladder.harness.metric;

import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;

import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.lab.Quotable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Figures of one kind of requests of users in stages, for a stage or for all. */
public final class StagedMetrics {
  private static final Rows ERRORS = Rows.of(Quotable.FAILURE_MODES, LOWER);
  private static final Rows TIMES = ERRORS.with(Quotable.TIMES, LOWER);

  static {
    Rows done = ERRORS.with(Quotable.LIMITS, NEITHER);
    done.requests("intended", Words.of("intended", "due within the stage"), 0, RequestFigures::intended);
    done.requests("answered", Words.of("answered", "of those, rightly, late ones included"), 0, RequestFigures::answered);
  }

  public static final Metric ACHIEVED =
      ERRORS.with(Quotable.TIMES, Better.HIGHER)
          .requests(
              "achieved_per_s", Words.of("requests per s", "right answers that came within the stage's boundaries, per second"), 0,
              RequestFigures::achievedPerS);

  public static final Metric ALL_ERRORS =
      ERRORS.requests(
          "errors",
          Words.of("errors", "of those intended: late, wrong_status, wrong_body, failed and unanswered together"), 0,
          RequestFigures::errors);

  static {
    ERRORS.requests("late", Words.of("late", "answered rightly after the bound"), 0, RequestFigures::late);
    ERRORS.requests(
        "wrong_status", Words.of("wrong status", "answered with another status than 200"), 0, RequestFigures::wrongStatus);
    ERRORS.requests(
        "wrong_body", Words.of("wrong body", "answered with another body, or before their time"), 0, RequestFigures::wrongBody);
    ERRORS.requests("failed", Words.of("failed", "on a connection that had ended, or not understood"), 0, RequestFigures::failed);
    ERRORS.requests("unanswered", Words.of("unanswered", "at the end"), 0, RequestFigures::unanswered);
    times("response", "from the intended send; of a closed loop there is none", RequestFigures::responseTime);
  }

  /** Mean, p50, p95 and p99 of the service times, for claims. */
  public static final List<Metric> SERVICE = times("service", "from the actual send", RequestFigures::serviceTime);

  static {
    times(
        "server",
        "from the actual send to the arrival by the kernel's stamp, and the wait before it for an earlier answer; null where too few"
            + " answers had a stamp",
        requests -> Objects.requireNonNullElse(requests.serverTime(), StagedFigures.Times.NONE));
  }

  private StagedMetrics() {}

  /** A mean has every unanswered request in it, as the maximum has. */
  private static List<Metric> times(String label, String meaning, Function<RequestFigures, StagedFigures.Times> of) {
    time(label, "count", "recorded values, " + meaning, 0, of, StagedFigures.Times::count);
    List<Metric> claimed = new ArrayList<>();
    claimed.add(time(label, "mean_ns", meaning, 100, of, StagedFigures.Times::meanNs));
    claimed.add(time(label, "p50_ns", meaning, 50, of, StagedFigures.Times::p50Ns));
    time(label, "p90_ns", meaning, 90, of, StagedFigures.Times::p90Ns);
    claimed.add(time(label, "p95_ns", meaning, 95, of, StagedFigures.Times::p95Ns));
    claimed.add(time(label, "p99_ns", meaning, 99, of, StagedFigures.Times::p99Ns));
    time(label, "max_ns", meaning, 100, of, StagedFigures.Times::maxNs);
    return List.copyOf(claimed);
  }

  private static Metric time(
      String label,
      String end,
      String meaning,
      double percentile,
      Function<RequestFigures, StagedFigures.Times> of,
      Function<StagedFigures.Times, @Nullable Long> value) {
    return TIMES.requests(
        label + "_time_" + end, Words.of(label + " " + end.replace("_ns", ""), meaning), percentile,
        requests -> value.apply(of.apply(requests)));
  }

  /** By name. */
  public static List<Metric> all() {
    return ERRORS.all().stream().sorted(Comparator.comparing(Metric::name)).toList();
  }

  /** A value; null where there is none. */
  public static @Nullable Number of(Metric figure, RequestFigures requests) {
    return figure.source() instanceof Source.OfRequests of ? of.formula().apply(requests) : null;
  }
}
