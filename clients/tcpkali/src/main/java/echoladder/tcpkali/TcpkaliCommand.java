package echoladder.tcpkali;

import echoladder.client.LoadJudge;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load as tcpkali is asked for it. Pure arithmetic over a plan and its host.
 *
 * @param connections asked for; tcpkali may open a few more
 * @param workers its threads
 * @param messagesPerSecondEach over each connection
 * @param connectsPerSecond of the ramp
 * @param connectTimeout after which it gives a connect up and tries again
 * @param messageBytes size of a message
 * @param windowSeconds of which it gives the times apart: the steady state is one window
 * @param warmUpSeconds least time from the end of the ramp to the steady state
 * @param durationSeconds after the ramp at the most; it is ended before
 * @param sources IPv4 literals to bind to
 * @param targets as HOST:PORT
 * @param channelLifetime after which a connection is closed and another opened; null = never
 */
record TcpkaliCommand(
    int connections,
    int workers,
    double messagesPerSecondEach,
    double connectsPerSecond,
    Duration connectTimeout,
    int messageBytes,
    double windowSeconds,
    double warmUpSeconds,
    double durationSeconds,
    List<String> sources,
    List<String> targets,
    @Nullable Duration channelLifetime) {

  /** Connections per worker whose times tcpkali adds up; of the others only those that are closed. */
  static final int LOOKED_AT_PER_WORKER = 10;

  /** The percentiles of the steady state's times that tcpkali is asked for. */
  static final String PERCENTILES = "50,90,99,99.9,99.99,100";

  /** The last byte of a message: its coming back ends the time. */
  static final char MARKER = 'E';

  /** A connection that is closed and replaced loses one message; this keeps the loss within what is judged. */
  private static final double LIFETIME_PERIODS = 1 / (1 - LoadJudge.Bounds.DEFAULT.achievedShareLeast());

  private static final char FILLER = 'e';

  /**
   * Makes the command of a plan.
   *
   * @param targets the plan's, resolved
   * @param processors of this host: tcpkali refuses more workers
   * @throws UnfitPlanException for what tcpkali cannot do
   */
  static TcpkaliCommand of(
      LoadPlan plan,
      List<SocketAddress> targets,
      EphemeralPorts ports,
      int processors,
      @Nullable Duration channelLifetime)
      throws UnfitPlanException {
    refuseWhatItCannot(plan, processors);
    int connections = plan.connections();
    double period = connections / plan.ratePerSecond();
    if (channelLifetime != null && seconds(channelLifetime) < LIFETIME_PERIODS * period) {
      throw new UnfitPlanException(
          "with a channel lifetime of %s s each connection would lose the first of every %.1f messages, as it sends "
                  .formatted(decimal(seconds(channelLifetime)), seconds(channelLifetime) / period)
              + "first %s s after its connect: give %s s or more"
                  .formatted(decimal(period), decimal(LIFETIME_PERIODS * period)));
    }
    double connectsPerSecond = connectsPerSecond(plan.ratePerSecond(), plan.connectsPerSecond());
    // A connection sends first one period after its connect.
    double warmUp = Math.max(seconds(plan.warmUpMin()), period);
    double window = seconds(plan.steady());
    // The first window that begins after the warm-up may begin a whole window after it.
    double duration = Math.max(1.5 * connections / connectsPerSecond, warmUp + 2 * window) + 10;
    return new TcpkaliCommand(
        connections,
        Math.min(connections, plan.loops() == 0 ? processors : plan.loops()),
        plan.ratePerSecond() / connections,
        connectsPerSecond,
        plan.connectTimeout(),
        plan.messageBytes(),
        window,
        warmUp,
        Math.ceil(duration),
        sources(plan, targets, ports),
        targets.stream().map(SocketAddress::toString).toList(),
        channelLifetime);
  }

  private static void refuseWhatItCannot(LoadPlan plan, int processors) throws UnfitPlanException {
    if (plan.staged() != null) {
      throw new UnfitPlanException("tcpkali has no users in stages; use --client closed-loop");
    }
    if (plan.protocol() == Protocol.HTTP) {
      throw new UnfitPlanException("tcpkali cannot speak HTTP; use --client wrk2 or --client open-loop");
    }
    if (plan.protocol() == Protocol.WEBSOCKET) {
      throw new UnfitPlanException("tcpkali is driven over plain TCP only, and this load is WebSocket; use --client open-loop");
    }
    if (plan.schedule() != Schedule.CONSTANT) {
      throw new UnfitPlanException(
          "tcpkali sends at a constant rate only; for %s use --client open-loop".formatted(plan.schedule().id()));
    }
    if (plan.activeConnections() < plan.connections()) {
      throw new UnfitPlanException(
          "tcpkali sends on all connections; for active_share %s use --client open-loop".formatted(plan.activeShare()));
    }
    if (plan.steady().compareTo(Duration.ofMillis(500)) < 0) {
      throw new UnfitPlanException(
          "tcpkali gives no times of windows below 0.5 s, and the steady state is %d ms: make it longer"
              .formatted(plan.steady().toMillis()));
    }
    if (plan.loops() > processors) {
      throw new UnfitPlanException(
          "tcpkali takes at most one worker per processor: %d were asked for (--loops) and there are %d"
              .formatted(plan.loops(), processors));
    }
  }

  /**
   * The connects per second for a ramp. A connection's sends follow its connect at whole periods, so the connects are
   * spread as the sends shall be: over as many whole periods as the wished rate of connects needs.
   */
  static double connectsPerSecond(double messagesPerSecond, double wished) {
    return messagesPerSecond / Math.ceil(messagesPerSecond / wished);
  }

  /**
   * Addresses to connect from. tcpkali binds without IP_BIND_ADDRESS_NO_PORT, so the kernel picks a port that no other
   * connection of that address has, whatever its target: one range of ports per address. Half of it is planned, as
   * bind() too walks it by parity.
   */
  private static List<String> sources(LoadPlan plan, List<SocketAddress> targets, EphemeralPorts ports)
      throws UnfitPlanException {
    int perSource = Math.max(1, ports.perTuple());
    int needed = Math.ceilDiv(plan.connections(), perSource);
    List<String> given = plan.sourceAddresses();
    if (given.isEmpty() && targets.stream().allMatch(SocketAddress::isLoopback)) {
      List<String> loopback = new ArrayList<>();
      for (int i = 0; i < needed; i++) {
        loopback.add("127." + i / 62_500 + "." + i / 250 % 250 + "." + (2 + i % 250));
      }
      return List.copyOf(loopback);
    }
    if (needed > Math.max(1, given.size())) {
      throw new UnfitPlanException(
          "%,d connections do not fit: tcpkali binds each to a port of its own, ip_local_port_range %d-%d gives %,d, "
                  .formatted(plan.connections(), ports.first(), ports.last(), ports.usable())
              + "half of which are planned (%,d) per source address: give %,d with --source-address, or use "
                  .formatted(perSource, needed)
              + "--client open-loop; see runbooks/symptoms/ephemeral-ports-exhausted.md");
    }
    return given;
  }

  /** The arguments; the first is the program. */
  List<String> argv(Path program, Path message, int statsdPort) {
    List<String> argv = new ArrayList<>();
    argv.add(program.toString());
    add(argv, "--workers", workers);
    add(argv, "--connections", connections);
    add(argv, "--connect-rate", decimal(connectsPerSecond));
    add(argv, "--connect-timeout", decimal(seconds(connectTimeout)) + "s");
    add(argv, "--duration", decimal(durationSeconds) + "s");
    add(argv, "--nagle", "off");
    sources.forEach(source -> add(argv, "--source-ip", source));
    add(argv, "--message-file", message);
    add(argv, "--message-rate", decimal(messagesPerSecondEach));
    add(argv, "--latency-connect");
    add(argv, "--latency-marker", MARKER);
    add(argv, "--latency-percentiles", PERCENTILES);
    add(argv, "--statsd");
    add(argv, "--statsd-host", "127.0.0.1");
    add(argv, "--statsd-port", statsdPort);
    add(argv, "--statsd-latency-window", decimal(windowSeconds) + "s");
    if (channelLifetime != null) {
      add(argv, "--channel-lifetime", decimal(seconds(channelLifetime)) + "s");
    }
    argv.addAll(targets);
    return List.copyOf(argv);
  }

  private static void add(List<String> argv, String option, Object... value) {
    argv.add(option);
    for (Object part : value) {
      argv.add(part.toString());
    }
  }

  /** Plain digits, as tcpkali takes a letter after a number for a unit. */
  private static String decimal(double value) {
    return new BigDecimal(value, new MathContext(12)).stripTrailingZeros().toPlainString();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** One message; its last byte is in no other place. */
  String message() {
    return String.valueOf(FILLER).repeat(messageBytes - 1) + MARKER;
  }

  /** Descriptors without which it does not start: one per connection, pipes, and what it opens beyond its number. */
  long descriptorsNeeded() {
    return connections + 4 + 2L * workers + 32;
  }

  /** Seconds between two messages of a connection. */
  double periodSeconds() {
    return 1 / messagesPerSecondEach;
  }

  double messagesPerSecond() {
    return messagesPerSecondEach * connections;
  }

  /** Connections whose times it adds up, or null where closed ones make it all of them. */
  @Nullable Integer coverage() {
    boolean all = channelLifetime != null && seconds(channelLifetime) < windowSeconds;
    int lookedAt = Math.min(connections, LOOKED_AT_PER_WORKER * workers);
    return all || lookedAt == connections ? null : (Integer) lookedAt;
  }

  /** Connections that it opens and closes by itself before the ramp: one per target, unless it is told its sources. */
  int probes() {
    return sources.isEmpty() ? targets.size() : 0;
  }
}
