package echoladder.harness.common;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import echoladder.client.Amounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks a YAML file against a schema of docs/: its shape by a JSON Schema validator, and the ranges of quantities,
 * which JSON Schema has no words for, by the schema's own {@code quantity}, {@code least} and {@code most}.
 */
public final class YamlSchema {
  private final String name;
  private final JsonNode document;
  private final Schema schema;

  /** That of docs/NAME.schema.json. */
  public YamlSchema(String name) {
    this(name, document(name));
  }

  /**
   * With other values where docs/NAME.schema.json lists those of the project's own build.
   *
   * @param rules which of its rules: a JSON pointer
   * @param description of those values
   */
  public YamlSchema(String name, String rules, List<String> allowed, String description) {
    this(name, allowing(document(name), rules, allowed, description));
  }

  private static JsonNode allowing(JsonNode document, String rules, List<String> allowed, String description) {
    ObjectNode changed = (ObjectNode) document.at(rules);
    ArrayNode values = changed.putArray("enum");
    allowed.forEach(values::add);
    changed.put("description", description);
    return document;
  }

  private YamlSchema(String name, JsonNode document) {
    this.name = name;
    this.document = document;
    schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(document);
  }

  /** docs/NAME.schema.json, as the build has it. */
  public static JsonNode document(String name) {
    String resource = "/echoladder/harness/schema/" + name + ".schema.json";
    try (InputStream in = YamlSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + resource);
      }
      return JsonMapper.shared().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a {@code $ref} leads to; the rules themselves where they are none. */
  public static JsonNode target(JsonNode document, JsonNode rules) {
    return rules.has("$ref") ? document.at(rules.get("$ref").asString().substring(1)) : rules;
  }

  /** The branch of the schema's one fork that a study takes: users in stages, or messages at a rate. */
  public static String branch(JsonNode study) {
    return study.path("load").has("stages") ? "then" : "else";
  }

  /** With rates and counts in one form each, which all readers know: {@code 5k} as {@code 5000/s}, {@code 100k} as 100000. */
  public YamlTree inOneForm(YamlTree yaml) {
    return new YamlTree(yaml.name(), inOneForm(document, yaml.root()), yaml.lines(), yaml.settings());
  }

  private JsonNode inOneForm(JsonNode rules, JsonNode value) {
    JsonNode own = target(document, rules);
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (own.path("quantity").asString("").equals("rate")) {
      return rate(value);
    }
    if (own.path("type").toString().contains("\"integer\"") && value.isString()) {
      try {
        return nodes.numberNode(Amounts.count(value.asString()));
      } catch (IllegalArgumentException e) {
        return value; // The schema says what is allowed.
      }
    }
    JsonNode changed = own.has("if") ? inOneForm(own.get(branch(value)), value) : value.deepCopy();
    if (changed instanceof ObjectNode map) {
      for (var property : own.path("properties").properties()) {
        if (map.has(property.getKey())) {
          map.set(property.getKey(), inOneForm(property.getValue(), map.get(property.getKey())));
        }
      }
    }
    if (changed instanceof ArrayNode list && own.has("items")) {
      for (int i = 0; i < list.size(); i++) {
        list.set(i, inOneForm(own.get("items"), list.get(i)));
      }
    }
    return changed;
  }

  private static JsonNode rate(JsonNode value) {
    if (!value.isNumber() && !value.isString()) {
      return value;
    }
    try {
      BigDecimal perSecond = value.isNumber() ? value.decimalValue() : Amounts.perSecond(value.asString());
      return JsonNodeFactory.instance.stringNode(perSecond.stripTrailingZeros().toPlainString() + "/s");
    } catch (IllegalArgumentException e) {
      return value; // The range says what is allowed.
    }
  }

  /** Everything that is wrong, each as {@code file:line: key: ...}; empty where nothing is. */
  public List<String> complaints(YamlTree yaml) {
    // A set, as one wrong value may break several keywords of the same description.
    Set<String> complaints = new LinkedHashSet<>();
    for (Error error : schema.validate(yaml.root())) {
      complaints.add(complaint(yaml, error));
    }
    quantities(yaml, document, yaml.root(), "", complaints);
    return new ArrayList<>(complaints);
  }

  private String complaint(YamlTree yaml, Error error) {
    String pointer = error.getInstanceLocation().toString();
    JsonNode value = yaml.root().at(pointer);
    JsonNode rules = rules(error);
    String allowed = rules.path("description").asString("see docs/" + name + ".schema.json");
    return switch (error.getKeyword()) {
      case "additionalProperties" ->
          yaml.at(pointer + "/" + error.getProperty())
              + ": unknown key; known here: "
              + String.join(", ", rules.path("properties").propertyNames());
      case "propertyNames" -> {
        JsonNode names = rules.path("propertyNames");
        yield yaml.at(pointer + "/" + error.getProperty()) + ": " + target(document, names).path("description").asString(allowed);
      }
      case "required" -> yaml.at(pointer) + ": the key '" + error.getProperty() + "' is missing; " + allowed;
      default -> refused(yaml, pointer, value, allowed);
    };
  }

  /** The part of the schema that holds the broken keyword. */
  private JsonNode rules(Error error) {
    String fragment = error.getSchemaLocation().getFragment().toString();
    int last = fragment.lastIndexOf('/');
    return document.at(last <= 0 ? "" : fragment.substring(0, last));
  }

  private void quantities(YamlTree yaml, JsonNode rules, JsonNode value, String pointer, Set<String> into) {
    JsonNode own = target(document, rules);
    if (own.has("if")) {
      quantities(yaml, own.get(branch(value)), value, pointer, into);
    }
    if (own.has("quantity") && value.isString()) {
      range(yaml, own, value.asString(), pointer, into);
    }
    for (var property : own.path("properties").properties()) {
      if (value.has(property.getKey())) {
        quantities(
            yaml, property.getValue(), value.get(property.getKey()), pointer + "/" + property.getKey(), into);
      }
    }
    for (int i = 0; own.has("items") && value.isArray() && i < value.size(); i++) {
      quantities(yaml, own.get("items"), value.get(i), pointer + "/" + i, into);
    }
  }

  private static void range(YamlTree yaml, JsonNode rules, String text, String pointer, Set<String> into) {
    Quantity quantity = Quantity.valueOf(rules.get("quantity").asString().toUpperCase(Locale.ROOT));
    String least = rules.get("least").asString();
    String most = rules.get("most").asString();
    String allowed = quantity.form + ", " + least + " to " + most + "; " + rules.path("description").asString("");
    try {
      BigDecimal value = quantity.parse(text);
      if (value.compareTo(quantity.parse(least)) < 0 || value.compareTo(quantity.parse(most)) > 0) {
        into.add(yaml.at(pointer) + ": '" + text + "' is outside the range; " + allowed);
      }
    } catch (IllegalArgumentException e) {
      into.add(yaml.at(pointer) + ": '" + text + "' is not allowed; " + allowed);
    }
  }

  private static String refused(YamlTree yaml, String pointer, JsonNode value, String allowed) {
    String shown = value.isString() ? "'" + value.asString() + "'" : value.toString();
    return yaml.at(pointer) + ": " + shorten(shown) + " is not allowed; " + allowed;
  }

  private static String shorten(String shown) {
    return shown.length() <= 80 ? shown : shown.substring(0, 77) + "...";
  }
}
