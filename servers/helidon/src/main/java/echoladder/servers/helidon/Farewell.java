package echoladder.servers.helidon;

import java.time.Duration;

/** What a protocol does once the server was told to stop. */
interface Farewell {
  /** The stop has begun: nobody new is accepted, and what has arrived is still answered. */
  void begin();

  /** What was begun and is not yet answered. */
  long inFlight();

  /** For how long of the drain what still comes may put off the end; those who wait for what is queued need the rest. */
  default Duration quietMost(Duration limit) {
    return limit;
  }

  /** Nothing is in flight any more: tells each client. Does not wait for anybody. */
  void say();

  /** Who is yet to be waited for after that. */
  long left();
}
