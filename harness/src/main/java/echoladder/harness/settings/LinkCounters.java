package echoladder.harness.settings;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What netem has counted at one end since it was set: {@code tc -s qdisc}.
 *
 * @param packets that it has sent on, each after its delay
 * @param dropped that it has lost: at random as it was told, or as its queue was full
 */
public record LinkCounters(long packets, long dropped) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The counters of both ends together. */
  LinkCounters and(LinkCounters other) {
    return new LinkCounters(packets + other.packets, dropped + other.dropped);
  }

  /** What these counters have more than earlier ones. */
  LinkCounters since(LinkCounters earlier) {
    return new LinkCounters(packets - earlier.packets, dropped - earlier.dropped);
  }

  /**
   * The counters in an answer of {@code tc -s -j qdisc show dev NAME}.
   *
   * @throws IOException where it has no netem at its root
   */
  static LinkCounters ofAnswer(String answer) throws IOException {
    JsonNode netem = netem(answer);
    if (netem == null) {
      throw new IOException("tc names no netem at the root: '" + answer + "'");
    }
    return new LinkCounters(netem.path("packets").asLong(0), netem.path("drops").asLong(0));
  }

  private static @Nullable JsonNode netem(String answer) throws IOException {
    try {
      for (JsonNode qdisc : JSON.readTree(answer)) {
        if (qdisc.path("kind").asString("").equals("netem") && qdisc.path("root").asBoolean(false)) {
          return qdisc;
        }
      }
      return null;
    } catch (JacksonException e) {
      throw new IOException("tc gave no JSON: '" + answer + "'", e);
    }
  }
}
