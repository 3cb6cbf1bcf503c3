package echoladder.harness.study;

import echoladder.harness.common.Quantity;
import echoladder.harness.common.YamlSchema;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a study means: every {@code default} of docs/study.schema.json filled in, and every quantity as a number in its base
 * unit (ns, bytes, per second). Where the schema has {@code alone}, a value that is no map stands for a map with that one key. The schema
 * is the only place of a default.
 */
final class StudyKeys {
  private static final JsonNode DOCUMENT = YamlSchema.document("study");

  private StudyKeys() {}

  /** A whole study that fits the schema. */
  static ObjectNode study(JsonNode checked) {
    return (ObjectNode) filled(DOCUMENT, checked.deepCopy());
  }

  /**
   * A part of a study that fits the schema.
   *
   * @param pointer of its rules in the schema, e.g. {@code /$defs/load}
   */
  static ObjectNode part(String pointer, JsonNode checked) {
    return (ObjectNode) filled(DOCUMENT.at(pointer), checked.deepCopy());
  }

  /** The record of a part of which a study says nothing. */
  static <R extends Record> R nothingSaid(String pointer, Class<R> type) {
    return RecordReader.read(type, part(pointer, JsonNodeFactory.instance.objectNode()));
  }

  private static JsonNode filled(JsonNode rules, JsonNode value) {
    JsonNode own = YamlSchema.target(DOCUMENT, rules);
    if (own.has("alone") && !value.isObject()) {
      String key = own.get("alone").asString();
      return filled(own, JsonNodeFactory.instance.objectNode().set(key, value));
    }
    if (own.has("quantity") && value.isString()) {
      return number(Quantity.valueOf(own.get("quantity").asString().toUpperCase(Locale.ROOT)), value.asString());
    }
    if (own.has("if")) {
      // First, as the defaults of a branch take the place of the common ones.
      filled(own.get(YamlSchema.branch(value)), value);
    }
    if (value instanceof ObjectNode map) {
      own.path("properties").properties().forEach(rule -> fill(map, rule.getKey(), rule.getValue()));
    }
    if (value instanceof ArrayNode list && own.has("items")) {
      for (int i = 0; i < list.size(); i++) {
        list.set(i, filled(own.get("items"), list.get(i)));
      }
    }
    return value;
  }

  private static void fill(ObjectNode map, String key, JsonNode rules) {
    JsonNode otherwise = rules.has("default") ? rules.get("default") : YamlSchema.target(DOCUMENT, rules).path("default");
    JsonNode said = map.has(key) ? map.get(key) : otherwise.deepCopy();
    if (!said.isMissingNode()) {
      map.set(key, filled(rules, said));
    }
  }

  private static JsonNode number(Quantity quantity, String text) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return quantity == Quantity.RATE || quantity == Quantity.SHARE
        ? nodes.numberNode(quantity.parse(text).doubleValue())
        : nodes.numberNode(quantity.parse(text).longValue());
  }
}
