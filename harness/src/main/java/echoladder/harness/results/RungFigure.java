package echoladder.harness.results;

import echoladder.client.LoadResult;
import echoladder.harness.lab.Claim;
import org.jspecify.annotations.Nullable;

/** The figures by which servers, and runs, are compared. */
public enum RungFigure {
  RESPONSE_P50("response p50", Claim.TIMES),
  RESPONSE_P99("response p99", Claim.TIMES),
  SERVER_CPU("server CPU per echo", Claim.CPU),
  RSS("RSS per connection", Claim.MEMORY),
  LIVE_HEAP("live heap per connection", Claim.MEMORY);

  private final String words;
  private final Claim claim;

  RungFigure(String words, Claim claim) {
    this.words = words;
    this.claim = claim;
  }

  /** As in a table. */
  public String words() {
    return words;
  }

  /** What it belongs to: a run that may not be quoted for that has none to compare. */
  public Claim claim() {
    return claim;
  }

  /** Of a rung, in ns, µs or bytes; null where it has none. */
  public @Nullable Double of(RungRecord rung) {
    LoadResult load = rung.load();
    ProbeFigures probes = rung.probes();
    Number value =
        switch (this) {
          case RESPONSE_P50 -> load == null ? null : load.responseTime().p50Ns();
          case RESPONSE_P99 -> load == null ? null : load.responseTime().p99Ns();
          case SERVER_CPU -> load == null ? null : load.serverCpuUsPerEcho();
          case RSS -> probes == null ? null : probes.serverRssBytesPerConnection();
          case LIVE_HEAP -> probes == null ? null : probes.serverLiveHeapBytesPerConnection();
        };
    return value == null ? null : (Double) value.doubleValue();
  }
}
