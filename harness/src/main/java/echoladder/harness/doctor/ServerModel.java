package echoladder.harness.doctor;

import echoladder.harness.server.ServerManifest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a connection costs a server.
 *
 * @param name of the server; null = none was named
 * @param bytesPerConnection user memory, in bytes; null = unknown
 * @param bytesSource where that figure is from; null = unknown
 * @param threadsPerConnection platform threads
 * @param raisesSoftLimit whether it starts with as many descriptors as the hard limit allows, as JVM and Go see to themselves; null =
 *     unknown
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ServerModel(
    @Nullable String name,
    @Nullable Long bytesPerConnection,
    @Nullable String bytesSource,
    int threadsPerConnection,
    @Nullable Boolean raisesSoftLimit) {

  /** A server of which nothing is known but that it does not start a thread per connection. */
  public static ServerModel unnamed() {
    return new ServerModel(null, null, null, 0, null);
  }

  /**
   * As its server.yaml declares it: {@code bytes_per_connection} and {@code threads_per_connection}, of the server or of an option's value.
   *
   * @param options that it is told; the others have their defaults
   */
  public static ServerModel of(ServerManifest manifest, Map<String, String> options) {
    ServerManifest.ConnectionCost cost = manifest.cost(options);
    ServerManifest.BytesPerConnection bytes = cost.bytes();
    return new ServerModel(
        manifest.name(),
        bytes == null ? null : (Long) bytes.value(),
        bytes == null ? null : bytes.source(),
        cost.threads(),
        !manifest.unmanaged());
  }

  /** This server with its memory per connection as unknown: it is yet to be seen what its connections take. */
  public ServerModel withoutBytes() {
    return new ServerModel(name, null, null, threadsPerConnection, raisesSoftLimit);
  }

  /** This server started by the ladder, which is a JVM: what it starts has the soft limit that it has raised for itself. */
  public ServerModel startedHere() {
    return new ServerModel(name, bytesPerConnection, bytesSource, threadsPerConnection, true);
  }
}
