package echoladder.harness.metric;

import org.jspecify.annotations.Nullable;

/**
 * What the harness read of a restart of the server, in ns of CLOCK_MONOTONIC.
 *
 * @param beganNs when connections were allowed to end, by the client
 * @param killedNs when the server was killed
 * @param readyNs when the one in its place was ready
 * @param peakRssBytes most memory of that one until all connections were back; null = not known
 */
public record StormReading(long beganNs, long killedNs, long readyNs, @Nullable Long peakRssBytes) {
  /** From its end to the ready line. */
  public double downSeconds() {
    return (readyNs - killedNs) / 1e9;
  }

  /**
   * From the ready line to the last verified echo; 0 where that came before the line was read.
   *
   * @param stormSeconds from {@code beganNs} to the last verified echo; null = there was none
   */
  public @Nullable Double recoverySeconds(@Nullable Double stormSeconds) {
    return stormSeconds == null ? null : (Double) Math.max(0, stormSeconds - (readyNs - beganNs) / 1e9);
  }

  /** This reading with that peak, in bytes. */
  public StormReading withPeak(@Nullable Long bytes) {
    return new StormReading(beganNs, killedNs, readyNs, bytes);
  }
}
