package echoladder.servers.kit.options;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The bounds that every HTTP server takes beside the common options. */
public final class HttpOptions {
  @Option(
      names = "--max-body-bytes",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "Largest body of a request, 1 to 67108864; more is answered 413; default ${DEFAULT-VALUE}")
  private int maxBodyBytes = 1 << 20;

  @Option(
      names = "--max-header-bytes",
      paramLabel = "N",
      defaultValue = "16384",
      description = "Largest head of a request, 1024 to 1048576; more is answered 431; default ${DEFAULT-VALUE}")
  private int maxHeaderBytes = 16 << 10;

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = DurationText.class,
      description = "From a request's first byte to its last, whole seconds, 1s to 60m; what is slower is cut off;"
          + " default ${DEFAULT-VALUE}")
  private Duration requestTimeout = Duration.ofSeconds(30);

  /** 1 to 64 MiB. */
  public int maxBodyBytes() {
    return maxBodyBytes;
  }

  /** 1 KiB to 1 MiB. */
  public int maxHeaderBytes() {
    return maxHeaderBytes;
  }

  /** Whole seconds, 1 s to one hour. */
  public Duration requestTimeout() {
    return requestTimeout;
  }

  /** Throws {@link BadOption} where one is out of its range. */
  public void check() {
    BadOption.unlessWithin("--max-body-bytes", maxBodyBytes, 1, 64 << 20);
    BadOption.unlessWithin("--max-header-bytes", maxHeaderBytes, 1 << 10, 1 << 20);
    if (requestTimeout.toMillis() < 1000 || requestTimeout.toMillis() % 1000 != 0) {
      throw new BadOption("--request-timeout " + DurationText.of(requestTimeout) + " is not allowed; whole seconds, 1s to 60m");
    }
  }
}
