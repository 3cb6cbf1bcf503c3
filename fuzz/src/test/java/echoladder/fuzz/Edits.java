package echoladder.fuzz;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes of a JSON text that keep it JSON, by the bytes of an input. */
public final class Edits {
  private static final int MOST = 16;
  private static final int MOST_PLACES = 20_000;
  private static final int BYTES = 4;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final List<JsonNode> VALUES =
      List.of(
          NODES.nullNode(), NODES.numberNode(0), NODES.numberNode(1), NODES.numberNode(-1), NODES.numberNode(Integer.MAX_VALUE),
          NODES.numberNode(Long.MAX_VALUE), NODES.numberNode(Long.MIN_VALUE), NODES.numberNode(BigInteger.TEN.pow(40)), NODES.numberNode(0.5),
          NODES.numberNode(1e-300), NODES.numberNode(1e300), NODES.stringNode(""), NODES.stringNode("x"), NODES.stringNode("<b>|&\"'\n\u001b[31m"),
          NODES.stringNode("../x"), NODES.stringNode("%d%n$1\\"), NODES.stringNode("y".repeat(10_000)), NODES.booleanNode(true), NODES.booleanNode(false),
          NODES.arrayNode(), NODES.objectNode());

  private record Place(JsonNode in, String key, int index) {
    JsonNode get() {
      return in instanceof ArrayNode list ? list.get(index) : in.get(key);
    }

    void set(JsonNode value) {
      if (in instanceof ArrayNode list) {
        list.set(index, value);
      } else if (in instanceof ObjectNode map) {
        map.set(key, value);
      }
    }

    void remove() {
      if (in instanceof ArrayNode list) {
        list.remove(index);
      } else if (in instanceof ObjectNode map) {
        map.remove(key);
      }
    }

    void twice() {
      if (in instanceof ArrayNode list) {
        list.add(get().deepCopy());
      }
    }
  }

  private Edits() {}

  /** A copy of it with an edit for each four bytes: two say where, one what, one which value. */
  public static JsonNode of(JsonNode sound, byte[] input) {
    JsonNode edited = sound.deepCopy();
    ByteBuffer in = ByteBuffer.wrap(input);
    for (int i = 0; i < MOST && in.remaining() >= BYTES; i++) {
      List<Place> places = new ArrayList<>();
      gather(edited, places);
      if (places.isEmpty() || places.size() > MOST_PLACES) {
        return edited;
      }
      Place place = places.get((in.getShort() & 0xffff) % places.size());
      int what = in.get() & 0xff;
      int which = in.get() & 0xff;
      switch (what % 8) {
        case 0 -> place.remove();
        case 1 -> place.twice();
        case 2 -> place.set(places.get((which * 31) % places.size()).get().deepCopy());
        case 3 -> place.set(NODES.numberNode(which));
        default -> place.set(VALUES.get(which % VALUES.size()).deepCopy());
      }
    }
    return edited;
  }

  private static void gather(JsonNode node, List<Place> into) {
    switch (node) {
      case ObjectNode map -> map.properties().forEach(
          property -> {
            into.add(new Place(map, property.getKey(), 0));
            gather(property.getValue(), into);
          });
      case ArrayNode list -> {
        for (int i = 0; i < list.size(); i++) {
          into.add(new Place(list, "", i));
          gather(list.get(i), into);
        }
      }
      default -> {
        // A value has no places.
      }
    }
  }
}
