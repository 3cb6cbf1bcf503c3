package echoladder.servers.kit.options;

import picocli.CommandLine.Option;

/** The bound that every WebSocket server takes beside the common options. */
public final class WebSocketOptions {
  private static final int MOST = 64 << 20;

  @Option(
      names = "--max-message-bytes",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "Largest message, all its fragments together, 1 to 67108864; a larger one ends its connection with 1009;"
          + " default ${DEFAULT-VALUE}")
  private int maxMessageBytes = 1 << 20;

  /** 1 to 64 MiB. */
  public int maxMessageBytes() {
    return maxMessageBytes;
  }

  /** Throws {@link BadOption} where it is out of its range. */
  public void check() {
    BadOption.unlessWithin("--max-message-bytes", maxMessageBytes, 1, MOST);
  }
}
