package echoladder.client.schedule;

/**
 * Each connection sends once in every period, at a time within it that is drawn anew each time, uniformly and independently.
 * A constant schedule takes few phases very often: what it meets by chance it meets in every period. Here every send is
 * another sample.
 *
 * <p>Drawn in order of time, so that nothing is sorted while the load runs: of {@code n} uniform times the next one after
 * {@code u} is {@code 1 - (1 - u) v^(1/r)}, where {@code r} of them are left and {@code v} is uniform (Bentley and Saxe 1980,
 * "Generating sorted lists of random numbers"); whose it is, a shuffle says that goes one step with each send. The draws of
 * two loops are independent.
 */
public final class JitteredSchedule implements SendSchedule {
  private final int[] order;
  private final double periodNs;
  private final long seed;
  private long drawn;
  private long cycle;
  private int position;
  /** The part of the period that lies after the current send, 0 to 1. */
  private double left = 1;
  private long dueNs;

  /**
   * @param slice the loop's connections; its {@link Slice#senders} take part
   * @param ratePerSecond of the whole load
   */
  public JitteredSchedule(Slice slice, double ratePerSecond, long seed) {
    periodNs = slice.activeInLoad() / ratePerSecond * 1e9;
    order = slice.senders();
    this.seed = Mix.of(seed, -1 - slice.index());
    position = -1;
    advance();
  }

  @Override
  public long dueNs() {
    return dueNs;
  }

  @Override
  public int connection() {
    return order[position];
  }

  @Override
  public void advance() {
    if (order.length == 0) {
      dueNs = NEVER;
      return;
    }
    if (++position == order.length) {
      position = 0;
      cycle++;
      left = 1;
    }
    int remaining = order.length - position;
    // (bits + 1) / 2^53 lies in (0, 1], so that the logarithm is finite.
    double uniform = ((Mix.of(seed, drawn++) >>> 11) + 1) * 0x1p-53;
    left *= Math.exp(Math.log(uniform) / remaining);
    dueNs = (long) ((cycle + 1 - left) * periodNs);
    Mix.shuffleStep(order, position, Mix.of(seed, drawn++));
  }

  @Override
  public long arrayBytes() {
    return 4L * order.length;
  }
}
