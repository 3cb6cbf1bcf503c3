package echoladder.openloop.loop;

import echoladder.openloop.schedule.Timing;

/**
 * When the slow readers of an event loop read, and how much: a piece at a time, one connection after the other in turn. None has read more
 * at any time than its rate allows until then. Pure.
 *
 * @param bytesPerS what each connection reads at most; 0 = nothing
 * @param connections of the loop that are slow
 */
record SlowPace(long bytesPerS, int connections) {
  /** Reads of a connection per second, where such a piece has a byte and fits the loop's buffer. */
  private static final int READS_PER_S = 4;

  /** Bytes of one read at most. */
  int pieceBytes() {
    return Math.clamp(bytesPerS / READS_PER_S, 1, EventLoop.BUFFER_BYTES);
  }

  /**
   * When a read is due, in ns after the slow ones began to be slow; {@link Timing#UNKNOWN} where nothing is read.
   *
   * @param read its number over all of them, from 0: connections take turns
   */
  long dueNs(long read) {
    return bytesPerS == 0 || connections == 0
        ? Timing.UNKNOWN
        : (long) (pieceBytes() * 1e9 / bytesPerS * (1 + (double) read / connections));
  }
}
