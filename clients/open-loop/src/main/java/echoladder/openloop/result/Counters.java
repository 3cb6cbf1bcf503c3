package echoladder.openloop.result;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts of one event loop: written by it alone, read by anybody, late by moments. */
public final class Counters {
  /** What is counted. */
  public enum Of {
    ESTABLISHED,
    REFUSED,
    TIMED_OUT,
    LOST,
    RESET,
    /** Established connections that the client gave up, as what came on them was not the answer. */
    DROPPED,
    /** Connections that the roll call asked, without those that ended and still owed it the answer. */
    ASKED,
    /** Those of them that answered rightly. */
    PRESENT,
    NOT_OPENED,
    /** Connections neither established nor failed yet, but begun. */
    PENDING,
    /** Messages of the load, of whatever phase; the first one of a connection opened anew is none of them. */
    SENT_EVER,
    /** Those of them that were answered rightly. */
    ANSWERED_EVER,
    SCHEDULED(true),
    SENT(true),
    ANSWERED(true),
    UNANSWERED(true),
    FAILED(true),
    MISMATCHES,
    LATE(true),
    /** Right answers whose arrival has a usable stamp. */
    STAMPED(true),
    /** Answers of the steady state whose stamp is that of later bytes of one read. */
    STAMPS_SHARED(true),
    /** Right answers that had a stamp which cannot be used. */
    STAMPS_DROPPED(true),
    OVERFLOWS,
    /** Messages waiting or in flight now. */
    OUTSTANDING,
    /** Age of the youngest unanswered message when the drain was over. */
    YOUNGEST_UNANSWERED_NS,
    /** Connections that churn ended in the steady state and whose place has a verified one again. */
    CHURNED(true),
    /** Ends of churn in the steady state that led to none: its place could not be taken, or no connection was open to be ended. */
    CHURN_FAILED(true),
    STORM_LOST,
    STORM_BACK,
    /** Those of {@link #STORM_BACK} that came back after the time that the storm allows. */
    STORM_LATE,
    STORM_TRIES,
    STORM_REFUSED,
    STORM_BROKEN,
    STORM_TIMED_OUT,
    STORM_OTHER,
    /** When the last connection was back, ns on the monotonic clock. */
    STORM_LAST_NS,
    /** Messages that are intended to be published. */
    PUBLISHES(true),
    /** Publishes without answer when the drain was over. */
    UNACKNOWLEDGED,
    /** 1 where the connection that publishes ended before the load did. */
    PUBLISHER_LOST,
    /** Deliveries that never came although a later one of their topic did. */
    DELIVERIES_MISSING,
    /** Deliveries that both {@link #UNANSWERED} and {@link #DELIVERIES_MISSING} count. */
    UNANSWERED_MISSING(true),
    DELIVERIES_DUPLICATE,
    /** Deliveries that came after a later one of their topic. */
    DELIVERIES_OUT_OF_ORDER,
    /** Deliveries of a topic that the connection had not subscribed to, or not yet. */
    DELIVERIES_MIXED,
    /** Connections that read nothing, or little, from the beginning of the steady state on. */
    SLOW_READERS,
    /** Those of them that the server ended. */
    SLOW_READERS_ENDED,
    /** Those of them that were open when the steady state ended. */
    SLOW_READERS_OPEN,
    /** Bytes of messages that were due to them from the beginning of the steady state on, or late by then. */
    SLOW_OWED_BYTES,
    /** Bytes that they sent. */
    SLOW_SENT_BYTES,
    /** Bytes that they read. */
    SLOW_READ_BYTES,
    /** Kernel memory of the client's ends of {@link #SLOW_READERS_OPEN}. */
    SLOW_CLIENT_BYTES,
    /** Publishes that the server says it handed to another number of subscribers than there are. */
    AUDIENCES_DIFFER,
    /** Handshakes of TLS that came to their end. */
    TLS_HANDSHAKES,
    /** Those of them that resumed a session. */
    TLS_RESUMED,
    /** Bytes in the loop's arrays. */
    ARRAY_BYTES,
    /** 1 when all is accounted for. */
    SETTLED;

    public static final int COUNT = values().length;

    /** Whether it is of messages that are intended in the steady state. */
    public final boolean ofSteady;

    Of() {
      this(false);
    }

    Of(boolean ofSteady) {
      this.ofSteady = ofSteady;
    }

    /** Two loops as one. */
    public long join(long a, long b) {
      return switch (this) {
        case YOUNGEST_UNANSWERED_NS -> Math.min(a, b);
        case STORM_LAST_NS -> Math.max(a, b);
        default -> a + b;
      };
    }
  }

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  // One cache line apart from whatever lies before and after it.
  private final long[] counts = new long[Of.COUNT + 16];

  public void add(Of of, long n) {
    set(of, counts[8 + of.ordinal()] + n);
  }

  public void set(Of of, long n) {
    LONGS.setOpaque(counts, 8 + of.ordinal(), n);
  }

  public long get(Of of) {
    return (long) LONGS.getOpaque(counts, 8 + of.ordinal());
  }
}
