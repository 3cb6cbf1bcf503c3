package echoladder.harness.plan;

import echoladder.harness.results.RungRecord;
import java.time.Duration;

/**
 * One server at one connection count, once.
 *
 * @param label of the server in the study
 * @param connections to hold
 * @param repeat which of the study's repeats, from 1
 * @param ratePerS offered over all of them
 * @param likely how long it should take, start and stop included
 * @param most how long it may take before its bounds end it
 */
public record Rung(
    String label,
    int connections,
    int repeat,
    double ratePerS,
    Duration likely,
    Duration most,
    Obstacles obstacles) {

  /** Whether that is its record. */
  public boolean isOf(RungRecord record) {
    return label.equals(record.server()) && connections == record.connections() && repeat == record.repeat();
  }

  /** Whether both are of one repeat at one connection count, whatever their servers. */
  public boolean inOneRoundWith(Rung other) {
    return connections == other.connections() && repeat == other.repeat();
  }

  /** Whether it will be tried. */
  public boolean attempted() {
    return obstacles.none();
  }
}
