package echoladder.servers.kit;

import picocli.CommandLine.Option;

/** What the servers with a thread per connection take beside the common options. */
public final class BlockingOptions {
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

  /** 1 to 16 MiB; {@link BadOption} outside. */
  int bufferBytes() {
    BadOption.unlessWithin("--buffer-bytes", bufferBytes, 1, 16 << 20);
    return bufferBytes;
  }

  /** Whether silent connections are probed. */
  boolean keepAlive() {
    return keepAlive == ServerOptions.Switch.ON;
  }

  /** 0 to 1,000,000; {@link BadOption} outside. */
  int warmUpConnections() {
    BadOption.unlessWithin("--warm-up-connections", warmUpConnections, 0, 1_000_000);
    return warmUpConnections;
  }
}
