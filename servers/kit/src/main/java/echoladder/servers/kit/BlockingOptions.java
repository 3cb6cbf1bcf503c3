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

  /** 1 to 16 MiB; {@link BadOption} outside. */
  int bufferBytes() {
    BadOption.unlessWithin("--buffer-bytes", bufferBytes, 1, 16 << 20);
    return bufferBytes;
  }
}
