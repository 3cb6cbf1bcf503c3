package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.PushPaths;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The server of somebody else that a run climbed.
 *
 * @param target HOST:PORT
 * @param serverMetrics URL of its Prometheus page
 * @param sameHost whether its address is one of the client's host: then the host's figures are of both
 * @param allowed hosts beyond loopback and private ranges that the user listed as his to load
 * @param push where it was subscribed to and published to as text; null = as the project's servers are, if at all
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AttachedRecord(
    String target,
    String serverMetrics,
    boolean sameHost,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> allowed,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PushPaths push) {
  public AttachedRecord {
    allowed = List.copyOf(Objects.requireNonNullElse(allowed, List.of()));
  }
}
