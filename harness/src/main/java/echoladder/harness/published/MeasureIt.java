package echoladder.harness.published;

/**
 * The commands that measure what no published run has. They name the servers by {@code --set servers}, so that a study need not have
 * them.
 */
final class MeasureIt {
  /** A study climbs no further (docs/study.schema.json). */
  static final long MOST_CONNECTIONS = 5_000_000;

  /** A study offers no higher rate. */
  static final double MOST_PER_S = 10_000_000;

  private MeasureIt() {}

  /** The memory of a server. */
  static String memory(String server, long connections) {
    return connections > MOST_CONNECTIONS
        ? "no study climbs beyond 5,000,000"
        : "./ladder run memory --set 'servers=[%s]' --set 'rungs=[%d]'".formatted(server, connections);
  }

  /** The CPU of a server, beside the floor of its protocol, at the rate and at half of it: rates are measured in twos at least. */
  static String cpu(SizeText.Asked asked, long connections, double ratePerS) {
    if (connections > MOST_CONNECTIONS || ratePerS > MOST_PER_S) {
      return "no study goes beyond 5,000,000 connections or 10,000,000/s";
    }
    String floor = asked.floor();
    // Several rates are whole ones.
    long high = Math.max(2, (long) Math.ceil(ratePerS));
    return "./ladder run load-surface --set 'servers=[%s]' --set 'rungs=[%d]' --set 'load.rate.totals=[%d/s, %d/s]'"
        .formatted(
            floor == null || floor.equals(asked.server()) ? asked.server() : floor + ", " + asked.server(), connections, high / 2, high);
  }
}
