package echoladder.harness.probe;

import java.util.Map;

/** The source of a rung's samples: the probes of this host or of others. Any thread. */
public interface Readings {
  /** The depth of a sample: how much it reads. */
  enum Depth {
    /** What is cheap enough for every second. */
    SECOND,
    /** With what only the borders of a phase are worth. */
    BORDER,
    /** With what would have disturbed the steady state, once that is over. */
    END
  }

  /**
   * Takes one now.
   *
   * @throws java.io.UncheckedIOException where another host that is asked is gone
   */
  Reading take(Depth depth);

  /** Failed accepts by reason, as the server's page had them the last time that it could be had. */
  Map<String, Long> acceptErrors();

  /** Where the server process changed between two samples, how that was seen; empty where it did not. */
  String restart();

  /** Why the server's metrics page could not be had the last time; empty where it could. */
  String metricsFailure();
}
