package echoladder.openloop.loop;

import echoladder.openloop.result.MessageTimes;
import java.util.Arrays;

/**
 * Messages that are waiting or in flight, as numbered entries of flat arrays with a free list. Each connection chains
 * its own, oldest first. Grows by half when full; a load's schedule bounds how far. Belongs to one event loop.
 */
final class Messages {
  static final int NONE = -1;
  /** Value of {@link #sentNs} for a message that nobody has tried to write yet. */
  static final long UNSENT = Long.MIN_VALUE;

  long[] intendedNs;
  long[] sentNs;
  /** What the message waited for was there from then on, known once it is sent: {@link MessageTimes}. */
  long[] freedNs;
  int[] next;
  private int free = NONE;
  private int touched;
  private int used;

  Messages(int capacity) {
    intendedNs = new long[capacity];
    sentNs = new long[capacity];
    freedNs = new long[capacity];
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
        next = Arrays.copyOf(next, larger);
      }
      m = touched++;
    }
    intendedNs[m] = intended;
    sentNs[m] = UNSENT;
    freedNs[m] = MessageTimes.FREE;
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
    return 28L * next.length;
  }
}
