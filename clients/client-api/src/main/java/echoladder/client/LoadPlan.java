package echoladder.client;

import echoladder.client.schedule.Bursts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The task of a load tool: one rung. Immutable; made with {@link #builder}.
 *
 * @param protocol what is spoken
 * @param targets addresses of the one server, at least one; connections are spread over them in turn
 * @param sourceAddresses IPv4 literals to connect from, in turn; empty = the kernel's choice, or as many of
 *     127.0.0.0/8 as the ports of a loopback target need
 * @param planPorts whether more connections than half of the ephemeral ports allow are refused beforehand; without, one
 *     address is enough of a plan, and connect() says when there is no port left
 * @param connections 1 to 5,000,000
 * @param ratePerSecond messages per second over all connections together, above 0
 * @param schedule how the intended sends are spread
 * @param seed of every random choice; the same seed gives the same intended sends
 * @param messageBytes 1 to 16 MiB
 * @param inFlight messages a connection may have unanswered at once, 1 to 64
 * @param activeShare which part of the connections sends at all, above 0 and at most 1; the rest stays idle
 * @param connectsPerSecond of the ramp, above 0
 * @param connectsUnderWay connections of the ramp between connect and first echo, at most, over all loops
 * @param connectTimeout a connection without verified echo after this long, from the begin of its connect, has failed
 * @param warmUpMin the least time between ramp and steady state
 * @param warmUpMax the most; it ends earlier once compilers are quiet and {@code warmUpEchoes} were seen
 * @param warmUpEchoes echoes that must have been seen before the steady state
 * @param steady how long the recorded part lasts; see {@link Schedule#steady}
 * @param drain how long to wait for what is owed when the steady state is over
 * @param loops event loops of the client, 0 = choose by the host's processors
 * @param cpus processors of the client's event loops, in the kernel's form, e.g. {@code 1,3-5}: a core for each loop, and its
 *     other threads on what else the process may run on; null = wherever the kernel puts them
 * @param spin how long before a send is due the client begins to poll its sockets instead of sleeping; 0 = it sleeps
 * @param serverPid the server's process where it runs on this host, for its CPU and RSS
 * @param serverMetrics the server's Prometheus page, for its CPU and RSS where the process is not here, and for its compiler's activity
 * @param allowedTargets addresses outside loopback and private ranges that may be loaded all the same
 * @param staged users in stages instead of messages at one rate, over HTTP; the steady state is their stages then, and
 *     schedule, message size, in-flight and active share say nothing
 * @param churn connections that come and go while the load runs; null = they stay
 * @param storm a restart of the server after the hold; null = none
 * @param serverTree whether the processes that {@code serverPid} has started belong to the server
 * @param http what is asked over HTTP, where users in stages do not say it, or where a server pushes; over WebSocket, its path, and where
 *     it pushes text
 * @param stamps whether the kernel stamps the arrival of each answer, so that there are server times
 * @param publish what the server is to push, at a rate in deliveries, to the connections that {@code activeShare} names; null = it echoes
 * @param slowReaders connections that do not read; the rate is that of the others
 * @param tls TLS under the protocol; null = plain
 */
public record LoadPlan(
    Protocol protocol,
    List<Target> targets,
    List<String> sourceAddresses,
    boolean planPorts,
    int connections,
    double ratePerSecond,
    Schedule schedule,
    long seed,
    int messageBytes,
    int inFlight,
    double activeShare,
    double connectsPerSecond,
    int connectsUnderWay,
    Duration connectTimeout,
    Duration warmUpMin,
    Duration warmUpMax,
    long warmUpEchoes,
    Duration steady,
    Duration drain,
    int loops,
    @Nullable String cpus,
    Duration spin,
    @Nullable Long serverPid,
    @Nullable URI serverMetrics,
    List<String> allowedTargets,
    @Nullable StagedLoad staged,
    @Nullable Churn churn,
    @Nullable Storm storm,
    boolean serverTree,
    HttpAsk http,
    boolean stamps,
    @Nullable Publish publish,
    SlowReaders slowReaders,
    @Nullable Tls tls) {
  /** The longest {@link #spin}: beyond it the client never sleeps anyway. */
  public static final Duration MOST_SPIN = Duration.ofSeconds(1);

  /** Connects under way where nothing else is said: well below the servers' common backlog of 4,096. */
  public static final int CONNECTS_UNDER_WAY = 1_024;

  public LoadPlan {
    serverMetrics = serverMetrics == null ? null : PageCredentials.take(serverMetrics);
    targets = List.copyOf(targets);
    sourceAddresses = List.copyOf(sourceAddresses);
    allowedTargets = List.copyOf(allowedTargets);
    publish = publish == null ? null : publish.with(slowReaders);
    Preconditions.check(!targets.isEmpty(), "targets", "none", "at least one HOST:PORT");
    Preconditions.check(connections >= 1 && connections <= 5_000_000, "connections", connections, "1 to 5000000");
    Preconditions.check(ratePerSecond > 0 && ratePerSecond <= 10_000_000, "rate", ratePerSecond, "above 0, at most 10000000 per s");
    Preconditions.check(messageBytes >= 1 && messageBytes <= 16 << 20, "message-bytes", messageBytes, "1 to 16777216");
    Preconditions.check(inFlight >= 1 && inFlight <= 64, "in-flight", inFlight, "1 to 64");
    Preconditions.check(activeShare > 0 && activeShare <= 1, "active-share", activeShare, "above 0, at most 1");
    Preconditions.check(connectsPerSecond > 0 && connectsPerSecond <= 1e6, "connect-rate", connectsPerSecond, "above 0, at most 1e6");
    Preconditions.check(connectsUnderWay >= 1, "connects-under-way", connectsUnderWay, "1 or more");
    Preconditions.check(warmUpEchoes >= 0, "warm-up-echoes", warmUpEchoes, "0 or more");
    Preconditions.check(loops >= 0 && loops <= 256, "loops", loops, "0 (choose) to 256");
    Preconditions.check(spin.compareTo(Duration.ZERO) >= 0 && spin.compareTo(MOST_SPIN) <= 0, "spin", spin, "0 to 1 s");
    Preconditions.checkPhases(connectTimeout, warmUpMin, warmUpMax, steady, drain);
    Preconditions.check(
        protocol != Protocol.WEBSOCKET || http.request() == null, "request", "one", "over WebSocket only the message is sent");
    if (staged == null) {
      long periodNs = Bursts.periodNs(Bursts.senders(connections, activeShare), ratePerSecond);
      Preconditions.check(
          periodNs >= schedule.leastPeriodNs(), "rate", ratePerSecond,
          "a %s every %d ms at most: connections that send / rate".formatted(schedule.id(), schedule.leastPeriodNs() / 1_000_000));
      steady = schedule.steady(steady, periodNs);
    }
    if (staged != null) {
      staged.check(protocol, connections, churn != null || storm != null, steady);
    }
  }

  /** Messages that are published per second; those of a load that publishes nothing are the echoes. */
  public double publishesPerSecond() {
    return publish == null ? ratePerSecond : publish.publishesPerSecond(ratePerSecond, activeConnections());
  }

  /** Messages that all connections together send per second: the rate is that of those who read. */
  public double sendsPerSecond() {
    return slowReaders.any() ? ratePerSecond * activeConnections() / slowReaders.readers(activeConnections()) : ratePerSecond;
  }

  /**
   * Whether connections are asked for one more echo at the end. Users in stages are not, and a subscriber who gets text alone can ask
   * nothing more.
   */
  public boolean callsRoll() {
    return staged == null && (publish == null || !http.pushesText(protocol));
  }

  /** Whether users wait for their answers before they ask again, so that there are no response times. */
  public boolean closedLoop() {
    return staged != null && staged.loop() == StagedLoad.Loop.CLOSED;
  }

  /** Ports that its connections take at most, one each, and those that churn leaves in TIME-WAIT. */
  public long ports() {
    double seconds = warmUpMax.plus(steady).toNanos() / 1e9;
    return connections + (churn == null ? 0 : churn.timeWaitPorts(seconds));
  }

  /** Whether all connections that send are due in one instant, again and again. */
  public boolean bursts() {
    return staged == null && schedule.atOnce();
  }

  /** The time in which each connection that sends does so once. */
  public long periodNs() {
    return Bursts.periodNs(activeConnections(), ratePerSecond);
  }

  /** Connections that send: at least one. */
  public int activeConnections() {
    return Bursts.senders(connections, activeShare);
  }

  /**
   * The part of one client host: so many of the connections with their part of the rate. The rates of all parts add up to that of
   * the whole, but for bursts: a part has a whole number of senders, and its bursts keep the period of the whole.
   *
   * @param some connections, 1 to those of the whole
   * @param itsSeed another one for each part, as phases are drawn by the number of a connection within its part
   * @param sources addresses of that host; none = the kernel's choice
   * @param itsCpus processors there of its event loops; null = wherever the kernel puts them
   */
  public LoadPlan part(int some, long itsSeed, List<String> sources, @Nullable String itsCpus) {
    double share = (double) some / connections;
    double rate = ratePerSecond * (bursts() ? (double) Bursts.senders(some, activeShare) / activeConnections() : share);
    return new LoadPlan(
        protocol, targets, sources, planPorts, some, rate, schedule, itsSeed, messageBytes, inFlight, activeShare,
        connectsPerSecond * share, connectsUnderWay, connectTimeout, warmUpMin, warmUpMax, warmUpEchoes, steady, drain, loops, itsCpus,
        spin, null, null, allowedTargets, staged, churn == null ? null : new Churn(churn.perSecond() * share, churn.lifetime()), storm,
        false, http, stamps, publish, slowReaders, tls);
  }

  /** A plan with every default, to be changed one by one. */
  public static Builder builder(Target target, int connections, double ratePerSecond, Duration steady) {
    return new Builder(target, connections, ratePerSecond, steady);
  }

  /** The plan of users in stages: its connections, rate and length follow from them. */
  public static Builder builder(Target target, StagedLoad staged) {
    Builder builder =
        new Builder(target, staged.connections(), staged.meanCeilingPerS(), staged.length()).protocol(Protocol.HTTP);
    builder.draft.staged = staged;
    return builder;
  }

  /** Collects the parts of a plan; not thread-safe. */
  public static final class Builder {
    private final LoadPlanDraft draft;

    private Builder(Target target, int connections, double ratePerSecond, Duration steady) {
      draft = new LoadPlanDraft(target, connections, ratePerSecond, steady);
    }

    public Builder protocol(Protocol value) {
      draft.protocol = value;
      return this;
    }

    public Builder targets(List<Target> value) {
      draft.targets = value;
      return this;
    }

    public Builder sourceAddresses(List<String> value) {
      draft.sourceAddresses = value;
      return this;
    }

    public Builder planPorts(boolean value) {
      draft.planPorts = value;
      return this;
    }

    public Builder schedule(Schedule value) {
      draft.schedule = value;
      return this;
    }

    public Builder seed(long value) {
      draft.seed = value;
      return this;
    }

    public Builder messageBytes(int value) {
      draft.messageBytes = value;
      return this;
    }

    public Builder inFlight(int value) {
      draft.inFlight = value;
      return this;
    }

    public Builder activeShare(double value) {
      draft.activeShare = value;
      return this;
    }

    public Builder connectsPerSecond(double value) {
      draft.connectsPerSecond = value;
      return this;
    }

    public Builder connectsUnderWay(int value) {
      draft.connectsUnderWay = value;
      return this;
    }

    public Builder connectTimeout(Duration value) {
      draft.connectTimeout = value;
      return this;
    }

    public Builder warmUp(Duration min, Duration max, long echoes) {
      draft.warmUpMin = min;
      draft.warmUpMax = max;
      draft.warmUpEchoes = echoes;
      return this;
    }

    public Builder drain(Duration value) {
      draft.drain = value;
      return this;
    }

    public Builder loops(int value) {
      draft.loops = value;
      return this;
    }

    public Builder cpus(@Nullable String value) {
      draft.cpus = value;
      return this;
    }

    public Builder spin(Duration value) {
      draft.spin = value;
      return this;
    }

    public Builder serverPid(@Nullable Long value) {
      draft.serverPid = value;
      return this;
    }

    public Builder serverMetrics(@Nullable URI value) {
      draft.serverMetrics = value;
      return this;
    }

    public Builder allowedTargets(List<String> value) {
      draft.allowedTargets = value;
      return this;
    }

    public Builder churn(@Nullable Churn value) {
      draft.churn = value;
      return this;
    }

    public Builder storm(@Nullable Storm value) {
      draft.storm = value;
      return this;
    }

    public Builder serverTree(boolean value) {
      draft.serverTree = value;
      return this;
    }

    public Builder http(HttpAsk value) {
      draft.http = value;
      return this;
    }

    public Builder stamps(boolean value) {
      draft.stamps = value;
      return this;
    }

    public Builder publish(@Nullable Publish value) {
      draft.publish = value;
      return this;
    }

    public Builder slowReaders(SlowReaders value) {
      draft.slowReaders = value;
      return this;
    }

    public Builder tls(@Nullable Tls value) {
      draft.tls = value;
      return this;
    }

    /** The plan; a value out of its range is an {@link IllegalArgumentException} naming it, the value and the range. */
    public LoadPlan build() {
      return draft.plan();
    }
  }
}
