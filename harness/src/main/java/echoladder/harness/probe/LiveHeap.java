package echoladder.harness.probe;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.client.page.PageFetch;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The live heap of a server's runtime, right after a collection that the harness asked for.
 *
 * @param liveHeapBytes heap used by what is reachable
 * @param stackBytes stacks outside of the heap, where the runtime says so (Go), else null
 */
public record LiveHeap(
    @JsonProperty(value = "live_heap_bytes", required = true) long liveHeapBytes, @JsonProperty("stack_bytes") @Nullable Long stackBytes) {

  // A full collection of a heap with a million connections takes seconds.
  private static final PageFetch FETCH = new PageFetch(Duration.ofSeconds(60), 64 << 10);
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Asks for a collection, waiting at most 60 s; an {@link IOException} says why there is no answer. */
  public static LiveHeap afterGc(URI gc) throws IOException {
    byte[] answer = FETCH.post(gc, new byte[0]);
    try {
      @Nullable LiveHeap heap = JSON.readValue(answer, LiveHeap.class);
      if (heap != null && heap.liveHeapBytes >= 0 && (heap.stackBytes == null || heap.stackBytes >= 0)) {
        return heap;
      }
    } catch (JacksonException e) {
      throw new IOException(said(gc, answer), e);
    }
    throw new IOException(said(gc, answer));
  }

  private static String said(URI gc, byte[] answer) {
    return "POST " + gc + " answered something else than live_heap_bytes: " + PageFetch.quoted(answer);
  }
}
