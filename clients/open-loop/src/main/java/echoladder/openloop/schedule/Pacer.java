package echoladder.openloop.schedule;

/** What an event loop has to send, and when, on the clock of the run. Belongs to that loop. */
public interface Pacer {
  /** When the next send is intended, ns on the monotonic clock; {@link Timing#UNKNOWN} where none is, or the load is over. */
  long nextNs();

  /** When the next send was due, ns, even when the load is over: what was due by then and not taken has yet to be accounted for. */
  long dueNs();

  /** The connection of the next send, which is thereby taken. */
  int take();

  /** The oldest message on a connection was answered. */
  void answered(int connection, long nowNs);

  /** A connection is of no more use, whatever it still owed. */
  void lost(int connection);

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
