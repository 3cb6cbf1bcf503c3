package echoladder.client;

import echoladder.client.figures.Percentiles;
import org.jspecify.annotations.Nullable;

/**
 * Where a load stands, about once a second. Counts are totals since the start of the load.
 *
 * @param phase the phase the client is in
 * @param monotonicNs CLOCK_MONOTONIC when this was taken
 * @param phaseEndsInNs planned time left in this phase, or -1 where that is not known (ramp)
 * @param established connections that have had a verified echo and are still open
 * @param failed connections that were refused, timed out, reset or lost so far
 * @param sent messages written so far, ramp and warm-up included
 * @param answered messages whose echo was complete and right
 * @param achievedPerS echoes per second since the last progress
 * @param lateSends steady-state sends that the client itself delayed beyond its bound
 * @param users that a staged load has now; null for any other, and outside of its stages
 * @param times of the steady state since the last progress; null from a tool that does not give them
 */
public record Progress(
    Phase phase,
    long monotonicNs,
    long phaseEndsInNs,
    int established,
    int failed,
    long sent,
    long answered,
    double achievedPerS,
    long lateSends,
    @Nullable Integer users,
    @Nullable Times times) {

  /**
   * The three times of about a second; nothing recorded of one that a load does not have.
   *
   * @param response of the messages answered, from the intended send; a closed loop has none
   * @param service of the same, from the actual send
   * @param lateness of the messages sent, between the two
   */
  public record Times(Percentiles response, Percentiles service, Percentiles lateness) {
    /** What a line of time shows: response times, of a closed loop service times. */
    public Percentiles shown() {
      return response.equals(Percentiles.NONE) ? service : response;
    }
  }
}
