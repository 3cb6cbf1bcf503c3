package echoladder.servers.kit.options;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Option;

/** What every server takes. Each value is checked by {@link #check}; a bad one is named with its range. */
public final class ServerOptions {
  /** Whether something runs. */
  enum Switch {
    ON,
    OFF;

    /** As it is written on a command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A kind of contender. */
  enum Entry {
    STOCK,
    TUNED;

    /** As it is written on a command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** As a value of --host: every address of loopback, and nothing that comes from another host. */
  static final String ALL_OF_LOOPBACK = "127.0.0.0/8";

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "IPv4 address to listen on, for echo and metrics; " + ALL_OF_LOOPBACK
          + " = every address of loopback for echo, 127.0.0.1 for metrics; default ${DEFAULT-VALUE}")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Echo port, 0 to 65535; 0 = any free one")
  private int port;

  @Option(
      names = "--backlog",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Accept queue asked of the kernel, 1 to 1048576; somaxconn caps it; default ${DEFAULT-VALUE}")
  private int backlog = 4096;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of /metrics and /gc, 0 to 65535; 0 = any free one")
  private int metricsPort;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = DurationText.class,
      description = "How long to let what is in flight finish when told to stop, up to 1h; default ${DEFAULT-VALUE}")
  private Duration drain = Duration.ofSeconds(5);

  @Option(
      names = "--hiccup-meter",
      paramLabel = "on|off",
      defaultValue = "on",
      description = "Whether a thread of this process measures for how long the process stood still; default ${DEFAULT-VALUE}")
  private Switch hiccupMeter = Switch.ON;

  @Option(
      names = "--entry",
      paramLabel = "stock|tuned",
      defaultValue = "stock",
      description = "What its options make of it, for the record: the server as it comes, or with the tuned values of its"
          + " server.yaml; sets nothing; default ${DEFAULT-VALUE}")
  @SuppressWarnings("unused") // Config reads every option by its annotation.
  private Entry entry = Entry.STOCK;

  @Option(
      names = "--stop-on-stdin-eof",
      description = "Stop as on SIGTERM when stdin ends, so as not to outlive a parent that was killed")
  private boolean stopOnStdinEof;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit")
  private boolean help;

  /** As given: an IPv4 address, a name that resolves to one, or {@link #ALL_OF_LOOPBACK}. */
  public String host() {
    return host;
  }

  /** The address to listen on for echo. A listener on every address is tied to loopback afterwards where that was asked. */
  public String echoHost() {
    return allOfLoopback() ? "0.0.0.0" : host;
  }

  public boolean allOfLoopback() {
    return host.equals(ALL_OF_LOOPBACK);
  }

  /** Where to listen for echo; port 0 = any. A host that does not resolve to IPv4 is a {@link BadOption}. */
  public InetSocketAddress echoAddress() {
    return address(echoHost(), port);
  }

  /** Where to listen for metrics; port 0 = any. */
  public InetSocketAddress metricsAddress() {
    return address(allOfLoopback() ? "127.0.0.1" : host, metricsPort);
  }

  private InetSocketAddress address(String at, int p) {
    InetSocketAddress address = new InetSocketAddress(at, p);
    if (!(address.getAddress() instanceof Inet4Address)) {
      throw new BadOption("--host " + host + " is not, and does not resolve to, an IPv4 address; e.g. 127.0.0.1");
    }
    return address;
  }

  /** 1 to 1,048,576, as asked; the kernel's somaxconn caps it. */
  public int backlog() {
    return backlog;
  }

  /** Whether the process measures its own hiccups. */
  public boolean hiccupMeter() {
    return hiccupMeter == Switch.ON;
  }

  /** 0 to one hour. */
  public Duration drain() {
    return drain;
  }

  public boolean stopOnStdinEof() {
    return stopOnStdinEof;
  }

  public boolean help() {
    return help;
  }

  public void check() {
    BadOption.unlessWithin("--port", port, 0, 65_535);
    BadOption.unlessWithin("--backlog", backlog, 1, 1 << 20);
    BadOption.unlessWithin("--metrics-port", metricsPort, 0, 65_535);
    if (host.isBlank()) {
      throw new BadOption("--host is empty; give an IPv4 address, e.g. 127.0.0.1 or 0.0.0.0");
    }
  }
}
