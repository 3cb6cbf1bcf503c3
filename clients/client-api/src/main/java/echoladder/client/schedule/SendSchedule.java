package echoladder.client.schedule;

/**
 * The intended sends of one event loop, in order of time. They follow from plan and seed; where a schedule has another shape over
 * the steady state, they follow from the time of that too. Times are nanoseconds since the schedule's start. Not thread-safe; never
 * ends.
 */
public interface SendSchedule {
  /** Nothing is ever due. */
  long NEVER = Long.MAX_VALUE;

  /** When the current send is intended. */
  long dueNs();

  /** Which of the loop's connections the current send belongs to. */
  int connection();

  /**
   * Says when the steady state ends, before it begins; anew where it begins later than was said. Its length is known from the plan.
   * Only a schedule that has another shape over the steady state heeds it.
   *
   * @param ns since the schedule's start
   */
  default void steadyUntil(long ns) {}

  /** Goes on to the next send, which is due no earlier. */
  void advance();

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
