package echoladder.client.schedule;

/**
 * The intended sends of one event loop, in order of time: fixed before the run by plan and seed alone. Times are
 * nanoseconds since the schedule's start. Not thread-safe; never ends.
 */
public interface SendSchedule {
  /** Nothing is ever due. */
  long NEVER = Long.MAX_VALUE;

  /** When the current send is intended. */
  long dueNs();

  /** Which of the loop's connections the current send belongs to. */
  int connection();

  /** Goes on to the next send, which is due no earlier. */
  void advance();

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
