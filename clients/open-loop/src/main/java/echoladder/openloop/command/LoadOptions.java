package echoladder.openloop.command;

import echoladder.client.Amounts;
import echoladder.client.Churn;
import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.PageCredentials;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.Schedule;
import echoladder.client.SlowReaders;
import echoladder.client.Target;
import echoladder.client.Tls;
import echoladder.linux.ErrorText;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.openloop.connection.RouteOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code load}, as text; {@link #plan} makes a plan of them. */
final class LoadOptions {
  // Not the fields' own values: --idle-probe has to see whether the options were given.
  static final int CONNECTIONS = 100;
  static final int RATE_PER_S = 1_000;
  static final String DURATION = "10s";

  @Option(
      names = "--target",
      paramLabel = "HOST:PORT",
      description = "The server; several times for several addresses of one server.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--connections",
      paramLabel = "N",
      converter = AmountOption.Count.class,
      description = "Connections to hold, 1 to 5000000, e.g. 10k. Default: " + CONNECTIONS + ".")
  private @Nullable Integer connections;

  @Option(
      names = "--rate",
      paramLabel = "R",
      converter = AmountOption.PerSecond.class,
      description = "Messages per second over all connections together, e.g. 5000, 5000/s or 5k/s. Default: " + RATE_PER_S + ".")
  private @Nullable Double rate;

  @Option(names = "--duration", paramLabel = "TIME", description = "Length of the steady state, e.g. 20s. Default: " + DURATION + ".")
  private @Nullable String duration;

  @Option(
      names = "--protocol",
      paramLabel = "P",
      description =
          "tcp (plain echo), http (POST /echo, HTTP/1.1 keep-alive) or websocket (a binary message, RFC 6455). Default: ${DEFAULT-VALUE}.")
  private String protocol = "tcp";

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description = "Over HTTP: where messages are posted. Over WebSocket: where the upgrade is asked for. Default: /echo.")
  private @Nullable String path;

  @Option(names = "--message-bytes", paramLabel = "B", description = "Size of a message. Default: ${DEFAULT-VALUE}.")
  private int messageBytes = 64;

  @Option(
      names = "--schedule",
      paramLabel = "KIND",
      completionCandidates = Schedules.class,
      description = "How the intended sends are spread: ${COMPLETION-CANDIDATES}. docs/METHOD.md, Schedules, says what each is."
          + " Default: ${DEFAULT-VALUE}.")
  private String schedule = "constant";

  @Option(names = "--seed", paramLabel = "S", description = "Of every random choice. Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(
      names = "--in-flight",
      paramLabel = "K",
      description = "Unanswered messages a connection may have at once, 1 to 64. Default: ${DEFAULT-VALUE}.")
  private int inFlight = 1;

  @Option(
      names = "--active-share",
      paramLabel = "X",
      description = "Part of the connections that sends at all, above 0 to 1. Default: ${DEFAULT-VALUE}.")
  private double activeShare = 1;

  @Option(
      names = "--churn",
      paramLabel = "R",
      converter = AmountOption.PerSecond.class,
      description = "Connections per second that the client ends and replaces by others; a life lasts connections / R on average.")
  private @Nullable Double churn;

  @Option(
      names = "--lifetime",
      paramLabel = "KIND",
      description = "With --churn: exponential or fixed. Default: ${DEFAULT-VALUE}.")
  private String lifetime = "exponential";

  @Option(
      names = "--publish",
      paramLabel = "TO",
      description = "The server pushes in place of echoing: messages are published on one more connection and delivered to the connections"
          + " that --active-share names: all, or topics-of-N. --rate is in deliveries then.")
  private @Nullable String publish;

  @Option(
      names = "--slow-readers",
      paramLabel = "X",
      description = "Part of the connections that send, or with --publish of the subscribers, that reads nothing from the beginning of the"
          + " steady state on, 0 to 0.5. --rate is of the others. Default: ${DEFAULT-VALUE}.")
  private double slowReaders;

  @Option(
      names = "--slow-readers-rate",
      paramLabel = "RATE",
      description = "With --slow-readers: what each of them reads at most, e.g. 1KiB/s. Default: nothing.")
  private @Nullable String slowReadersRate;

  @Option(
      names = "--subscribe-path",
      paramLabel = "PATH",
      description = "With --publish over HTTP: where the event stream of a topic is asked for; {topic} stands for its number."
          + " Default: /subscribe?topic={topic}. Over WebSocket: where a subscriber upgrades; each message is then what was published,"
          + " as text or bytes. Without this option and the next one, WebSocket carries the frames of push.")
  private @Nullable String subscribePath;

  @Option(
      names = "--publish-path",
      paramLabel = "PATH",
      description = "With --publish over HTTP or WebSocket: where a message is posted to; {topic} stands for its topic's number."
          + " Default: /publish?topic={topic}. Over WebSocket also ws:PATH: one more connection upgrades at PATH and sends each message"
          + " as text, without an answer.")
  private @Nullable String publishPath;

  @Option(
      names = "--tls",
      paramLabel = "VERSION",
      arity = "0..1",
      fallbackValue = Tls.LATEST,
      description = "TLS under what is spoken, by the OpenSSL 3 of this host: 1.3, which is meant without a version, or 1.2. The server's"
          + " chain and name are verified.")
  private @Nullable String tls;

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      description = "With --tls: the certificates, PEM, at which the server's chain must end. Default: those that OpenSSL trusts here.")
  private @Nullable Path cacert;

  @Option(
      names = "--tls-name",
      paramLabel = "NAME",
      description = "With --tls: what the server's certificate must be for, a name or an address. Default: the host of the first --target.")
  private @Nullable String tlsName;

  @Option(
      names = "--tls-resumption",
      description = "With --tls: connections resume the session of an earlier one, where the server takes it. Default: full handshakes.")
  private boolean tlsResumption;

  @Option(
      names = "--connect-rate",
      paramLabel = "C",
      converter = AmountOption.PerSecond.class,
      description = "Connects per second in the ramp. Default: ${DEFAULT-VALUE}.")
  private double connectRate = 5_000;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      description = "From the begin of a connect to its first verified echo. Default: ${DEFAULT-VALUE}.")
  private String connectTimeout = "10s";

  @Option(names = "--warm-up-min", paramLabel = "TIME", description = "Default: ${DEFAULT-VALUE}.")
  private String warmUpMin = "2s";

  @Option(
      names = "--warm-up-max",
      paramLabel = "TIME",
      description = "The warm-up ends earlier, once compilers are quiet and echoes were seen. Default: ${DEFAULT-VALUE}.")
  private String warmUpMax = "30s";

  @Option(
      names = "--warm-up-echoes",
      paramLabel = "N",
      converter = AmountOption.CountOrNone.class,
      description = "Echoes to have seen before the steady state. Default: one second's worth, at most 5000.")
  private @Nullable Long warmUpEchoes;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      description = "How long to wait for what is owed at the end. Default: ${DEFAULT-VALUE}.")
  private String drain = "5s";

  @Mixin private RouteOptions route = new RouteOptions();

  @Option(names = "--loops", paramLabel = "L", description = "Event loops, 0 = by the processors.")
  private int loops;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = "Processors of the client, e.g. 1 or 2-3: each event loop has a core of its own, its other threads have the"
          + " rest of the list, or share where there is none. Default: wherever the kernel puts them.")
  private @Nullable String cpus;

  @Option(
      names = "--spin",
      paramLabel = "TIME",
      description = "Poll the sockets from this long before a send is due, e.g. 0.2ms: times without the wake-up of an idle"
          + " core. CPU per echo is not told then. Default: ${DEFAULT-VALUE}, sleep.")
  private String spin = "0ms";

  @Option(
      names = "--stamps",
      paramLabel = "on|off",
      description = "Whether the kernel stamps the arrival of each answer: server times without the client's part of them."
          + " Default: ${DEFAULT-VALUE}.")
  private String stamps = "on";

  @Option(
      names = "--server-pid",
      paramLabel = "PID",
      description = "The server's process here: CPU and RSS of it and of all processes that it has started. One of these must listen at"
          + " the target, and no other process.")
  private @Nullable Long serverPid;

  @Option(
      names = "--server-metrics",
      paramLabel = "URL",
      description = "The server's Prometheus page: its CPU and RSS where it is not here, its compiler's activity.")
  private @Nullable URI serverMetrics;

  /** The plan; a missing or bad option is an {@link IllegalArgumentException} that names it. */
  LoadPlan plan() {
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("needed: --target HOST:PORT, the server");
    }
    if (serverPid != null && (serverPid < 1 || ProcessHandle.of(serverPid).isEmpty())) {
      throw new IllegalArgumentException("--server-pid: there is no process " + serverPid);
    }
    if (serverMetrics != null && (serverMetrics.getScheme() == null || !serverMetrics.getScheme().startsWith("http"))) {
      throw new IllegalArgumentException("--server-metrics: " + PageCredentials.hidden(serverMetrics.toString())
          + " is not an http:// URL");
    }
    Duration warmMax = time("--warm-up-max", warmUpMax);
    Duration warmMin = time("--warm-up-min", warmUpMin);
    double perSecond = rate == null ? RATE_PER_S : rate;
    Duration steady = time("--duration", duration == null ? DURATION : duration);
    return LoadPlan.builder(Target.parse(targets.getFirst()), connections == null ? CONNECTIONS : connections, perSecond, steady)
        .targets(targets.stream().map(Target::parse).toList())
        .sourceAddresses(route.sources())
        .protocol(parseProtocol())
        .http(parseAsk())
        .schedule(parseSchedule())
        .seed(seed)
        .messageBytes(messageBytes)
        .inFlight(inFlight)
        .activeShare(activeShare)
        .churn(churn == null ? null : new Churn(churn, parseLifetime()))
        .publish(parsePublish())
        .slowReaders(parseSlowReaders())
        .tls(parseTls())
        .connectsPerSecond(connectRate)
        .connectTimeout(time("--connect-timeout", connectTimeout))
        .warmUp(warmMin, warmMax, warmUpEchoes != null ? warmUpEchoes : (long) Math.min(5_000, Math.ceil(perSecond)))
        .drain(time("--drain", drain))
        .loops(loops)
        .cpus(parseCpus())
        .spin(time("--spin", spin))
        .stamps(parseStamps())
        .serverPid(serverPid)
        .serverTree(serverPid != null)
        .serverMetrics(serverMetrics)
        .allowedTargets(route.allowed())
        .build();
  }

  /** In place of a plan; what does not go with it is an {@link IllegalArgumentException}. */
  IdleProbe probe(IdleProbeOption option) {
    if (connections != null || rate != null || duration != null || !protocol.equals("tcp")) {
      throw new IllegalArgumentException(
          "--idle-probe is no load: it goes with --target, --allow-target, --connect-timeout and --json alone, over plain TCP");
    }
    return option.probe(targets.stream().map(Target::parse).toList(), route.allowed(), time("--connect-timeout", connectTimeout));
  }

  private @Nullable String parseCpus() {
    if (cpus == null) {
      return null;
    }
    CpuList wanted;
    try {
      wanted = CpuList.parse(cpus);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--cpus: " + e.getMessage(), e);
    }
    CpuList allowed = CpuAffinity.ofThread();
    if (allowed != null && !allowed.containsAll(wanted)) {
      throw new IllegalArgumentException("--cpus " + cpus + ": not all of them are there; this process may run on " + allowed);
    }
    return wanted.toString();
  }

  private boolean parseStamps() {
    return switch (stamps) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new IllegalArgumentException("--stamps: '" + stamps + "' is neither on nor off");
    };
  }

  private Protocol parseProtocol() {
    return switch (protocol) {
      case "tcp" -> Protocol.TCP;
      case "http" -> Protocol.HTTP;
      case "websocket" -> Protocol.WEBSOCKET;
      default -> throw new IllegalArgumentException("--protocol: '" + protocol + "' is none of tcp, http and websocket");
    };
  }

  private HttpAsk parseAsk() {
    if (path != null && publish != null && parseProtocol() == Protocol.HTTP) {
      throw new IllegalArgumentException("--path says nothing with --publish over HTTP; --subscribe-path and --publish-path do");
    }
    if (subscribePath != null || publishPath != null) {
      if (publish == null || parseProtocol() == Protocol.TCP) {
        throw new IllegalArgumentException("--subscribe-path and --publish-path go with --publish and --protocol http or websocket");
      }
      if (path != null) {
        throw new IllegalArgumentException("--path says nothing beside --subscribe-path and --publish-path; leave it out");
      }
      return HttpAsk.ECHO.with(
          new PushPaths(
              subscribePath == null ? PushPaths.DEFAULT.subscribe() : subscribePath,
              publishPath == null ? PushPaths.DEFAULT.publish() : publishPath));
    }
    if (path == null) {
      return HttpAsk.ECHO;
    }
    if (parseProtocol() == Protocol.TCP) {
      throw new IllegalArgumentException("--path goes with --protocol http or websocket");
    }
    return new HttpAsk(path, null, HttpAsk.ECHO.status());
  }

  private @Nullable Publish parsePublish() {
    try {
      return Publish.ofText(publish);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--publish: '" + publish + "' is neither all nor topics-of-N", e);
    }
  }

  private SlowReaders parseSlowReaders() {
    if (slowReadersRate == null) {
      return SlowReaders.ofShare(slowReaders);
    }
    if (slowReaders == 0) {
      throw new IllegalArgumentException("--slow-readers-rate goes with --slow-readers");
    }
    try {
      BigDecimal rate = Amounts.bytesPerSecond(slowReadersRate);
      if (rate.compareTo(BigDecimal.ONE) < 0) {
        throw new IllegalArgumentException("'" + slowReadersRate + "' is less than 1B/s; without a rate nothing is read");
      }
      return new SlowReaders(slowReaders, rate.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--slow-readers-rate: " + e.getMessage(), e);
    }
  }

  private @Nullable Tls parseTls() {
    if (tls == null) {
      if (cacert != null || tlsName != null || tlsResumption) {
        String given = cacert != null ? "--cacert" : tlsName != null ? "--tls-name" : "--tls-resumption";
        throw new IllegalArgumentException(given + " goes with --tls");
      }
      return null;
    }
    if (!Tls.VERSIONS.contains(tls)) {
      throw new IllegalArgumentException("--tls: '" + tls + "' is neither 1.3 nor 1.2");
    }
    String name = tlsName != null ? tlsName : Target.parse(targets.getFirst()).host();
    try {
      return new Tls(tls, name, cacert == null ? null : Files.readString(cacert), tlsResumption);
    } catch (IOException e) {
      throw new IllegalArgumentException("--cacert: " + cacert + " cannot be read: " + ErrorText.of(e), e);
    }
  }

  private Churn.Lifetime parseLifetime() {
    return switch (lifetime) {
      case "exponential" -> Churn.Lifetime.EXPONENTIAL;
      case "fixed" -> Churn.Lifetime.FIXED;
      default -> throw new IllegalArgumentException("--lifetime: '" + lifetime + "' is neither exponential nor fixed");
    };
  }

  private Schedule parseSchedule() {
    try {
      return Schedule.ofId(schedule);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--schedule: " + e.getMessage(), e);
    }
  }

  static Duration time(String option, String text) {
    var match = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)(ms|s|m|h)").matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException(option + ": '" + text + "' is not a time with its unit, e.g. 0.2ms, 20s, 5m");
    }
    long unitNs =
        switch (match.group(2)) {
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        };
    try {
      return Duration.ofNanos(new BigDecimal(match.group(1)).multiply(BigDecimal.valueOf(unitNs)).longValueExact());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(option + ": '" + text + "' is beyond 292 years, or finer than 1 ns", e);
    }
  }
}
