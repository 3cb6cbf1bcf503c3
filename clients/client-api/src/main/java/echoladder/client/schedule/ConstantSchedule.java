package echoladder.client.schedule;

import java.util.Arrays;

/**
 * Each connection sends once a period, from a random phase of its own. The phase depends on the seed and the
 * connection's number in the whole load, so it is the same however the load is cut into loops and processes.
 */
public final class ConstantSchedule implements SendSchedule {
  // A phase is a fraction of the period in 40 bits; with the connection in the 23 bits below it, sorting one array
  // of longs orders the connections by phase. 2^-40 of an hour is 3 ns.
  private static final int PHASE_BITS = 40;
  private static final int CONNECTION_BITS = 23;
  private static final double PHASE_UNIT = 1.0 / (1L << PHASE_BITS);

  private final long[] byPhase;
  private final double periodNs;
  private long cycle;
  private int position;
  private long dueNs;

  /**
   * @param slice the loop's connections; its {@link Slice#senders} take part
   * @param ratePerSecond of the whole load
   */
  public ConstantSchedule(Slice slice, double ratePerSecond, long seed) {
    periodNs = slice.activeInLoad() / ratePerSecond * 1e9;
    int[] senders = slice.senders();
    byPhase = new long[senders.length];
    for (int i = 0; i < senders.length; i++) {
      long phase = Mix.of(seed, slice.global(senders[i])) >>> (64 - PHASE_BITS);
      byPhase[i] = phase << CONNECTION_BITS | senders[i];
    }
    Arrays.sort(byPhase);
    position = -1;
    advance();
  }

  @Override
  public long dueNs() {
    return dueNs;
  }

  @Override
  public int connection() {
    return (int) (byPhase[position] & ((1 << CONNECTION_BITS) - 1));
  }

  @Override
  public void advance() {
    if (byPhase.length == 0) {
      dueNs = NEVER;
      return;
    }
    if (++position == byPhase.length) {
      position = 0;
      cycle++;
    }
    dueNs = (long) ((cycle + (byPhase[position] >>> CONNECTION_BITS) * PHASE_UNIT) * periodNs);
  }

  @Override
  public long arrayBytes() {
    return 8L * byPhase.length;
  }
}
