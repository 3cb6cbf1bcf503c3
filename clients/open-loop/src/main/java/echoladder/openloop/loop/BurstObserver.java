package echoladder.openloop.loop;

import echoladder.openloop.result.Answer;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import java.util.Arrays;

/**
 * Follows each burst of the steady state from its instant to its last answer, and records it when nothing of it is owed any
 * more. A burst is known by its instant, which all its messages are intended for. Belongs to one event loop.
 */
final class BurstObserver implements MessageObserver {
  private final int senders;
  private final Recorders recorders;
  // Bursts that are under way, oldest first: few, unless the server falls behind by whole periods.
  private long[] instantNs = new long[16];
  private int[] intended = new int[16];
  private int[] owed = new int[16];
  private long[] leftNs = new long[16];
  private long[] endedNs = new long[16];
  private int open;

  /**
   * The burst times of one loop.
   *
   * @param senders messages that a burst has in this loop
   */
  BurstObserver(int senders, Recorders recorders) {
    this.senders = senders;
    this.recorders = recorders;
  }

  @Override
  public void anew() {
    open = 0;
  }

  @Override
  public void intended(int connection, long intendedNs) {
    if (open == 0 || instantNs[open - 1] != intendedNs) {
      begin(intendedNs);
    }
    intended[open - 1]++;
    owed[open - 1]++;
  }

  private void begin(long instant) {
    if (open == instantNs.length) {
      int larger = 2 * open;
      instantNs = Arrays.copyOf(instantNs, larger);
      intended = Arrays.copyOf(intended, larger);
      owed = Arrays.copyOf(owed, larger);
      leftNs = Arrays.copyOf(leftNs, larger);
      endedNs = Arrays.copyOf(endedNs, larger);
    }
    instantNs[open] = instant;
    intended[open] = 0;
    owed[open] = 0;
    leftNs[open] = instant;
    endedNs[open] = instant;
    open++;
  }

  @Override
  public void leaves(long intendedNs, long nowNs) {
    // Only the youngest is being sent.
    leftNs[open - 1] = nowNs;
  }

  @Override
  public void answered(int connection, Answer answer, MessageTimes times) {
    ended(times.intendedNs(), times.readNs());
  }

  @Override
  public void failed(int connection, long intendedNs) {
    ended(intendedNs, System.nanoTime());
  }

  @Override
  public void unanswered(int connection, MessageTimes times) {
    ended(times.intendedNs(), times.readNs());
  }

  private void ended(long intendedNs, long nowNs) {
    for (int i = 0; i < open; i++) {
      if (instantNs[i] == intendedNs) {
        owed[i]--;
        endedNs[i] = Math.max(endedNs[i], nowNs);
        if (owed[i] == 0 && intended[i] == senders) {
          record(i);
        }
        return;
      }
    }
  }

  private void record(int i) {
    recorders.record(TimeKind.BURST_SEND, leftNs[i] - instantNs[i]);
    recorders.record(TimeKind.BURST_ANSWER, endedNs[i] - instantNs[i]);
    recorders.record(TimeKind.BURST_BACKLOG, endedNs[i] - leftNs[i]);
    int after = open - i - 1;
    System.arraycopy(instantNs, i + 1, instantNs, i, after);
    System.arraycopy(intended, i + 1, intended, i, after);
    System.arraycopy(owed, i + 1, owed, i, after);
    System.arraycopy(leftNs, i + 1, leftNs, i, after);
    System.arraycopy(endedNs, i + 1, endedNs, i, after);
    open--;
  }
}
