package echoladder.harness.doctor;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import echoladder.harness.server.ServerManifest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a connection costs a server.
 *
 * @param name of the server; null = none was named
 * @param bytesPerConnection user memory, in bytes; null = unknown
 * @param bytesSource where that figure is from; null = unknown
 * @param threadsPerConnection platform threads
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ServerModel(
    @Nullable String name, @Nullable Long bytesPerConnection, @Nullable String bytesSource, int threadsPerConnection) {

  /** A server of which nothing is known but that it does not start a thread per connection. */
  public static ServerModel unnamed() {
    return new ServerModel(null, null, null, 0);
  }

  /**
   * As its server.yaml declares it, both keys being optional: {@code bytes_per_connection: {value: BYTES, source: TEXT}}
   * and {@code threads_per_connection: COUNT}.
   *
   * @throws Refusal (bad usage) where one has another form
   */
  public static ServerModel of(ServerManifest manifest) {
    YamlTree yaml = YamlTree.read(manifest.dir().resolve(ServerManifest.FILE), manifest.name() + "/" + ServerManifest.FILE);
    JsonNode bytes = yaml.root().path("bytes_per_connection");
    Long value = null;
    String source = null;
    if (!bytes.isMissingNode()) {
      JsonNode figure = bytes.path("value");
      JsonNode from = bytes.path("source");
      if (!figure.canConvertToLong() || figure.asLong() < 1 || !from.isString()) {
        throw Refusal.badUsage(
            yaml.at("/bytes_per_connection") + ": expected {value: BYTES, source: where the figure is from}");
      }
      value = figure.asLong();
      source = from.asString();
    } else if (!yaml.root().path("memory_per_connection").isMissingNode()) {
      value = manifest.memoryPerConnectionBytes();
      source = "memory_per_connection of its server.yaml, without a source";
    }
    return new ServerModel(manifest.name(), value, source, threads(yaml, manifest));
  }

  private static int threads(YamlTree yaml, ServerManifest manifest) {
    JsonNode threads = yaml.root().path("threads_per_connection");
    if (threads.isMissingNode()) {
      return manifest.name().equals("platform-threads") ? 1 : 0;
    }
    if (!threads.canConvertToInt() || threads.asInt() < 0 || threads.asInt() > 16) {
      throw Refusal.badUsage(yaml.at("/threads_per_connection") + ": expected a whole number from 0 to 16");
    }
    return threads.asInt();
  }
}
