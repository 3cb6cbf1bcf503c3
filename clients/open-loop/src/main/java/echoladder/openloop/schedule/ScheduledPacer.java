package echoladder.openloop.schedule;

import echoladder.client.schedule.SendSchedule;

/** A schedule that was fixed before the run, placed on the clock by its timing. */
public final class ScheduledPacer implements Pacer {
  private final SendSchedule schedule;
  private final Timing timing;
  private long steadyEndNs = Timing.UNKNOWN;

  public ScheduledPacer(SendSchedule schedule, Timing timing) {
    this.schedule = schedule;
    this.timing = timing;
  }

  @Override
  public long nextNs() {
    return timing.finish ? Timing.UNKNOWN : dueNs();
  }

  @Override
  public long dueNs() {
    long start = timing.scheduleStartNs;
    if (start == Timing.UNKNOWN) {
      return Timing.UNKNOWN;
    }
    long end = timing.steadyEndNs;
    if (end != steadyEndNs) {
      steadyEndNs = end;
      schedule.steadyUntil(end - start);
    }
    long due = schedule.dueNs();
    return due == SendSchedule.NEVER || start + due >= end ? Timing.UNKNOWN : start + due;
  }

  @Override
  public int take() {
    int c = schedule.connection();
    schedule.advance();
    return c;
  }

  @Override
  public void answered(int connection, long nowNs) {}

  @Override
  public void lost(int connection) {}

  @Override
  public long arrayBytes() {
    return schedule.arrayBytes();
  }
}
