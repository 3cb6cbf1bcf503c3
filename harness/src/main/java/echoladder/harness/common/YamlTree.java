package echoladder.harness.common;

import echoladder.linux.ErrorText;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * A YAML file with the line of each of its keys, so that a complaint can say where.
 *
 * @param name the file as shown in messages
 * @param root its content
 * @param lines line number by JSON pointer, e.g. {@code /load/rate}
 * @param settings what was set from outside the file, by the JSON pointer of what was set, e.g. {@code --set a.b=1}
 */
public record YamlTree(String name, JsonNode root, Map<String, Integer> lines, Map<String, String> settings) {
  private static final int MOST_BYTES = 1 << 20;
  static final int MOST_DEPTH = 20;
  private static final YAMLFactory FACTORY =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public YamlTree {
    lines = Map.copyOf(lines);
    settings = Map.copyOf(settings);
  }

  /** This tree with a value set from outside, see {@link YamlSetting}. */
  public YamlTree with(YamlSetting setting) {
    JsonNode changed = root.deepCopy();
    Map<String, String> all = new HashMap<>(settings);
    Map<String, Integer> left = new HashMap<>(lines);
    for (String pointer : setting.apply(changed)) {
      all.put(pointer, setting.toString());
      // What stood there in the file is there no more, nor are its parts.
      left.keySet().removeIf(known -> (known + "/").startsWith(pointer + "/"));
    }
    return new YamlTree(name, changed, left, all);
  }

  /**
   * This document with one more value in a list.
   *
   * @param pointer of the list, which is there
   * @param by what added it, as shown in messages
   */
  public YamlTree added(String pointer, JsonNode value, String by) {
    JsonNode changed = root.deepCopy();
    ArrayNode list = (ArrayNode) changed.at(pointer);
    Map<String, String> all = new HashMap<>(settings);
    all.put(pointer + "/" + list.size(), by);
    list.add(value);
    return new YamlTree(name, changed, lines, all);
  }

  /**
   * Reads a file of at most 1 MiB and one document.
   *
   * @param name the file as shown in messages
   * @throws Refusal (bad usage) with line and column where it is no YAML, or where the file cannot be read
   */
  public static YamlTree read(Path file, String name) {
    String text;
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw Refusal.badUsage(name + ": larger than 1 MiB, which no file written by hand is");
      }
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(name + ": there is no such file");
    } catch (MalformedInputException e) {
      throw Refusal.badUsage(name + ": not UTF-8 text");
    } catch (IOException e) {
      throw Refusal.badUsage(name + ": cannot be read: " + ErrorText.of(e));
    }
    return parse(text, name);
  }

  /** Reads a text of one document; fails as {@link #read} does. */
  public static YamlTree parse(String text, String name) {
    Map<String, Integer> lines = new HashMap<>();
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw Refusal.badUsage(name + ": the file is empty");
      }
      JsonNode root = node(parser, "", lines, name);
      if (parser.nextToken() != null) {
        throw Refusal.badUsage(name + ":" + line(parser) + ": a second document begins here; one is expected");
      }
      return new YamlTree(name, root, lines, Map.of());
    } catch (JacksonException e) {
      throw Refusal.badUsage(name + ":" + syntaxError(e));
    }
  }

  /** {@code line:column: problem}. The YAML scanner's own mark is where the problem is; Jackson's is a token earlier. */
  private static String syntaxError(JacksonException e) {
    if (e.getCause() instanceof MarkedYamlEngineException scanner && scanner.getProblemMark().isPresent()) {
      Mark mark = scanner.getProblemMark().get();
      String context = scanner.getContext() == null ? "" : scanner.getContext() + ": ";
      return (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": " + context + scanner.getProblem();
    }
    String said = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("not YAML").trim();
    return e.getLocation() == null
        ? " " + said
        : e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr() + ": " + said;
  }

  private static int line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  private static JsonNode node(JsonParser parser, String pointer, Map<String, Integer> lines, String name) {
    lines.putIfAbsent(pointer, line(parser));
    if (pointer.chars().filter(c -> c == '/').count() > MOST_DEPTH) {
      throw Refusal.badUsage(name + ":" + line(parser) + ": nested deeper than " + MOST_DEPTH + " levels");
    }
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, pointer, lines, name);
      case START_ARRAY -> array(parser, pointer, lines, name);
      case VALUE_STRING -> nodes.stringNode(parser.getString());
      case VALUE_NUMBER_INT -> nodes.numberNode(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> number(parser.getDoubleValue());
      case VALUE_TRUE, VALUE_FALSE -> nodes.booleanNode(parser.getBooleanValue());
      default -> nodes.nullNode();
    };
  }

  /** From 2^53 on every double is whole. As integers those keep their size: the schema's bounds are blind to it else. */
  private static JsonNode number(double value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return Double.isFinite(value) && Math.abs(value) >= 1L << 53
        ? nodes.numberNode(new BigDecimal(value).toBigIntegerExact())
        : nodes.numberNode(value);
  }

  private static ObjectNode object(JsonParser parser, String pointer, Map<String, Integer> lines, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      String below = pointer + "/" + key.replace("~", "~0").replace("/", "~1");
      lines.put(below, line(parser));
      parser.nextToken();
      object.set(key, node(parser, below, lines, name));
    }
    return object;
  }

  private static ArrayNode array(JsonParser parser, String pointer, Map<String, Integer> lines, String name) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(node(parser, pointer + "/" + array.size(), lines, name));
    }
    return array;
  }

  /** {@code file:line: a.b.c}, for the beginning of a complaint about what the pointer names. */
  public String at(String pointer) {
    String known = pointer;
    while (!lines.containsKey(known) && !settings.containsKey(known) && !known.isEmpty()) {
      known = known.substring(0, known.lastIndexOf('/'));
    }
    String setting = settings.get(known);
    String where = setting != null ? setting : name + ":" + lines.getOrDefault(known, 1);
    return where + (pointer.isEmpty() ? "" : ": " + path(pointer));
  }

  /** {@code /rungs/0/x} as {@code rungs[0].x}. */
  private static String path(String pointer) {
    return pointer.substring(1).replaceAll("/(\\d+)(?=/|$)", "[$1]").replace('/', '.').replace("~1", "/");
  }
}
