package echoladder.client;

import echoladder.client.schedule.Slice;
import java.util.BitSet;

/**
 * Connections that read nothing, or little, from the beginning of the steady state on. Nothing is due to them: rates, times and verdicts
 * are of the others.
 *
 * @param share which part of the connections that send, or of the subscribers; 0 = all read, at most 0.5
 * @param bytesPerS what each of them reads at most; 0 = nothing
 */
public record SlowReaders(double share, long bytesPerS) {
  /** All read. */
  public static final SlowReaders NONE = new SlowReaders(0, 0);

  private static final long MOST_BYTES_PER_S = 1L << 30;

  public SlowReaders {
    Preconditions.check(share >= 0 && share <= 0.5, "slow-readers", share, "0 to 0.5");
    Preconditions.check(
        bytesPerS >= 0 && bytesPerS <= MOST_BYTES_PER_S, "slow-readers-rate", bytesPerS, "0 to " + MOST_BYTES_PER_S + " B per s");
  }

  /** A part that reads nothing. */
  public static SlowReaders ofShare(double share) {
    return new SlowReaders(share, 0);
  }

  /** Whether there are some. */
  public boolean any() {
    return share > 0;
  }

  /** How many of so many connections read, 1 or more: the first ones. Of slow ones there is one at least. */
  public int readers(int connections) {
    int slow = share == 0 ? 0 : Math.max(1, (int) Math.round(connections * share));
    return Math.max(1, connections - slow);
  }

  /** Those connections of a slice that do not read. */
  public BitSet among(Slice slice) {
    BitSet slow = new BitSet();
    int readers = readers(slice.activeInLoad());
    for (int c = 0; any() && c < slice.connections(); c++) {
      slow.set(c, slice.sender(c) >= readers);
    }
    return slow;
  }

  /** Refuses a plan that does not fit. What does not go with a load that publishes says {@link Publish}. */
  void check(LoadPlan plan) {
    if (!any() || plan.publish() != null) {
      return;
    }
    Preconditions.check(
        plan.protocol() == Protocol.TCP && plan.staged() == null, "slow-readers", share,
        "over TCP, with messages at a rate: who sends a second request before it has read an answer speaks no usual HTTP");
    // A slow reader writes to its socket itself, past a session of TLS.
    Preconditions.check(plan.tls() == null, "slow-readers", share, "not with tls");
    Preconditions.check(plan.churn() == null && plan.storm() == null, "churn, storm", "one", "not with slow-readers");
    Preconditions.check(
        plan.schedule() == Schedule.CONSTANT || plan.schedule() == Schedule.JITTERED || plan.schedule() == Schedule.POISSON, "schedule",
        plan.schedule().id(), "constant, jittered or poisson with slow-readers");
    Preconditions.check(
        plan.activeConnections() > 1, "slow-readers", share, "with two connections that send at least, so that one is left that reads");
  }
}
