package echoladder.harness.results;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The record of a run as it is published: the same record as run.json in less room. It has no indentation, and lacks the nulls
 * whose absence its schema accepts; the reader takes an absent value for null.
 */
public final class PublishedRecord {
  /** The file beside it that lists what the whole run has. */
  public static final String LIST = "published.json";

  /** Its name where it is compressed. */
  public static final String PACKED = packedName(RunFolder.RECORD);

  /** The merged interval logs of all rungs beside it: one interval for each rung and kind of time, tagged {@code STEM:KIND}, compressed. */
  public static final String TIMES = "times.hlog.gz";

  /** Null is an answer there: it was looked for, and could not be had. */
  private static final Set<String> WITH_NULLS = Set.of("environment", "config");

  private PublishedRecord() {}

  /** The name of a record where it is compressed. */
  public static String packedName(String name) {
    return name + ".gz";
  }

  /** The text of run.json, a rung a line. */
  public static String compact(RunRecord run) {
    return lines(less(RunFolder.tree(run), RecordSchema.required("run")));
  }

  /** An object as text: each of its values a line, and each element where the value is a list of objects. */
  public static String lines(JsonNode object) {
    List<String> values = new ArrayList<>();
    object.forEachEntry(
        (name, value) -> values.add("%s:%s".formatted(JsonNodeFactory.instance.stringNode(name), value.isArray() ? list(value) : value)));
    return "{" + String.join(",\n", values) + "}\n";
  }

  private static String list(JsonNode list) {
    List<String> elements = new ArrayList<>();
    list.forEach(element -> elements.add(element.toString()));
    boolean objects = !list.isEmpty() && list.get(0).isObject();
    return objects ? "[\n" + String.join(",\n", elements) + "]" : "[" + String.join(",", elements) + "]";
  }

  private static JsonNode less(JsonNode of, Set<String> required) {
    if (of.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      of.forEach(element -> list.add(less(element, required)));
      return list;
    }
    if (!of.isObject()) {
      return of;
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> value : of.properties()) {
      String name = value.getKey();
      if (!value.getValue().isNull() || required.contains(name)) {
        object.set(name, WITH_NULLS.contains(name) ? value.getValue() : less(value.getValue(), required));
      }
    }
    return object;
  }

  /** A text compressed, as {@link #PACKED} has it; the same text gives the same bytes. */
  public static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** The text of a record that is there compressed. */
  static String unpacked(PlainFiles files, String name) throws IOException {
    return unpackedText(files, packedName(name));
  }

  /** The text of a file that is there compressed. */
  static String unpackedText(PlainFiles files, String packed) throws IOException {
    try (InputStream in = files.open(packed, RunFolder.MOST_RECORD_BYTES)) {
      return unpacked(in.readAllBytes(), packed);
    }
  }

  /**
   * The text of what {@link #packed} made.
   *
   * @param name of its file
   * @throws IOException where it is not of that form, or the text is larger than any record is
   */
  static String unpacked(byte[] packed, String name) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] text = gzip.readNBytes((int) RunFolder.MOST_RECORD_BYTES + 1);
      if (text.length > RunFolder.MOST_RECORD_BYTES) {
        throw PlainFiles.tooLarge(name, RunFolder.MOST_RECORD_BYTES);
      }
      return new String(text, StandardCharsets.UTF_8);
    }
  }
}
