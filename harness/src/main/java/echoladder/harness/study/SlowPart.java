package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import echoladder.client.SlowReaders;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Connections of a load that do not read: {@code slow_readers: 0.1}, or with a rate {@code {share: 10%, rate: 1KiB/s}}. In run.json it is
 * the share alone where they read nothing, as runs had it before there was a rate.
 *
 * @param share which part of the connections that send, or of the subscribers, above 0 and at most 0.5
 * @param bytesPerS what each of them reads at most; null = nothing
 */
public record SlowPart(double share, @Key("rate") @Nullable Long bytesPerS) {
  private static final String SHARE = "share";
  private static final String BYTES_PER_S = "bytes_per_s";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static SlowPart of(JsonNode recorded) {
    return recorded.isObject()
        ? new SlowPart(recorded.path(SHARE).asDouble(), recorded.path(BYTES_PER_S).asLong())
        : new SlowPart(recorded.asDouble(), null);
  }

  @JsonValue
  Object recorded() {
    if (bytesPerS == null) {
      return share;
    }
    Map<String, Object> both = new LinkedHashMap<>();
    both.put(SHARE, share);
    both.put(BYTES_PER_S, bytesPerS);
    return both;
  }

  /** As the client is asked for it. */
  SlowReaders asked() {
    return new SlowReaders(share, bytesPerS == null ? 0 : bytesPerS);
  }
}
