package echoladder.harness.server;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlTree;
import echoladder.harness.server.ServerManifest.BytesPerConnection;
import echoladder.harness.server.ServerManifest.ConnectionCost;
import echoladder.harness.server.ServerManifest.Option;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a server.yaml. Its shape is docs/server.schema.json. */
final class ManifestReader {
  private static final YamlSchema SCHEMA = new YamlSchema("server");

  private static final Option ENTRY =
      new Option(
          ServerManifest.STOCK, List.of(ServerManifest.STOCK, ServerManifest.TUNED), null, null,
          "the server as it comes, or with the values that its options have for this entry", null, null, null, Map.of());

  private ManifestReader() {}

  /** As {@link ServerManifest#read} says. */
  static ServerManifest read(Path file, String shown) {
    YamlTree yaml = YamlTree.read(file, shown);
    Refusal.badUsageIfAny(SCHEMA.complaints(yaml));
    JsonNode root = yaml.root();
    List<String> complaints = new ArrayList<>();
    Map<String, Option> options = new LinkedHashMap<>();
    for (String kind : List.of("options", "jvm_options", "variables")) {
      for (var option : root.path(kind).properties()) {
        String at = yaml.at("/" + kind + "/" + option.getKey());
        Option read = option(option.getValue());
        if (!read.allows(read.fallback())) {
          complaints.add(at + ".default: '" + read.fallback() + "' is not allowed; " + read.allowed());
        }
        if (read.tuned() != null && !read.allows(read.tuned())) {
          complaints.add(at + ".tuned.value: '" + read.tuned() + "' is not allowed; " + read.allowed());
        }
        for (String value : read.costs().keySet()) {
          if (!read.allows(value)) {
            complaints.add(at + ".costs: '" + value + "' is not allowed; " + read.allowed());
          }
        }
        if (options.put(option.getKey(), read) != null) {
          complaints.add(at + ": an option of that name is among 'options' already");
        }
      }
    }
    if (options.values().stream().anyMatch(option -> option.tuned() != null)) {
      options.put(ServerManifest.ENTRY, ENTRY);
    }
    List<String> modes = texts(root.path("modes"));
    for (String mode : modes) {
      Option option = options.get(mode);
      if (option == null || !option.toldToServer() || option.values().isEmpty()) {
        complaints.add(yaml.at("/modes") + ": '" + mode + "' is none of 'options' that lists its values");
      }
    }
    Path dir = Objects.requireNonNull(file.toAbsolutePath().normalize().getParent(), "a file has a folder");
    String name = root.path("name").asString();
    if (!dir.endsWith(name)) {
      complaints.add(yaml.at("/name") + ": '" + name + "' is not the name of its folder, " + dir);
    }
    Refusal.badUsageIfAny(complaints);
    Map<String, String> cannot = new LinkedHashMap<>();
    root.path("cannot").properties().forEach(clause -> cannot.put(clause.getKey(), clause.getValue().asString()));
    return new ServerManifest(
        dir,
        name,
        root.path("title").asString(),
        root.path("protocol").asString(),
        root.path("role").asString(),
        root.path("runtime").asString(),
        texts(root.path("build")),
        texts(root.path("command")),
        options,
        modes,
        cannot,
        bytes(root),
        root.path("threads_per_connection").asInt(0),
        text(root.at("/figures_since/run")),
        null);
  }

  private static @Nullable BytesPerConnection bytes(JsonNode of) {
    JsonNode bytes = of.path("bytes_per_connection");
    return bytes.isMissingNode() ? null : new BytesPerConnection(bytes.path("value").asLong(), bytes.path("source").asString());
  }

  private static Map<String, ConnectionCost> costs(JsonNode option) {
    Map<String, ConnectionCost> costs = new LinkedHashMap<>();
    option.path("costs").properties().forEach(value ->
        costs.put(value.getKey(), new ConnectionCost(value.getValue().path("threads_per_connection").asInt(0), bytes(value.getValue()))));
    return costs;
  }

  private static Option option(JsonNode node) {
    return new Option(
        node.path("default").asString(),
        texts(node.path("values")),
        node.has("min") ? (Long) node.get("min").asLong() : null,
        node.has("max") ? (Long) node.get("max").asLong() : null,
        node.path("why").asString(),
        text(node.path("flag")),
        text(node.path("variable")),
        text(node.path("tuned").path("value")),
        costs(node));
  }

  private static @Nullable String text(JsonNode node) {
    return node.isMissingNode() ? null : node.asString();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asString()));
    return texts;
  }
}
