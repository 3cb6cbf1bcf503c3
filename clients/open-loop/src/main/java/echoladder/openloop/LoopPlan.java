package echoladder.openloop;

import echoladder.client.LoadPlan;

/**
 * One event loop's part of a load plan.
 *
 * @param plan of the whole load
 * @param slice the loop's connections
 * @param addresses where from and where to
 */
record LoopPlan(LoadPlan plan, Slice slice, Addresses addresses) {
  // Connections under way over all loops: well below the servers' common backlog of 4,096.
  private static final int CONNECT_WINDOW = 1024;

  Wire wire(int connections, Failures failures) {
    return switch (plan.protocol()) {
      case TCP -> new TcpWire(connections, plan.messageBytes());
      case HTTP -> new HttpWire(connections, plan.messageBytes(), plan.targets().getFirst().toString(), failures);
    };
  }

  SendSchedule schedule() {
    return switch (plan.schedule()) {
      case CONSTANT -> new ConstantSchedule(slice, plan.ratePerSecond(), plan.seed());
      case POISSON -> new PoissonSchedule(slice, plan.ratePerSecond(), plan.seed());
    };
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
    return Math.max(1, CONNECT_WINDOW / slice.slices());
  }
}
