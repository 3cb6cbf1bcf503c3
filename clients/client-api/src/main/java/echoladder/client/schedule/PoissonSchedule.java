package echoladder.client.schedule;

/**
 * A Poisson process: gaps are exponential with the loop's share of the rate, the connection of each send is drawn
 * uniformly from the active ones. Loops together are one Poisson process at the whole rate (superposition).
 */
public final class PoissonSchedule implements SendSchedule {
  private final int[] active;
  private final double meanGapNs;
  private final long seed;
  private long drawn;
  private double time;
  private int connection;

  public PoissonSchedule(Slice slice, double ratePerSecond, long seed) {
    active = slice.senders();
    meanGapNs = active.length == 0 ? 0 : 1e9 / (ratePerSecond * active.length / slice.activeInLoad());
    this.seed = Mix.of(seed, -1 - slice.index());
    advance();
  }

  @Override
  public long dueNs() {
    return active.length == 0 ? NEVER : (long) time;
  }

  @Override
  public int connection() {
    return connection;
  }

  @Override
  public void advance() {
    if (active.length == 0) {
      return;
    }
    // (bits + 1) / 2^53 lies in (0, 1], so that the logarithm is finite.
    double uniform = ((Mix.of(seed, drawn++) >>> 11) + 1) * 0x1p-53;
    time -= Math.log(uniform) * meanGapNs;
    connection = active[Mix.below(active.length, Mix.of(seed, drawn++))];
  }

  @Override
  public long arrayBytes() {
    return 4L * active.length;
  }
}
