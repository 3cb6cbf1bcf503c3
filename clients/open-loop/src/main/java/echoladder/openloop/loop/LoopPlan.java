package echoladder.openloop.loop;

import echoladder.client.LoadPlan;
import echoladder.client.Schedule;
import echoladder.client.schedule.SendSchedule;
import echoladder.client.schedule.Slice;
import echoladder.openloop.codec.Payload;
import echoladder.openloop.codec.Wire;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.result.Book;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.schedule.Agenda;
import echoladder.openloop.schedule.ScheduledAgenda;
import echoladder.openloop.schedule.Timing;
import echoladder.openloop.staged.StageBook;
import echoladder.openloop.staged.UserAgenda;

/**
 * One event loop's part of a load plan.
 *
 * @param plan of the whole load
 * @param slice the loop's connections
 * @param addresses where from and where to
 */
public record LoopPlan(LoadPlan plan, Slice slice, Addresses addresses) {
  public Wire wire(Failures failures) {
    return Wire.of(plan, slice, failures);
  }

  Agenda agenda(Timing timing) {
    return plan.staged() == null
        ? new ScheduledAgenda(sends(), timing)
        : new UserAgenda(plan.staged(), plan.seed(), timing);
  }

  private SendSchedule sends() {
    return plan.schedule().sends(slice, new Schedule.Asked(plan.ratePerSecond(), plan.seed(), plan.steady().toNanos()));
  }

  Book book(Timing timing, Recorders recorders) {
    if (plan.staged() != null) {
      return new StageBook(plan.staged(), timing, plan.stamps());
    }
    return bursts() ? new BurstBook(slice.senders().length, recorders) : Book.NONE;
  }

  boolean bursts() {
    return plan.bursts();
  }

  /** As {@link Payload#salt}. */
  public long salt() {
    return Payload.salt(plan.seed());
  }

  boolean stamps() {
    return plan.stamps();
  }

  boolean open() {
    return !plan.closedLoop();
  }

  long spinNs() {
    return plan.spin().toNanos();
  }

  int inFlight() {
    return plan.inFlight();
  }

  double connectsPerSecond() {
    return plan.connectsPerSecond();
  }

  long connectTimeoutNs() {
    return plan.connectTimeout().toNanos();
  }

  int connectWindow() {
    return Math.max(1, plan.connectsUnderWay() / slice.slices());
  }
}
