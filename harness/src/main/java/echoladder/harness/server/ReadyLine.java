package echoladder.harness.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a server says on stdout once it can accept.
 *
 * @param pid of the process that serves
 * @param port it accepts on, 1 to 65,535
 * @param metricsPort of its /metrics page
 * @param config every option in force and what really runs
 */
public record ReadyLine(
    boolean ready,
    String server,
    long pid,
    String host,
    int port,
    @JsonProperty("metrics_port") int metricsPort,
    Map<String, @Nullable Object> config) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /** Reads the line; anything else is an {@link IllegalArgumentException} that says what is wrong with it. */
  public static ReadyLine parse(String line) {
    @Nullable ReadyLine read;
    try {
      read = JSON.readValue(line, ReadyLine.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "its first line on stdout is no ready line: " + shorten(line) + " (" + e.getOriginalMessage() + ")", e);
    }
    if (read == null || !read.ready() || read.pid() < 1 || badPort(read.port()) || badPort(read.metricsPort())) {
      throw new IllegalArgumentException(
          "its ready line lacks ready=true, a pid, or ports from 1 to 65535: " + shorten(line));
    }
    return read;
  }

  private static boolean badPort(int port) {
    return port < 1 || port > 65_535;
  }

  private static String shorten(String line) {
    return line.length() <= 200 ? line : line.substring(0, 200) + "...";
  }

  /** The address to reach it at: that of loopback where it listens on every address. */
  public String reachableHost() {
    return host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
  }

  /** Its Prometheus page. */
  public URI metrics() {
    return URI.create("http://" + reachableHost() + ":" + metricsPort + "/metrics");
  }

  /** Where it is told to collect garbage. */
  public URI gc() {
    return URI.create("http://" + reachableHost() + ":" + metricsPort + "/gc");
  }
}
