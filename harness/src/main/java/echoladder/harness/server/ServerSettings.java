package echoladder.harness.server;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings that every server takes, and the options of one server.
 *
 * @param host address to listen on
 * @param port 0 = any free one
 * @param backlog of listen(2)
 * @param metricsPort 0 = any free one
 * @param drain how long a stopping server may finish what is in flight
 * @param options of this server, by name, where they differ from the defaults
 */
public record ServerSettings(
    String host, int port, int backlog, int metricsPort, Duration drain, Map<String, String> options) {
  /** On loopback, at ports that are free, with the backlog that all servers get alike. */
  public static final ServerSettings DEFAULT =
      new ServerSettings("127.0.0.1", 0, 4096, 0, Duration.ofSeconds(5), Map.of());

  public ServerSettings {
    // In the order that they were written in: Map.copyOf has another one in each JVM.
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** These settings with those options. */
  public ServerSettings with(Map<String, String> chosen) {
    return new ServerSettings(host, port, backlog, metricsPort, drain, chosen);
  }

  /** These settings at that port. */
  public ServerSettings at(int known) {
    return new ServerSettings(host, known, backlog, metricsPort, drain, options);
  }

  /** These settings with that backlog. */
  public ServerSettings waiting(int connections) {
    return new ServerSettings(host, port, connections, metricsPort, drain, options);
  }

  /** These settings at every address of its network namespace. */
  public ServerSettings atEveryAddress() {
    return new ServerSettings("0.0.0.0", port, backlog, metricsPort, drain, options);
  }

  /** These settings at every address of loopback, and at no other. */
  public ServerSettings atAllOfLoopback() {
    return new ServerSettings(ReadyLine.ALL_OF_LOOPBACK, port, backlog, metricsPort, drain, options);
  }

  /** As arguments; the server stops when its stdin ends, so that it never outlives a harness that was killed. */
  List<String> arguments() {
    return List.of(
        "--host", host,
        "--port", Integer.toString(port),
        "--backlog", Integer.toString(backlog),
        "--metrics-port", Integer.toString(metricsPort),
        "--drain", drain.toMillis() + "ms",
        "--stop-on-stdin-eof");
  }
}
