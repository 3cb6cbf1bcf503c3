package echoladder.harness.metric;

import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;

import echoladder.harness.lab.Quotable;
import java.util.List;

/** What the client measures of connections that act at once: the figures of {@link echoladder.client.figures.Crowd}. */
public final class CrowdMetrics {
  private static final Rows TIMES = Rows.of(Quotable.TIMES, LOWER);

  static {
    TIMES.with(Quotable.LIMITS, NEITHER)
        .loadIfKnown(
            "bursts",
            Words.of(
                "bursts",
                "bursts of the steady state, each event loop's part of one counted by itself; null without the schedule burst"),
            load -> load.crowd().bursts());
  }

  public static final Times BURST_SEND =
      Times.of(
          TIMES, "burst_send_time", "burst send", "Time to send a burst",
          "last send of a burst on a connection that was free − the burst's instant: the client's own time", false,
          load -> load.crowd().burstSend());

  public static final Times BURST_ANSWER =
      Times.of(
          TIMES, "burst_answer_time", "burst answer", "Time to answer a burst", "last answer to a burst − the burst's instant", false,
          load -> load.crowd().burstAnswer());

  public static final Times BURST_BACKLOG =
      Times.of(
          TIMES, "burst_backlog_time", "burst backlog", "Backlog of a burst",
          "last answer to a burst − its last send on a connection that was free: what was still owed when all of it was sent", false,
          load -> load.crowd().burstBacklog());

  private static final Rows COUNTS = TIMES.with(Quotable.FAILURE_MODES, NEITHER);
  private static final Rows FAILURES = TIMES.with(Quotable.FAILURE_MODES, LOWER);

  public static final Metric CHURNED =
      COUNTS.loadIfKnown(
          "churned",
          Words.of("churned", "connections that churn ended in the steady state and that another with a verified echo replaced"),
          load -> load.crowd().churned());

  static {
    FAILURES.loadIfKnown(
        "churn_failed",
        Words.of(
            "churn failed",
            "ends of churn in the steady state without a replacement: it failed, or no connection was open to be ended"),
        load -> load.crowd().churnFailed());
  }

  public static final Times RECONNECT =
      Times.of(
          TIMES, "reconnect_time", "reconnect", "Time to reconnect",
          "first verified echo of a connection opened anew − its intended end by churn, or its loss by a storm", false,
          load -> load.crowd().reconnect());

  static {
    COUNTS.loadIfKnown(
        "storm_lost", Words.of("lost by the storm", "connections that the restart of the server ended"),
        load -> load.crowd().storm().lost());
    COUNTS.loadIfKnown(
        "storm_back", Words.of("back from the storm", "of those, connections that had a verified echo again"),
        load -> load.crowd().storm().back());
    COUNTS.loadIfKnown("storm_tries", Words.of("tries in the storm", "connects of a storm"), load -> load.crowd().storm().tries());
  }

  public static final Metric STORM_REFUSED =
      FAILURES.loadIfKnown(
          "storm_refused", Words.of("refused in the storm", "connects of a storm answered with RST (ECONNREFUSED)"),
          load -> load.crowd().storm().refused());

  public static final Metric STORM_BROKEN =
      FAILURES.loadIfKnown(
          "storm_broken",
          Words.of("broken in the storm", "connects of a storm that the server ended before the first echo, by FIN or RST"),
          load -> load.crowd().storm().broken());

  public static final Metric STORM_TIMED_OUT =
      FAILURES.loadIfKnown(
          "storm_timed_out",
          Words.of("timed out in the storm", "connects of a storm without verified echo within the connect timeout"),
          load -> load.crowd().storm().timedOut());

  static {
    FAILURES.loadIfKnown(
        "storm_other_failures",
        Words.of("other failures of the storm", "connects of a storm that failed otherwise, as for want of a port"),
        load -> load.crowd().storm().otherFailures());
    TIMES.loadIfKnown(
        "storm_seconds",
        Words.of("length of the storm", "from the beginning of the storm, before the server's end, to the last verified echo"),
        load -> load.crowd().storm().seconds());
  }

  public static final Metric TLS_HANDSHAKES =
      COUNTS.loadIfKnown(
          "tls_handshakes",
          Words.of(
              "TLS handshakes", "completed handshakes of the whole load, those of churn and storms included; null without TLS"),
          load -> load.crowd().tls().handshakes());

  public static final Metric TLS_RESUMED =
      COUNTS.loadIfKnown(
          "tls_resumed",
          Words.of("TLS resumed", "TLS handshakes that resumed an earlier session, without certificate and signature; null without TLS"),
          load -> load.crowd().tls().resumed());

  private CrowdMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return TIMES.all();
  }
}
