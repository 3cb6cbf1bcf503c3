package echoladder.harness.study;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Where a server's entry stands on the axes of its study.
 *
 * @param server label of the server that it is made from
 * @param values its value on each axis that it has, by the axis's name, in the order of the study
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AxisPoint(String server, Map<String, String> values) {
  public AxisPoint {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /**
   * The label of the entry: the server's and its values. A value that is no word, such as a number, stands after the name
   * of its axis.
   */
  public String label() {
    StringBuilder label = new StringBuilder(server);
    values.forEach((axis, value) -> label.append('-').append(word(axis, value)));
    return label.toString();
  }

  private static String word(String axis, String value) {
    String text = value.startsWith("/") ? value.substring(value.replaceAll("/+$", "").lastIndexOf('/') + 1) : value;
    boolean word = text.matches("[A-Za-z].*") && !text.equals("true") && !text.equals("false");
    return word ? plain(text) : plain(axis.substring(axis.lastIndexOf('.') + 1)) + "-" + plain(text);
  }

  /** What may stand in a file's name; the signs that JVM flags are switched by have names. */
  private static String plain(String text) {
    String named = text.equals("+") ? "on" : text.equals("-") ? "off" : text;
    return named.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("^-|-$", "");
  }
}
