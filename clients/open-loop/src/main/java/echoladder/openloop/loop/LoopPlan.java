package echoladder.openloop.loop;

import echoladder.client.LoadPlan;
import echoladder.client.Schedule;
import echoladder.client.Tls;
import echoladder.client.schedule.SendSchedule;
import echoladder.client.schedule.Slice;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.codec.Payload;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.schedule.NothingDue;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.ScheduledPacer;
import echoladder.openloop.schedule.Timing;
import echoladder.openloop.staged.StageObserver;
import echoladder.openloop.staged.UserPacer;

/**
 * One event loop's part of a load plan.
 *
 * @param plan of the whole load
 * @param slice the loop's connections
 * @param addresses where from and where to
 */
public record LoopPlan(LoadPlan plan, Slice slice, Addresses addresses) {
  public Codec codec(Failures failures) {
    return Codec.of(plan, slice, failures);
  }

  Pacer pacer(Timing timing) {
    if (plan.publish() != null) {
      return new NothingDue();
    }
    return plan.staged() == null
        ? new ScheduledPacer(sends(), timing)
        : new UserPacer(plan.staged(), plan.seed(), timing);
  }

  private SendSchedule sends() {
    return plan.schedule().sends(slice, new Schedule.Asked(plan.sendsPerSecond(), plan.seed(), plan.steady().toNanos()));
  }

  MessageObserver observer(Timing timing, Recorders recorders) {
    if (plan.staged() != null) {
      return new StageObserver(plan.staged(), timing, plan.stamps());
    }
    return bursts() ? new BurstObserver(slice.senders().length, recorders) : MessageObserver.NONE;
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

  /** What goes under the codec; {@code arrivals} are what the loop reads, and {@code counters} have the loop's handshakes. */
  Wire wire(SystemCalls sys, Connections conns, Arrivals arrivals, Counters counters) {
    Tls tls = plan.tls();
    return tls == null ? new PlainWire(sys, conns, arrivals) : new TlsWire(plan, tls, sys, conns, arrivals, counters);
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
