package echoladder.harness.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One axis of a study: a key of its servers' entries, and the values that it takes in turn.
 *
 * @param name in labels and reports, e.g. {@code gc}
 * @param pointer of its values in the study, for messages
 * @param server label of the one server that has it; null = every server
 * @param path of the key in an entry, e.g. {@code options}, {@code gc}
 * @param values at least one, as text and as they stand in an entry
 */
record Axis(String name, String pointer, @Nullable String server, List<String> path, List<Value> values) {
  static final String JDK = "jdk";

  /**
   * A value.
   *
   * @param text for labels and reports
   * @param node what an entry has there
   */
  record Value(String text, JsonNode node) {}

  Axis {
    path = List.copyOf(path);
    values = List.copyOf(values);
  }

  /** Those of a study that fits the schema, in its order. */
  static List<Axis> of(JsonNode root) {
    List<Axis> axes = new ArrayList<>();
    for (Map.Entry<String, JsonNode> kind : root.path("axes").properties()) {
      String pointer = "/axes/" + kind.getKey();
      switch (kind.getKey()) {
        case "servers" ->
            kind.getValue()
                .properties()
                .forEach(server -> options(axes, pointer + "/" + server.getKey(), server.getKey(), server.getValue()));
        case "load" -> kind.getValue().properties().forEach(key -> load(axes, pointer, key.getKey(), key.getValue()));
        case "network" ->
            kind.getValue()
                .properties()
                .forEach(
                    key ->
                        axes.add(
                            plain(
                                "network." + key.getKey(), pointer + "/" + key.getKey(), null, List.of("network", key.getKey()),
                                key.getValue())));
        case "sysctl" ->
            kind.getValue()
                .properties()
                .forEach(
                    key ->
                        axes.add(
                            plain(
                                key.getKey(), pointer + "/" + key.getKey(), null,
                                List.of("settings", "sysctl", key.getKey()), key.getValue())));
        default -> axes.add(plain(kind.getKey(), pointer, null, List.of(kind.getKey()), kind.getValue()));
      }
    }
    return axes;
  }

  private static void options(List<Axis> axes, String pointer, String server, JsonNode options) {
    options
        .properties()
        .forEach(
            o -> axes.add(plain(o.getKey(), pointer + "/" + o.getKey(), server, List.of("options", o.getKey()), o.getValue())));
  }

  /** A rate is a map of one key, of which there may be two. */
  private static void load(List<Axis> axes, String pointer, String key, JsonNode values) {
    if (key.equals("tls")) {
      List<Value> versions = new ArrayList<>();
      values.forEach(value -> versions.add(new Value(tls(value), value)));
      axes.add(new Axis(key, pointer + "/" + key, null, List.of("load", key), versions));
      return;
    }
    if (!key.equals("rate")) {
      axes.add(plain(key, pointer + "/" + key, null, List.of("load", key), values));
      return;
    }
    for (Map.Entry<String, JsonNode> kind : values.properties()) {
      List<Value> rates = new ArrayList<>();
      for (JsonNode value : kind.getValue()) {
        rates.add(new Value(value.asString(), JsonNodeFactory.instance.objectNode().set(kind.getKey(), value)));
      }
      axes.add(new Axis("rate", pointer + "/rate/" + kind.getKey(), null, List.of("load", "rate"), rates));
    }
  }

  /** A label says what an entry is, and not true or false. */
  private static String tls(JsonNode value) {
    return !value.isBoolean() ? "tls-" + value.asString() : value.asBoolean() ? "tls" : "plain";
  }

  private static Axis plain(String name, String pointer, @Nullable String server, List<String> path, JsonNode list) {
    List<Value> values = new ArrayList<>();
    list.forEach(value -> values.add(new Value(text(value), value)));
    return new Axis(name, pointer, server, path, values);
  }

  /** A value as text; of a map, the values in it. */
  private static String text(JsonNode value) {
    return value.isObject() ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(" at ")) : value.asString();
  }

  /**
   * Whether a server has it: one that runs on no JVM is the same by any JDK.
   *
   * @param label of the server in the study
   * @param runtime of it
   */
  boolean concerns(String label, String runtime) {
    return server != null ? server.equals(label) : !name.equals(JDK) || runtime.equals("jvm");
  }

  /** Whether an entry sets the key by itself. */
  boolean setBy(JsonNode entry) {
    return !entry.at("/" + String.join("/", path)).isMissingNode();
  }

  /** Sets it in an entry. */
  void set(ObjectNode entry, Value value) {
    ObjectNode at = entry;
    for (String part : path.subList(0, path.size() - 1)) {
      at = at.withObjectProperty(part);
    }
    at.set(path.getLast(), value.node());
  }
}
