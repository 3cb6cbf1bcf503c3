package echoladder.harness.study;

import echoladder.harness.common.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a study sets for one of its servers. */
final class SettingsReader {
  private SettingsReader() {}

  static EntrySettings settings(JsonNode settings) {
    Map<String, String> sysctl = new TreeMap<>();
    settings.path("sysctl").properties().forEach(s -> sysctl.put(s.getKey(), s.getValue().asString().trim()));
    JsonNode server = settings.path("server");
    JsonNode client = settings.path("client");
    return new EntrySettings(
        sysctl,
        new EntrySettings.OfServer(
            server.has("nofile") ? (Long) server.get("nofile").asLong() : null,
            texts(server.path("without")),
            server.has("memory") ? (Long) Quantity.bytes(server.get("memory").asString()) : null,
            server.has("tasks") ? (Long) server.get("tasks").asLong() : null,
            server.has("plan_memory") ? (Boolean) server.get("plan_memory").asBoolean() : null),
        new EntrySettings.OfClient(
            texts(client.path("source_addresses")),
            texts(client.path("target_addresses")),
            client.path("plan_ports").asBoolean(true)));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }

  /** The study's load with some of its keys in another's place. */
  static JsonNode over(JsonNode load, JsonNode own) {
    ObjectNode merged = (ObjectNode) load.deepCopy();
    own.properties().forEach(p -> merged.set(p.getKey(), p.getValue()));
    return merged;
  }
}
