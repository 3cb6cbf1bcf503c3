package echoladder.client.schedule;

/**
 * The rate of each connection rises in a straight line over the steady state, from a fifth of its mean to nine fifths. Before that it
 * is the mean.
 *
 * <p>What a constant schedule intends {@code u} after the beginning of a steady state of length {@code T} is intended {@code t} after
 * it, where both have come to the same number of messages: {@code u = t / 5 + 4 / 5 t^2 / T}, so
 * {@code t = T / 8 (sqrt(1 + 80 u / T) - 1)}. At the end {@code t = u = T}: both intend exactly the same number, each connection's the
 * same, however the load is cut into loops and processes.
 */
public final class RampedSchedule implements SendSchedule {
  private final ConstantSchedule constant;
  private final long steadyNs;
  private long steadyFromNs = NEVER;
  private long dueNs;

  /**
   * A loop's part of the ramp.
   *
   * @param slice the loop's connections; its {@link Slice#senders} take part
   * @param ratePerSecond of the whole load, on average over the steady state
   * @param steadyNs how long the steady state lasts
   */
  public RampedSchedule(Slice slice, double ratePerSecond, long seed, long steadyNs) {
    this.constant = new ConstantSchedule(slice, ratePerSecond, seed);
    this.steadyNs = steadyNs;
    dueNs = placed();
  }

  private long placed() {
    long even = constant.dueNs();
    long due =
        even < steadyFromNs || even == NEVER
            ? even
            : steadyFromNs + (long) (steadyNs / 8.0 * (Math.sqrt(1 + 80.0 * (even - steadyFromNs) / steadyNs) - 1));
    // Where the steady state is told anew, no send is due before one that was taken.
    return Math.max(dueNs, due);
  }

  @Override
  public void steadyUntil(long ns) {
    steadyFromNs = ns - steadyNs;
    dueNs = placed();
  }

  @Override
  public long dueNs() {
    return dueNs;
  }

  @Override
  public int connection() {
    return constant.connection();
  }

  @Override
  public void advance() {
    constant.advance();
    dueNs = placed();
  }

  @Override
  public long arrayBytes() {
    return constant.arrayBytes();
  }
}
