package echoladder.harness.claims;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Who published something.
 *
 * @param who author, as what and when
 * @param whole the same with its title and where it is
 */
record Origin(String who, String whole) {
  /** Those of a claims.yaml, by key. */
  static Map<String, Origin> all(JsonNode node) {
    Map<String, Origin> all = new LinkedHashMap<>();
    node.properties()
        .forEach(
            source ->
                all.put(
                    source.getKey(),
                    new Origin(
                        text(source.getValue(), "author", "kind", "date"),
                        text(source.getValue(), "author", "title", "kind", "date", "where"))));
    return all;
  }

  private static String text(JsonNode node, String... keys) {
    return Stream.of(keys).map(key -> node.get(key).asString().strip()).collect(Collectors.joining(", "));
  }

  /** Those that a claim names. */
  static List<Origin> named(JsonNode node, Map<String, Origin> all, String at, List<String> complaints) {
    List<String> keys = node.isArray() ? node.valueStream().map(JsonNode::asString).toList() : List.of(node.asString());
    keys.stream()
        .filter(key -> !all.containsKey(key))
        .forEach(
            key ->
                complaints.add("%s: the source '%s' is none of 'sources': %s".formatted(at, key, String.join(", ", all.keySet()))));
    return keys.stream().filter(all::containsKey).map(key -> Objects.requireNonNull(all.get(key))).toList();
  }

  /** As one text. */
  static String joined(List<Origin> sources, Function<Origin, String> text) {
    return sources.stream().map(text).collect(Collectors.joining("; "));
  }
}
