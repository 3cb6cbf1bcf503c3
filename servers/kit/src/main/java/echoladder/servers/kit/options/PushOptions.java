package echoladder.servers.kit.options;

import java.util.Locale;
import picocli.CommandLine.Option;

/** Whether a TCP server echoes or pushes, and how it treats who does not read. */
public final class PushOptions {
  /** The most subscriptions of a connection: they bound what it can cost. */
  public static final int MOST_SUBSCRIPTIONS = 1024;

  /** What the server does with what it receives. */
  enum Traffic {
    ECHO,
    PUSH;

    /** As it is written on a command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What becomes of a message for which a connection's queue has no room. */
  enum SlowReader {
    DROP_OLDEST,
    DISCONNECT;

    /** As it is written on a command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Option(
      names = "--traffic",
      paramLabel = "NAME",
      defaultValue = "echo",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}. With push, clients subscribe to topics and publish to them")
  private Traffic traffic = Traffic.ECHO;

  @Option(
      names = "--push-queue-bytes",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "What waits for one connection at most, 1024 to 1073741824 bytes; default ${DEFAULT-VALUE}")
  private int queueBytes = 1 << 20;

  @Option(
      names = "--slow-reader",
      paramLabel = "NAME",
      defaultValue = "disconnect",
      description = "Whose queue is full: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
  private SlowReader slowReader = SlowReader.DISCONNECT;

  /** Whether the server pushes. */
  public boolean push() {
    return traffic == Traffic.PUSH;
  }

  /** 1 KiB to 1 GiB. */
  public int queueBytes() {
    return queueBytes;
  }

  /** Whether a connection whose queue is full is ended; else its oldest messages go. */
  public boolean disconnects() {
    return slowReader == SlowReader.DISCONNECT;
  }

  /** Throws {@link BadOption} where one is out of its range. */
  public void check() {
    BadOption.unlessWithin("--push-queue-bytes", queueBytes, 1 << 10, 1 << 30);
  }
}
