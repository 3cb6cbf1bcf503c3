package echoladder.harness.claims;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The figures that a source itself states, by which an arithmetic claim is decided. One may be computed of others, as {@code
 * 1s * 100000 / 27000}: from left to right, with spaces around the signs.
 */
final class SourceFigures {
  private SourceFigures() {}

  /** By name, in ns, bytes or plain numbers, as the name says. */
  static Map<String, Double> read(JsonNode node, String at, List<String> complaints) {
    Map<String, Double> figures = new LinkedHashMap<>();
    node.properties()
        .forEach(
            figure -> {
              Double value = figure.getValue().isNumber() ? (Double) figure.getValue().asDouble() : value(figure.getValue().asString());
              if (value == null || !Double.isFinite(value)) {
                complaints.add(
                    "%s: the figure %s is '%s': neither a number nor a time nor a size, nor such with ' * ' and ' / ' between them"
                        .formatted(at, figure.getKey(), figure.getValue().asString()));
              } else {
                figures.put(figure.getKey(), value);
              }
            });
    return Collections.unmodifiableMap(figures);
  }

  /** Null where it is no such text. */
  static @Nullable Double value(String text) {
    String[] parts = text.strip().split(" ", -1);
    Double value = RuleReader.number(parts[0]);
    for (int i = 1; value != null && i < parts.length; i += 2) {
      Double next = i + 1 < parts.length ? RuleReader.number(parts[i + 1]) : null;
      value =
          next == null
              ? null
              : switch (parts[i]) {
                case "*" -> (Double) (value * next);
                case "/" -> (Double) (value / next);
                default -> null;
              };
    }
    return value;
  }
}
