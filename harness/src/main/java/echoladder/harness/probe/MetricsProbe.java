package echoladder.harness.probe;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * What the server says of itself on its metrics page: connections, bytes, accept errors, and its collector's pauses.
 * It asks for these series alone, by the {@code name[]} of the Prometheus libraries: a page with the state of ten
 * thousand threads would cost the server more than many echoes do.
 */
final class MetricsProbe implements Probe {
  private static final Map<String, Figure> COUNTS =
      Map.of(
          "echo_connections_open", Figure.ECHO_CONNECTIONS_OPEN,
          "echo_connections_accepted_total", Figure.ECHO_CONNECTIONS_ACCEPTED,
          "echo_received_bytes_total", Figure.ECHO_RECEIVED_BYTES,
          "echo_sent_bytes_total", Figure.ECHO_SENT_BYTES,
          "echo_accept_errors_total", Figure.ECHO_ACCEPT_ERRORS);

  /** Pauses of the JVM's collectors and of Go's, of which a server has one. */
  private static final List<String> PAUSES = List.of("jvm_gc_collection_seconds", "go_gc_duration_seconds");

  private final URI page;
  private volatile String failure = "";

  MetricsProbe(URI page) {
    String names =
        COUNTS.keySet().stream().sorted().map(n -> "name%5B%5D=" + n).collect(Collectors.joining("&"))
            + PAUSES.stream().map(n -> "&name%5B%5D=" + n).collect(Collectors.joining());
    this.page = URI.create(page + "?" + names);
  }

  @Override
  public void sample(Reading into) {
    MetricsPage metrics;
    try {
      metrics = MetricsPage.fetch(page);
      failure = "";
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
      return;
    }
    COUNTS.forEach((name, figure) -> metrics.sum(name).ifPresent(value -> into.put(figure, (long) value)));
    for (String pauses : PAUSES) {
      metrics.sum(pauses + "_count").ifPresent(n -> into.put(Figure.SERVER_GC_COUNT, (long) n));
      OptionalDouble seconds = metrics.sum(pauses + "_sum");
      seconds.ifPresent(s -> into.put(Figure.SERVER_GC_PAUSE_NS, Math.round(s * 1e9)));
    }
  }

  /** Why the last page could not be had; empty where it could. */
  String failure() {
    return failure;
  }
}
