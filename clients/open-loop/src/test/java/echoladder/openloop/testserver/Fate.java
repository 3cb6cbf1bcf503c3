package echoladder.openloop.testserver;

import java.time.Duration;
import java.util.function.IntPredicate;

/** What becomes of a connection. */
public sealed interface Fate {
  /** It stays until the peer ends it. */
  record Stay() implements Fate {}

  /** It is reset (RST) once this many bytes were read; 0 = as soon as it is accepted. */
  record ResetAfter(long bytes) implements Fate {}

  /** Its first message is answered. No later one is, where that says so of its number, counted from 0 as accepted. */
  record Forget(IntPredicate which) implements Fate {}

  /** Its first message is answered that late, where it is not among the first so many that were accepted. */
  record SlowStart(int after, Duration delay) implements Fate {}

  /** It is accepted, and nothing is ever read from it. */
  record NeverRead() implements Fate {}

  /** It is closed (FIN) this long after it was accepted, at a moment when it owes no answer. */
  record CloseAfter(Duration age) implements Fate {}
}
