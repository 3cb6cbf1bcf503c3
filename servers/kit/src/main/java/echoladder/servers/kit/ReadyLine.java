package echoladder.servers.kit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The one line on stdout, when connections are accepted.
 *
 * @param ready always true
 * @param server as its folder is named
 * @param pid of this process
 * @param host as asked
 * @param port of the echo
 * @param metricsPort of /metrics and /gc
 * @param config every option in force and what really runs
 */
@JsonPropertyOrder({"ready", "server", "pid", "host", "port", "metrics_port", "config"})
public record ReadyLine(
    boolean ready,
    String server,
    long pid,
    String host,
    int port,
    @JsonProperty("metrics_port") int metricsPort,
    Map<String, Object> config) {

  /** Without a line break. */
  public String toJson() {
    return JsonMapper.shared().writeValueAsString(this);
  }
}
