package echoladder.openloop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts of one event loop: written by it alone, read by anybody, late by moments. */
final class Tally {
  /** What is counted. */
  enum Of {
    ESTABLISHED,
    REFUSED,
    TIMED_OUT,
    LOST,
    RESET,
    /** Connections that answered the roll call rightly. */
    PRESENT,
    NOT_OPENED,
    /** Connections neither established nor failed yet, but begun. */
    PENDING,
    SENT_EVER,
    ANSWERED_EVER,
    SCHEDULED(true),
    SENT(true),
    ANSWERED(true),
    UNANSWERED(true),
    FAILED(true),
    MISMATCHES,
    LATE(true),
    OVERFLOWS,
    /** Messages waiting or in flight now. */
    OUTSTANDING,
    /** Age of the youngest unanswered message when the drain was over. */
    YOUNGEST_UNANSWERED_NS,
    /** Bytes in the loop's arrays. */
    ARRAY_BYTES,
    /** 1 when all is accounted for. */
    SETTLED;

    static final int COUNT = values().length;

    /** Whether it is of messages that are intended in the steady state. */
    final boolean ofSteady;

    Of() {
      this(false);
    }

    Of(boolean ofSteady) {
      this.ofSteady = ofSteady;
    }
  }

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  // One cache line apart from whatever lies before and after it.
  private final long[] counts = new long[Of.COUNT + 16];

  void add(Of of, long n) {
    set(of, counts[8 + of.ordinal()] + n);
  }

  void set(Of of, long n) {
    LONGS.setOpaque(counts, 8 + of.ordinal(), n);
  }

  long get(Of of) {
    return (long) LONGS.getOpaque(counts, 8 + of.ordinal());
  }
}
