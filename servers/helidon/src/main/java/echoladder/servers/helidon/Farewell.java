package echoladder.servers.helidon;

/** What a protocol does once the server was told to stop. */
interface Farewell {
  /** The stop has begun: nobody new is accepted, and what has arrived is still answered. */
  void begin();

  /** What was begun and is not yet answered. */
  long inFlight();

  /** Nothing is in flight any more: tells each client. Does not wait for anybody. */
  void say();

  /** Who is yet to be waited for after that. */
  long left();
}
