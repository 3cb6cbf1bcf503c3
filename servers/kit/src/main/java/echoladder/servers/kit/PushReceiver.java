package echoladder.servers.kit;

/**
 * What a server hands to one connection. Messages come from the threads of any publishers, all else from the thread that reads the
 * connection. Thread-safe.
 */
public interface PushReceiver {
  /** Takes a message; false where the connection ends instead, or has ended. */
  boolean message(byte[] frame);

  /** Takes a reply, which is never dropped. */
  void reply(byte[] frame);

  /** Waits until another reply may be made: who does not take those that it has is not read from. */
  void awaitRoom();
}
