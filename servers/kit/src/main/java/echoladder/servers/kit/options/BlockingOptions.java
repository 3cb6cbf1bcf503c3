package echoladder.servers.kit.options;

import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the servers with a thread per connection take beside the common options. */
public final class BlockingOptions {
  /** Who writes what is pushed. */
  enum PushWriter {
    QUEUE,
    PUBLISHER;

    /** As it is written on a command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--buffer-bytes",
      paramLabel = "N",
      defaultValue = "256",
      description = "Buffer of each connection, 1 to 16777216 bytes; default ${DEFAULT-VALUE}")
  private int bufferBytes = 256;

  @Option(
      names = "--warm-up-connections",
      paramLabel = "N",
      defaultValue = "0",
      description = "Connections that the server makes to itself before it is ready, 0 to 1000000; default ${DEFAULT-VALUE}")
  private int warmUpConnections;

  @Option(
      names = "--keep-alive",
      paramLabel = "on|off",
      defaultValue = "off",
      description = "Whether the kernel probes connections that are silent (SO_KEEPALIVE); default ${DEFAULT-VALUE}")
  private ServerOptions.Switch keepAlive = ServerOptions.Switch.OFF;
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--push-writer",
      paramLabel = "NAME",
      defaultValue = "queue",
      description = "Who writes a message to its subscribers: a thread of each connection behind a bounded queue, or the publisher's"
          + " own thread, which then waits for who does not read; ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
  private PushWriter pushWriter = PushWriter.QUEUE;

  /** 1 to 16 MiB; {@link BadOption} outside. */
  public int bufferBytes() {
    BadOption.unlessWithin("--buffer-bytes", bufferBytes, 1, 16 << 20);
    return bufferBytes;
  }

  /** Whether silent connections are probed. */
  public boolean keepAlive() {
    return keepAlive == ServerOptions.Switch.ON;
  }

  /** 0 to 1,000,000; {@link BadOption} outside. */
  public int warmUpConnections() {
    BadOption.unlessWithin("--warm-up-connections", warmUpConnections, 0, 1_000_000);
    if (warmUpConnections > 0 && push.push()) {
      throw new BadOption("--warm-up-connections " + warmUpConnections + " is not allowed with --traffic push: the warm-up echoes");
    }
    if (warmUpConnections > 0 && tls.on()) {
      throw new BadOption("--warm-up-connections " + warmUpConnections + " is not allowed with --tls on: the warm-up is plain");
    }
    return warmUpConnections;
  }

  /** Whether to push, and how. */
  public PushOptions push() {
    return push;
  }

  /** Whether to speak TLS, and by which certificate. */
  public TlsOptions tls() {
    return tls;
  }

  /** Whether a publisher's thread writes to the subscribers itself. */
  public boolean publisherWrites() {
    return pushWriter == PushWriter.PUBLISHER;
  }
}
