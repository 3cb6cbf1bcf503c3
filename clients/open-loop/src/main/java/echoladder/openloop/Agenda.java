package echoladder.openloop;

/** The send schedule of one event loop, placed on the clock by the timing of the run. Belongs to that loop. */
final class Agenda {
  private final SendSchedule schedule;
  private final Timing timing;

  Agenda(SendSchedule schedule, Timing timing) {
    this.schedule = schedule;
    this.timing = timing;
  }

  /** When the next send is intended, ns on the monotonic clock; {@link Timing#UNKNOWN} where none is (any more). */
  long nextNs() {
    long start = timing.scheduleStartNs;
    if (start == Timing.UNKNOWN || timing.finish) {
      return Timing.UNKNOWN;
    }
    long due = schedule.dueNs();
    return due == SendSchedule.NEVER || start + due >= timing.steadyEndNs ? Timing.UNKNOWN : start + due;
  }

  /** The connection of the next send, which is thereby taken. */
  int take() {
    int c = schedule.connection();
    schedule.advance();
    return c;
  }

  /** Whether a message intended for then counts in the result. */
  boolean counts(long intendedNs) {
    return intendedNs >= timing.steadyStartNs && intendedNs < timing.steadyEndNs;
  }

  long arrayBytes() {
    return schedule.arrayBytes();
  }
}
