package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The server of somebody else that a run climbed.
 *
 * @param target HOST:PORT
 * @param serverMetrics URL of its Prometheus page
 * @param sameHost whether its address is one of the client's host: then the host's figures are of both
 * @param allowed hosts beyond loopback and private ranges that the user listed as his to load
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AttachedRecord(
    String target,
    String serverMetrics,
    boolean sameHost,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> allowed) {
  public AttachedRecord {
    allowed = List.copyOf(Objects.requireNonNullElse(allowed, List.of()));
  }
}
