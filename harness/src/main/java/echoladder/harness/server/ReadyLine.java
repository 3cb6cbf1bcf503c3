package echoladder.harness.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The line that a server prints on stdout once it can accept.
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

  /** As the host of a server: every address of loopback, and nothing that comes from another host. */
  static final String ALL_OF_LOOPBACK = "127.0.0.0/8";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  /** A name, an IPv4 address, or an IPv6 address without brackets. */
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9._-]{0,252})?|[0-9a-fA-F:.]{2,45}");

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
    if (!addressed(read)) {
      throw new IllegalArgumentException(
          "its ready line's host '" + shorten(read.host()) + "' is no name and no address: " + shorten(line));
    }
    return read;
  }

  /** Whether there is a page of that host; what a URL takes for an address is for the JDK to say. */
  private static boolean addressed(ReadyLine line) {
    if (!HOST.matcher(line.host()).matches() && !line.host().equals(ALL_OF_LOOPBACK)) {
      return false;
    }
    try {
      return line.metrics().getPort() == line.metricsPort();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean badPort(int port) {
    return port < 1 || port > 65_535;
  }

  /** A server's text as part of a message: one line without control characters, 200 characters of it at most. */
  static String shorten(String line) {
    String shown = line.replaceAll("\\p{C}", "?");
    return shown.length() <= 200 ? shown : shown.substring(0, 200) + "...";
  }

  /** This server as it is reached at another of its addresses. */
  public ReadyLine reachedAt(String address) {
    return new ReadyLine(ready, server, pid, address, port, metricsPort, config);
  }

  /** The address to reach it at: that of loopback where it listens on several. */
  public String reachableHost() {
    return host.equals("0.0.0.0") || host.equals("::") || host.equals(ALL_OF_LOOPBACK) ? "127.0.0.1" : host;
  }

  /** Its Prometheus page. */
  public URI metrics() {
    return page("/metrics");
  }

  /** Where it is told to collect garbage. */
  public URI gc() {
    return page("/gc");
  }

  private URI page(String path) {
    String reachable = reachableHost();
    return URI.create("http://" + (reachable.contains(":") ? "[" + reachable + "]" : reachable) + ":" + metricsPort + path);
  }
}
