package echoladder.harness.plan;

import echoladder.harness.results.RungRecord;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One server at one connection count, once.
 *
 * @param label of the server in the study
 * @param connections to hold
 * @param repeat which of the study's repeats, from 1
 * @param ratePerS offered over all of them
 * @param likely how long it should take, start and stop included
 * @param most how long it may take before its bounds end it
 * @param outOfReach why this host cannot carry it, null where it should
 * @param clientMissing why its client cannot be started here, null where it can
 * @param clientUnfit why its client cannot do it, null where it can
 */
public record Rung(
    String label,
    int connections,
    int repeat,
    double ratePerS,
    Duration likely,
    Duration most,
    @Nullable String outOfReach,
    @Nullable String clientMissing,
    @Nullable String clientUnfit) {

  /** Whether that is its record. */
  public boolean isOf(RungRecord record) {
    return label.equals(record.server()) && connections == record.connections() && repeat == record.repeat();
  }

  /** Whether it will be tried. */
  public boolean attempted() {
    return outOfReach == null && clientMissing == null && clientUnfit == null;
  }

  /** The same, beyond what this host can do. */
  public Rung withOutOfReach(String why) {
    return new Rung(label, connections, repeat, ratePerS, likely, most, why, clientMissing, clientUnfit);
  }

  /** The same for whose client there is no program. */
  public Rung withClientMissing(String why) {
    return new Rung(label, connections, repeat, ratePerS, likely, most, outOfReach, why, null);
  }

  /** The same, beyond what its client can do. */
  public Rung withClientUnfit(String why) {
    return new Rung(label, connections, repeat, ratePerS, likely, most, outOfReach, null, why);
  }
}
