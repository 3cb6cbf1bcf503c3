package echoladder.wrk2;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.external.UnfitPlanException;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A load as wrk2 is asked for it. Pure arithmetic over a plan and its host.
 *
 * <p>wrk2 connects from one address to one. A plan of several target addresses is therefore a wrk2 process for each,
 * started together; each gets the same share of connections, threads and requests.
 *
 * @param connections asked for, of all processes
 * @param threads of all processes; each gets the same whole number of connections
 * @param requestsPerSecond of all processes; wrk2 takes whole numbers, so the first ones may get one more than the last
 * @param steadySeconds of which the times shall be
 * @param durationSeconds of the whole, from its start
 * @param timeoutSeconds after which a request counts as without answer
 * @param messageBytes of the body
 * @param targets as HOST:PORT, one for each process
 */
record Wrk2Command(
    int connections,
    int threads,
    long requestsPerSecond,
    double steadySeconds,
    int durationSeconds,
    int timeoutSeconds,
    int messageBytes,
    List<String> targets) {

  /** From the start of a thread, plus {@link #CONNECT_GAP_SECONDS} for each of its connections (wrk.h, main). */
  static final double CALIBRATION_SECONDS = 10;

  /** Between two connects of a thread. */
  static final double CONNECT_GAP_SECONDS = 0.005;

  /** Its waits are rounded to whole milliseconds, upwards: no corrected time says anything below. */
  static final long TIMER_FLOOR_NS = 1_000_000;

  /** From the process's start to its threads', and at the other end before it closes its connections. */
  static final double SLACK_SECONDS = 0.25;

  /** The least time-out where the schedule leaves no connection idle for longer. */
  private static final double TIMEOUT_LEAST_SECONDS = 2;

  /**
   * Makes the command of a plan.
   *
   * @param targets the plan's, resolved
   * @param processors of this host
   * @throws UnfitPlanException for what wrk2 cannot do
   */
  static Wrk2Command of(LoadPlan plan, List<SocketAddress> targets, EphemeralPorts ports, int processors)
      throws UnfitPlanException {
    refuseWhatItCannot(plan, ports);
    int processes = targets.size();
    int connections = plan.connections();
    int each = connections / processes;
    int threads =
        processes
            * (plan.loops() == 0
                ? evenThreads(each, Math.max(1, processors / processes))
                : Math.clamp(plan.loops() / processes, 1, each));
    refuseASwallowedSteadyState(plan, threads);
    long rate = Math.round(plan.ratePerSecond());
    double steady = seconds(plan.steady());
    double period = (double) connections / rate;
    return new Wrk2Command(
        connections,
        threads,
        rate,
        steady,
        (int) Math.ceil(calibrationSeconds(connections, threads) + steady + 2 * SLACK_SECONDS),
        // wrk2 takes a connection that waits for its turn for one that waits for an answer.
        (int) Math.ceil(TIMEOUT_LEAST_SECONDS + period),
        plan.messageBytes(),
        targets.stream().map(SocketAddress::toString).toList());
  }

  private static void refuseWhatItCannot(LoadPlan plan, EphemeralPorts ports) throws UnfitPlanException {
    if (plan.staged() != null) {
      throw new UnfitPlanException("wrk2 has no users in stages; use --client closed-loop");
    }
    if (plan.protocol() == Protocol.WEBSOCKET) {
      throw new UnfitPlanException("wrk2 speaks HTTP only and this load is WebSocket; use --client open-loop");
    }
    if (plan.protocol() != Protocol.HTTP) {
      throw new UnfitPlanException(
          "wrk2 speaks HTTP only and this load is plain TCP; use --client tcpkali or --client open-loop");
    }
    if (plan.schedule() != Schedule.CONSTANT) {
      throw new UnfitPlanException(
          "wrk2 sends at a constant rate only; for %s use --client open-loop".formatted(plan.schedule().id()));
    }
    if (plan.activeConnections() < plan.connections()) {
      throw new UnfitPlanException(
          "wrk2 sends on all connections; for active_share %s use --client open-loop".formatted(plan.activeShare()));
    }
    if (plan.inFlight() > 1) {
      throw new UnfitPlanException(
          "wrk2 has one request under way per connection; for in_flight %d use --client open-loop"
              .formatted(plan.inFlight()));
    }
    if (!plan.sourceAddresses().isEmpty()) {
      throw new UnfitPlanException("wrk2 cannot be told its source addresses; use --client open-loop");
    }
    int processes = plan.targets().size();
    if (plan.connections() % processes != 0) {
      throw new UnfitPlanException(
          "%,d connections cannot be shared evenly by %d processes of wrk2, one for each target address; give another number of either"
              .formatted(plan.connections(), processes));
    }
    if (plan.connections() / processes > ports.perTuple()) {
      throw new UnfitPlanException(
          "%,d connections do not fit: a wrk2 has one source and one target address, ip_local_port_range %d-%d gives "
                  .formatted(plan.connections(), ports.first(), ports.last())
              + "%,d ports, half of which are planned (%,d); give %d target addresses of the server (one wrk2 for each), "
                  .formatted(ports.usable(), ports.perTuple(), Math.ceilDiv(plan.connections(), Math.max(1, ports.perTuple())))
              + "or use --client open-loop; see runbooks/symptoms/ephemeral-ports-exhausted.md");
    }
    if (Math.round(plan.ratePerSecond()) < processes) {
      throw new UnfitPlanException(
          "wrk2 takes whole requests per second, 1 or more for each of its %d processes, and the rate is %s"
              .formatted(processes, plan.ratePerSecond()));
    }
  }

  /** wrk2 warms up for as long as its calibration lasts; a plan that allows less would lose its steady state in it. */
  private static void refuseASwallowedSteadyState(LoadPlan plan, int threads) throws UnfitPlanException {
    double ramp = rampSeconds(plan.connections(), threads);
    double calibration = calibrationSeconds(plan.connections(), threads);
    double steadyBegins = ramp + seconds(plan.warmUpMax());
    double swallowed = Math.min(calibration - steadyBegins, seconds(plan.steady()));
    if (swallowed > 1e-9) {
      throw new UnfitPlanException(
          "wrk2 throws away all times of its calibration: 10 s + 5 ms x %,d connections per thread = %.3f s; "
                  .formatted(plan.connections() / threads, calibration)
              + "this plan's steady state begins after %.3f s of ramp + at most %s s of warm-up = %.3f s, "
                  .formatted(ramp, plain(plan.warmUpMax()), steadyBegins)
              + "so %.3f of its %s s would be swallowed: set warm_up_max (--warm-up-max) to 10s or more"
                  .formatted(swallowed, plain(plan.steady())));
    }
  }

  /** As many threads as there are processors, or fewer, so that each gets the same number of connections. */
  static int evenThreads(int connections, int processors) {
    int threads = Math.min(connections, processors);
    while (connections % threads != 0) {
      threads--;
    }
    return threads;
  }

  /** From a thread's start to when it throws away what it recorded. */
  static double calibrationSeconds(int connections, int threads) {
    return CALIBRATION_SECONDS + rampSeconds(connections, threads);
  }

  private static double rampSeconds(int connections, int threads) {
    int each = connections / threads;
    return CONNECT_GAP_SECONDS * each;
  }

  /** How many of them are started. */
  int processes() {
    return targets.size();
  }

  /**
   * The arguments of one of the processes; the first is the program.
   *
   * @param process 0 to {@link #processes} - 1
   */
  List<String> argv(Path program, Path script, int process) {
    long rate = requestsPerSecond / processes() + (process < requestsPerSecond % processes() ? 1 : 0);
    return List.of(
        program.toString(),
        "--threads", Integer.toString(threads / processes()),
        "--connections", Integer.toString(connections / processes()),
        "--rate", Long.toString(rate),
        "--duration", durationSeconds + "s",
        "--timeout", timeoutSeconds + "s",
        "--u_latency",
        "--script", script.toString(),
        "http://" + targets.get(process) + "/echo");
  }

  double rampSeconds() {
    return rampSeconds(connections, threads);
  }

  double calibrationSeconds() {
    return calibrationSeconds(connections, threads);
  }

  /** Seconds between two requests of a connection. */
  double periodSeconds() {
    return (double) connections / requestsPerSecond;
  }

  /** Descriptors that one process needs: one per connection, three per thread, and what any process has open. */
  long descriptorsNeeded() {
    return connections / processes() + 3L * threads / processes() + 16;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static String plain(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
  }
}
