package echoladder.client.schedule;

/**
 * The intended sends of one event loop, in order of time: fixed by plan and seed, and by when the steady state begins where a
 * schedule has another shape from then on. Times are nanoseconds since the schedule's start. Not thread-safe; never ends.
 */
public interface SendSchedule {
  /** Nothing is ever due. */
  long NEVER = Long.MAX_VALUE;

  /** When the current send is intended. */
  long dueNs();

  /** Which of the loop's connections the current send belongs to. */
  int connection();

  /**
   * Says when the steady state begins, before it does. Only a schedule that has another shape from then on heeds it.
   *
   * @param ns since the schedule's start; {@link #NEVER} = not known, or no more
   */
  default void steadyFrom(long ns) {}

  /** Goes on to the next send, which is due no earlier. */
  void advance();

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
