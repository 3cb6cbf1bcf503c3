package echoladder.openloop;

import java.util.Arrays;

/**
 * Messages that are waiting or in flight, as numbered entries of flat arrays with a free list. Each connection chains
 * its own, oldest first. Grows by half when full; a load's schedule bounds how far. Belongs to one event loop.
 */
final class Messages {
  static final int NONE = -1;
  /** Value of {@link #sentNs} for a message that nobody has tried to write yet. */
  static final long UNSENT = Long.MIN_VALUE;

  /** Value of {@link #lateNs} for a message that waits for the answer to another: that one's lateness bounds its own. */
  static final long BEHIND_ANOTHER = 0;

  long[] intendedNs;
  long[] sentNs;
  /** What the message waited for was there from then on, known once it is sent: {@link MessageTimes}. */
  long[] freedNs;
  /**
   * By how much a message was sent late through the client: what its wait for the client took, or, where it waited for the answer
   * to an earlier message, by how much that one had been late and so the answer. Before the first byte is written: at most that
   * much of its wait is the client's.
   */
  long[] lateNs;
  int[] next;
  private int free = NONE;
  private int touched;
  private int used;

  Messages(int capacity) {
    intendedNs = new long[capacity];
    sentNs = new long[capacity];
    freedNs = new long[capacity];
    lateNs = new long[capacity];
    next = new int[capacity];
  }

  /** A message intended for that time (ns on the monotonic clock), unsent, chained to nothing. */
  int take(long intended) {
    int m = free;
    if (m != NONE) {
      free = next[m];
    } else {
      if (touched == next.length) {
        int larger = Math.addExact(touched, (touched >> 1) + 16);
        intendedNs = Arrays.copyOf(intendedNs, larger);
        sentNs = Arrays.copyOf(sentNs, larger);
        freedNs = Arrays.copyOf(freedNs, larger);
        lateNs = Arrays.copyOf(lateNs, larger);
        next = Arrays.copyOf(next, larger);
      }
      m = touched++;
    }
    intendedNs[m] = intended;
    sentNs[m] = UNSENT;
    freedNs[m] = MessageTimes.FREE;
    lateNs[m] = BEHIND_ANOTHER;
    next[m] = NONE;
    used++;
    return m;
  }

  /** Gives a message back; its number may be used again at once. */
  void release(int m) {
    next[m] = free;
    free = m;
    used--;
  }

  /** Messages taken and not released. */
  int used() {
    return used;
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return 36L * next.length;
  }
}
