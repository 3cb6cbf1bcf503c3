package echoladder.openloop.schedule;

import echoladder.client.LoadPlan;

/**
 * The intended sends of one event loop, in order of time: fixed before the run by plan and seed alone. Times are
 * nanoseconds since the schedule's start. Not thread-safe; never ends.
 */
public interface SendSchedule {
  /** Nothing is ever due. */
  long NEVER = Long.MAX_VALUE;

  /** The schedule that a plan asks for, of one event loop's connections. */
  static SendSchedule of(LoadPlan plan, Slice slice) {
    return switch (plan.schedule()) {
      case CONSTANT -> new ConstantSchedule(slice, plan.ratePerSecond(), plan.seed());
      case JITTERED -> new JitteredSchedule(slice, plan.ratePerSecond(), plan.seed());
      case POISSON -> new PoissonSchedule(slice, plan.ratePerSecond(), plan.seed());
      case BURST -> new BurstSchedule(slice, plan.ratePerSecond(), plan.seed());
    };
  }

  /** When the current send is intended. */
  long dueNs();

  /** Which of the loop's connections the current send belongs to. */
  int connection();

  /** Goes on to the next send, which is due no earlier. */
  void advance();

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
