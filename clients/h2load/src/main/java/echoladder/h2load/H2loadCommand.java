package echoladder.h2load;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.external.UnfitPlanException;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A load as h2load is asked for it. Pure arithmetic over a plan and its host.
 *
 * <p>h2load gives each connection a rate of its own, which begins when the connection is made. It makes all connections at once,
 * so their sends come in bursts, once a period of a connection.
 *
 * @param connections asked for
 * @param threads of the one process
 * @param requestsPerSecond of all connections
 * @param rampSeconds in which all connections are thought to be made
 * @param warmUpMs from its start to its main duration; the ramp is a part of it
 * @param steadyMs of its main duration, the part that is measured
 * @param durationMs its main duration, of which its log is: it closes its connections at once when that is over, and they have to be
 *     counted before
 * @param messageBytes of the body
 * @param target as HOST:PORT
 */
record H2loadCommand(
    int connections,
    int threads,
    double requestsPerSecond,
    double rampSeconds,
    long warmUpMs,
    long steadyMs,
    long durationMs,
    int messageBytes,
    String target) {

  /** From the process's start to its connects. */
  static final double SLACK_SECONDS = 0.25;

  /** A period of a connection in which its borders can lie between two bursts: its timers go off every 10 ms at most. */
  private static final double LEAST_APART_SECONDS = 0.02;

  private static final double MOST_APART_SECONDS = 1;

  /** How long its main duration goes on behind the steady state, at the least. */
  private static final double TAIL_SECONDS = 0.3;

  /**
   * Makes the command of a plan.
   *
   * @param targets the plan's, resolved
   * @param processors of this host
   * @throws UnfitPlanException for what h2load cannot do
   */
  static H2loadCommand of(LoadPlan plan, List<SocketAddress> targets, EphemeralPorts ports, int processors) throws UnfitPlanException {
    refuseWhatItCannot(plan, ports);
    double ramp = plan.connections() / plan.connectsPerSecond() + SLACK_SECONDS;
    double period = plan.connections() / plan.ratePerSecond();
    double steady = seconds(plan.steady());
    double warmUp = betweenBursts(ramp + seconds(plan.warmUpMax()), steady, period);
    return new H2loadCommand(
        plan.connections(),
        Math.clamp(plan.loops() == 0 ? processors : plan.loops(), 1, plan.connections()),
        plan.ratePerSecond(),
        ramp,
        Math.round(warmUp * 1e3),
        Math.round(steady * 1e3),
        Math.round((steady + (hasBursts(period) ? Math.ceil(TAIL_SECONDS / period) * period : TAIL_SECONDS)) * 1e3),
        plan.messageBytes(),
        targets.getFirst().toString());
  }

  private static boolean hasBursts(double period) {
    return period >= LEAST_APART_SECONDS && period <= MOST_APART_SECONDS;
  }

  /** A warm-up of that length or a little more, so that the steady state ends halfway between two sends of a connection. */
  private static double betweenBursts(double warmUp, double steady, double period) {
    if (!hasBursts(period)) {
      return warmUp;
    }
    double end = (warmUp + steady) % period;
    double pad = period / 2 - end;
    return warmUp + (pad < 0 ? pad + period : pad);
  }

  private static void refuseWhatItCannot(LoadPlan plan, EphemeralPorts ports) throws UnfitPlanException {
    if (plan.staged() != null) {
      throw new UnfitPlanException("h2load has no users in stages here; use --client closed-loop");
    }
    if (plan.protocol() != Protocol.HTTP) {
      throw new UnfitPlanException("h2load speaks HTTP only and this load is %s; use --client open-loop".formatted(plan.protocol()));
    }
    if (!plan.http().equals(HttpAsk.ECHO)) {
      throw new UnfitPlanException("h2load is asked for POST /echo alone, and this load asks for something else; use --client open-loop");
    }
    if (plan.schedule() != Schedule.CONSTANT) {
      throw new UnfitPlanException(
          "h2load sends at a constant rate only; for %s use --client open-loop".formatted(plan.schedule().id()));
    }
    if (plan.activeConnections() < plan.connections()) {
      throw new UnfitPlanException(
          "h2load sends on all connections; for active_share %s use --client open-loop".formatted(plan.activeShare()));
    }
    if (plan.inFlight() > 1) {
      throw new UnfitPlanException(
          "h2load has one POST under way per connection; for in_flight %d use --client open-loop".formatted(plan.inFlight()));
    }
    if (!plan.sourceAddresses().isEmpty() || plan.targets().size() > 1) {
      throw new UnfitPlanException("h2load connects from one address to one; leave out the others, or use --client open-loop");
    }
    if (plan.connections() > ports.perTuple()) {
      throw new UnfitPlanException(
          "%,d connections do not fit: h2load has one source and one target address, ip_local_port_range %d-%d gives "
                  .formatted(plan.connections(), ports.first(), ports.last())
              + "%,d ports, half of which are planned (%,d); use --client open-loop; see runbooks/symptoms/ephemeral-ports-exhausted.md"
                  .formatted(ports.usable(), ports.perTuple()));
    }
  }

  /**
   * Its arguments; the first is the program.
   *
   * @param body file with the message
   * @param log file that it writes a row per request into
   */
  List<String> argv(Path program, Path body, Path log) {
    BigDecimal each = BigDecimal.valueOf(requestsPerSecond).divide(BigDecimal.valueOf(connections), MathContext.DECIMAL64);
    return List.of(
        program.toString(),
        "--h1",
        "--clients", Integer.toString(connections),
        "--threads", Integer.toString(threads),
        "--rps", each.stripTrailingZeros().toPlainString(),
        "--warm-up-time", warmUpMs + "ms",
        "--duration", durationMs + "ms",
        "--data", body.toString(),
        "--header", "Content-Type: application/octet-stream",
        "--log-file", log.toString(),
        "http://" + target + "/echo");
  }

  double steadySeconds() {
    return steadyMs / 1e3;
  }

  double durationSeconds() {
    return durationMs / 1e3;
  }

  /** Seconds between two requests of a connection. */
  double periodSeconds() {
    return connections / requestsPerSecond;
  }

  /** Requests of the steady state by its schedule. */
  long scheduled() {
    return Math.round(requestsPerSecond * steadySeconds());
  }

  /** Descriptors that it needs: one per connection, a few per thread, its two files, and what any process has open. */
  long descriptorsNeeded() {
    return connections + 4L * threads + 32;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
