package echoladder.harness.metric;

import static echoladder.harness.metric.Better.LOWER;

import echoladder.harness.lab.Quotable;
import java.util.List;

/** What the harness measures of a restart of the server: see {@link StormReading}. */
public final class StormMetrics {
  private static final Rows TIMES = Rows.of(Quotable.TIMES, LOWER);

  public static final Metric DOWN =
      TIMES.probed(
          "storm_down_seconds",
          Words.of("server down", "from the end of the server by SIGKILL to the ready line of the one started in its place"),
          r -> r.storm() == null ? null : r.storm().downSeconds());

  public static final Metric RECOVERY =
      TIMES.probed(
          "storm_recovery_seconds",
          Words.of("recovery", "from the ready line of the restarted server to the last verified echo: until all connections were back"),
          r -> r.storm() == null ? null : r.storm().recoverySeconds(r.load().crowd().storm().seconds()));

  public static final Metric PEAK_RSS =
      TIMES.with(Quotable.MEMORY, LOWER)
          .probed(
              "storm_server_peak_rss_bytes",
              Words.of("peak RSS after restart", "most RSS of the restarted server until all connections were back (VmHWM)"),
              r -> r.storm() == null ? null : r.storm().peakRssBytes());

  private StormMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return TIMES.all();
  }
}
