package echoladder.openloop.codec;

import java.lang.foreign.MemorySegment;

/** Which answers over HTTP are right. Belongs to one thread. */
interface HttpAnswers {
  /** Whether {@code bytes} bytes at {@code at} may stand at {@code offset} of the body that answers that message. */
  boolean matches(int connection, long key, MemorySegment in, int at, int offset, int bytes);

  /** Whether a body of that length, of which every byte matched, is all of the answer. */
  boolean whole(int connection, int bytes);

  /** Bytes of the longest body that is taken to its end, whatever its status: one that has more is no answer. */
  default int mostBodyBytes() {
    return Integer.MAX_VALUE;
  }

  /** The status of a right answer. */
  int status();

  /** Whether an answer with that status is right. */
  default boolean right(int status) {
    return status == status();
  }
}
