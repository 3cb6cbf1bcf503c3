package echoladder.openloop.testserver;

import java.util.Arrays;

/**
 * What a test server did, by its own clock. A delay is measured from the end of the read that completed a message to
 * just before its answer is written, so that no client can have waited for less. Thread-safe.
 */
public final class ServerRecord {
  private long[] delaysNs = new long[1024];
  private int answered;
  private long received;
  private long accepted;

  /** Counts a connection; its number, from 0. */
  synchronized int accept() {
    return (int) accepted++;
  }

  /** Counts a message that was read completely; its number, from 0. */
  synchronized long receive() {
    return received++;
  }

  synchronized void answer(long delayNs) {
    if (answered == delaysNs.length) {
      delaysNs = Arrays.copyOf(delaysNs, answered * 2);
    }
    delaysNs[answered++] = delayNs;
  }

  /** Connections accepted. */
  public synchronized long accepted() {
    return accepted;
  }

  /** Messages read completely. */
  public synchronized long received() {
    return received;
  }

  /** Messages answered. */
  public synchronized int answered() {
    return answered;
  }

  /** The delays of all answers so far, shortest first, in ns. */
  public synchronized long[] sortedDelaysNs() {
    long[] sorted = Arrays.copyOf(delaysNs, answered);
    Arrays.sort(sorted);
    return sorted;
  }
}
