package echoladder.client.schedule;


/**
 * All connections that send are due in the same instant, once a period, first in the middle of the first period. A loop sends
 * one after the other: in which order, a shuffle says that goes one step with each send, so that no connection is always first.
 */
public final class BurstSchedule implements SendSchedule {
  private final int[] order;
  private final long periodNs;
  private final long seed;
  private long drawn;
  private long cycle;
  private int position;

  /**
   * A loop's part of the bursts.
   *
   * @param slice the loop's connections; its {@link Slice#senders} take part
   * @param ratePerSecond of the whole load
   */
  public BurstSchedule(Slice slice, double ratePerSecond, long seed) {
    periodNs = Bursts.periodNs(slice.activeInLoad(), ratePerSecond);
    order = slice.senders();
    this.seed = Mix.of(seed, -1 - slice.index());
    position = -1;
    advance();
  }

  /** The first border between two bursts that is no earlier, on the clock that the schedule started by. */
  public static long between(long ns, long scheduleStartNs, long periodNs) {
    return scheduleStartNs + Math.ceilDiv(ns - scheduleStartNs, periodNs) * periodNs;
  }

  @Override
  public long dueNs() {
    return order.length == 0 ? NEVER : cycle * periodNs + periodNs / 2;
  }

  @Override
  public int connection() {
    return order[position];
  }

  @Override
  public void advance() {
    if (order.length == 0) {
      return;
    }
    if (++position == order.length) {
      position = 0;
      cycle++;
    }
    Mix.shuffleStep(order, position, Mix.of(seed, drawn++));
  }

  @Override
  public long arrayBytes() {
    return 4L * order.length;
  }
}
