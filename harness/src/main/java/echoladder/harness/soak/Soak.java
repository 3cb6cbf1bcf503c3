package echoladder.harness.soak;

import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * soak.json.
 *
 * @param runId name of the folder
 * @param startedAt ISO 8601, UTC
 * @param length of each server's soak, as it was given, e.g. {@code 1h}
 * @param connections that the load holds
 * @param reproduce the command that does it again
 * @param servers to be soaked, in this order
 * @param environment as of a run
 * @param done those that were soaked, in their order
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Soak(
    String runId,
    RunRecord.Status status,
    String startedAt,
    String length,
    int connections,
    String reproduce,
    List<String> servers,
    Map<String, @Nullable Object> environment,
    List<ServerSoak> done) {
  public Soak {
    servers = List.copyOf(servers);
    done = List.copyOf(done);
  }

  /** This soak with one server more. */
  Soak with(ServerSoak server) {
    List<ServerSoak> all = new ArrayList<>(done);
    all.add(server);
    return new Soak(runId, status, startedAt, length, connections, reproduce, servers, environment, all);
  }

  /** This soak with that status. */
  Soak at(RunRecord.Status now) {
    return new Soak(runId, now, startedAt, length, connections, reproduce, servers, environment, done);
  }

  /** Servers that were not soaked yet. */
  List<String> left() {
    List<String> left = new ArrayList<>(servers);
    done.forEach(server -> left.remove(server.server()));
    return left;
  }

  /** Whether every server was soaked and held. */
  public boolean held() {
    return left().isEmpty() && done.stream().allMatch(ServerSoak::held);
  }
}
