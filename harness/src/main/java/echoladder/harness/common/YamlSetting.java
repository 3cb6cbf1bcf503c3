package echoladder.harness.common;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value for one key of a YAML file, from the command line: {@code --set KEY=VALUE}.
 *
 * @param text {@code KEY=VALUE}, as it was given
 * @param path the key's parts, e.g. {@code servers}, {@code 0}, {@code label}
 * @param value as YAML has it: {@code 3s} is a text, {@code 5} a number, {@code [1, 2]} a list
 */
public record YamlSetting(String text, List<String> path, JsonNode value) {
  /** A longer one is none of a file, and the pattern would overflow the stack. */
  private static final int LONGEST_KEY = 1_000;

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]+((\\.[A-Za-z0-9_-]+)|(\\[\\d{1,6}\\]))*");

  public YamlSetting {
    path = List.copyOf(path);
  }

  /** Reads {@code KEY=VALUE}, with KEY like {@code phases.steady} or {@code servers[0].label}. */
  public static YamlSetting parse(String text) {
    int equals = text.indexOf('=');
    String key = equals < 0 ? "" : text.substring(0, equals).trim();
    if (key.length() > LONGEST_KEY || !KEY.matcher(key).matches()) {
      throw Refusal.badUsage(
          "--set " + text + ": not KEY=VALUE with a key of the study by its dotted path, e.g. --set phases.steady=3s"
              + " or --set 'rungs=[100, 200]'");
    }
    if (text.substring(equals + 1).isBlank()) {
      throw Refusal.badUsage("--set " + text + ": the value is missing");
    }
    List<String> path = List.of(key.replace("[", ".").replace("]", "").split("\\.", -1));
    if (path.size() > YamlTree.MOST_DEPTH) {
      throw Refusal.badUsage("--set %s: the key has more than %d parts".formatted(text, YamlTree.MOST_DEPTH));
    }
    return new YamlSetting(text, path, YamlTree.parse(text.substring(equals + 1).trim(), "--set " + text).root());
  }

  /**
   * Sets the value in that tree; maps on the way that are not there are made.
   *
   * @return the JSON pointers of what was set or made
   * @throws Refusal (bad usage) where the way leads through something that has no keys, or beyond a list
   */
  List<String> apply(JsonNode root) {
    List<String> changed = new ArrayList<>();
    StringBuilder pointer = new StringBuilder();
    JsonNode at = root;
    for (int i = 0; i < path.size(); i++) {
      String part = path.get(i);
      boolean last = i == path.size() - 1;
      String here = pointer.isEmpty() ? "the file" : pointer.substring(1).replace('/', '.');
      pointer.append('/').append(part);
      switch (at) {
        case ObjectNode map -> {
          JsonNode next = last ? value : map.path(part);
          if (last || next.isMissingNode()) {
            next = last ? value : JsonNodeFactory.instance.objectNode();
            map.set(part, next);
            changed.add(pointer.toString());
          }
          at = next;
        }
        case ArrayNode list -> {
          int index = part.matches("\\d{1,6}") ? Integer.parseInt(part) : -1;
          if (index < 0 || index >= list.size()) {
            throw Refusal.badUsage(this + ": '" + here + "' is a list of " + list.size() + ", counted from 0");
          }
          if (last) {
            list.set(index, value);
            changed.add(pointer.toString());
          }
          at = list.get(index);
        }
        default -> throw Refusal.badUsage(this + ": '" + here + "' is " + at + ", which has no '" + part + "'");
      }
    }
    return changed;
  }

  /** As it is given on the command line. */
  @Override
  public String toString() {
    return "--set " + text;
  }
}
