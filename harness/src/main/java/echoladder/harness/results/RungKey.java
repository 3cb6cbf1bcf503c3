package echoladder.harness.results;

import echoladder.harness.common.Units;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What tells one rung of a run from all others.
 *
 * @param server its label in the study
 * @param connections to hold
 * @param ratePerS messages per second over all of them; null where the server has one rate at that connection count
 * @param repeat which of the study's repeats, from 1
 * @param driftCheck whether it is the check at the end of a stand, see {@link StandPlace}
 */
public record RungKey(String server, int connections, @Nullable Double ratePerS, int repeat, boolean driftCheck) {
  /** The key of a rung that has a place in a stand, or has none. */
  static RungKey of(String server, int connections, double ratePerS, int repeat, @Nullable StandPlace stand) {
    return new RungKey(
        server, connections, stand == null ? null : (Double) ratePerS, repeat, stand != null && stand.driftCheck());
  }

  /** The key of this rung on another server. */
  public RungKey of(String other) {
    return new RungKey(other, connections, ratePerS, repeat, driftCheck);
  }

  /** The key of this rung in another repeat. */
  public RungKey repeat(int other) {
    return new RungKey(server, connections, ratePerS, other, driftCheck);
  }

  /** Its rate as files have it, without a unit; empty where it is no part of the key. */
  public String rate() {
    return ratePerS == null ? "" : BigDecimal.valueOf(ratePerS).stripTrailingZeros().toPlainString();
  }

  /** For a check for drift, the key of the rung that it repeats. */
  public RungKey first() {
    return new RungKey(server, connections, ratePerS, repeat, false);
  }

  /** Connections, and the rate where it is a part of the key: {@code 1,000 at 5,000/s}. */
  public String load() {
    return Units.count(connections) + (ratePerS == null ? "" : " at " + Units.plain(ratePerS) + "/s");
  }

  /**
   * The names of its files without their endings.
   *
   * @param repeats of the study
   * @param number which try it is, from 1
   */
  public String stem(int repeats, int number) {
    return "%07d-%s%s%s%s%s"
        .formatted(
            connections, server, ratePerS == null ? "" : "_" + rate(), driftCheck ? "_drift" : "",
            repeats == 1 && repeat == 1 ? "" : "-r" + repeat, number == 1 ? "" : "+" + number);
  }
}
