package echoladder.openloop;

import echoladder.client.LoadPlan;
import echoladder.client.Schedule;

/**
 * One event loop's part of a load plan.
 *
 * @param plan of the whole load
 * @param slice the loop's connections
 * @param addresses where from and where to
 */
record LoopPlan(LoadPlan plan, Slice slice, Addresses addresses) {
  Wire wire(Failures failures) {
    return Wire.of(plan, slice, failures);
  }

  Agenda agenda(Timing timing) {
    return plan.staged() == null
        ? new ScheduledAgenda(schedule(), timing)
        : new UserAgenda(plan.staged(), plan.seed(), timing);
  }

  Book book(Timing timing, Recorders recorders) {
    if (plan.staged() != null) {
      return new StageBook(plan.staged(), timing, plan.stamps());
    }
    return bursts() ? new BurstBook(slice.senders().length, recorders) : Book.NONE;
  }

  boolean bursts() {
    return plan.staged() == null && plan.schedule() == Schedule.BURST;
  }

  private SendSchedule schedule() {
    return switch (plan.schedule()) {
      case CONSTANT -> new ConstantSchedule(slice, plan.ratePerSecond(), plan.seed());
      case JITTERED -> new JitteredSchedule(slice, plan.ratePerSecond(), plan.seed());
      case POISSON -> new PoissonSchedule(slice, plan.ratePerSecond(), plan.seed());
      case BURST -> new BurstSchedule(slice, plan.ratePerSecond(), plan.seed());
    };
  }

  /** As {@link Payload#salt}. */
  long salt() {
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
