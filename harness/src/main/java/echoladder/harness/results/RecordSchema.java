package echoladder.harness.results;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The schemas of what a ladder writes, docs/NAME.schema.json: a record is checked by its own before anything is read from it,
 * as it may be somebody else's.
 */
final class RecordSchema {
  private static final int MOST_SHOWN = 3;
  private static final Map<String, Schema> READ = new ConcurrentHashMap<>();

  private RecordSchema() {}

  /** What the schema of that name has against a record, in words; empty where nothing. */
  static String complaint(String name, JsonNode record) {
    List<Error> errors = READ.computeIfAbsent(name, RecordSchema::read).validate(record);
    String shown = errors.stream().limit(MOST_SHOWN).map(RecordSchema::text).collect(Collectors.joining("; "));
    int more = errors.size() - MOST_SHOWN;
    return more > 0 ? shown + "; and " + more + " more" : shown;
  }

  private static String text(Error error) {
    String at = error.getInstanceLocation().toString();
    String text = (at.isEmpty() ? "" : at + ": ") + error.getMessage();
    return text.length() <= 200 ? text : text.substring(0, 197) + "...";
  }

  /** The names of all properties that the schema of that name requires anywhere. */
  static Set<String> required(String name) {
    return tree(name).findValues("required").stream()
        .filter(JsonNode::isArray)
        .flatMap(names -> names.valueStream().map(JsonNode::asString))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Schema read(String name) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(tree(name));
  }

  private static JsonNode tree(String name) {
    String resource = "/echoladder/harness/schema/" + name + ".schema.json";
    try (InputStream in = RecordSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + resource);
      }
      return JsonMapper.shared().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
