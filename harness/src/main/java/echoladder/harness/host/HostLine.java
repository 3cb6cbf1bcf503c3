package echoladder.harness.host;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.Holes;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line between the process that runs a study and the control process of a host, in either direction.
 *
 * @param id of the question, which its answer bears too; 0 = nobody asked: the server has ended by itself
 * @param op of a question; null of an answer
 * @param body what belongs to it
 * @param error of an answer: why there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record HostLine(long id, @Nullable HostOp op, @Nullable JsonNode body, @Nullable String error) {
  /** Bound on the longest question: the plan of a load. */
  static final int QUESTION_MOST_BYTES = 4 << 20;

  /** Bound on the longest answer: the histograms of a shard's interval, in quotes once more. */
  static final int ANSWER_MOST_BYTES = 64 << 20;

  private static final JsonMapper JSON = JsonMapper.shared();

  static HostLine question(long id, HostOp op, @Nullable Object body) {
    return new HostLine(id, op, tree(body), null);
  }

  static HostLine answer(long id, @Nullable Object body) {
    return new HostLine(id, null, tree(body), null);
  }

  static HostLine failed(long id, String why) {
    return new HostLine(id, null, null, why);
  }

  private static @Nullable JsonNode tree(@Nullable Object body) {
    return body == null ? null : JSON.valueToTree(body);
  }

  /** From its text; anything else is an {@link IllegalArgumentException}. */
  static HostLine parse(String text) {
    try {
      HostLine line = JSON.readValue(text, HostLine.class);
      if (line == null) {
        throw new IllegalArgumentException("it is null");
      }
      return line;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** As one line, with its end. */
  String text() {
    return JSON.writeValueAsString(this) + "\n";
  }

  /** The body as that, whole; anything else is a {@link JacksonException} or an {@link IllegalArgumentException}. */
  <T extends Record> T as(Class<T> type) {
    @Nullable T read = body == null ? null : JSON.treeToValue(body, type);
    if (read == null) {
      throw new IllegalArgumentException("nothing came with it");
    }
    String hole = Holes.first(read);
    if (hole != null) {
      throw new IllegalArgumentException("it lacks " + hole);
    }
    return read;
  }
}
