package echoladder.servers.kit;

/** What goes to one connection over TCP. Thread-safe. */
sealed interface PushOutbox extends PushReceiver permits PushWriter, PushAtOnce {
  /** Waits until all is written that was taken. */
  void finish();

  /** Drops what was taken, and ends the connection. */
  void abandon();
}
