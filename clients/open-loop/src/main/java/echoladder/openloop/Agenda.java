package echoladder.openloop;

/** What an event loop has to send, and when, on the clock of the run. Belongs to that loop. */
interface Agenda {
  /** When the next send is intended, ns on the monotonic clock; {@link Timing#UNKNOWN} where none is (any more). */
  long nextNs();

  /** The connection of the next send, which is thereby taken. */
  int take();

  /** Whether a message intended for then counts in the result. */
  boolean counts(long intendedNs);

  /** Whether intended sends wait for no answer, so that there are response times. */
  boolean open();

  /** The oldest message on a connection was answered. */
  void answered(int connection, long nowNs);

  /** A connection is of no more use, whatever it still owed. */
  void lost(int connection);

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
