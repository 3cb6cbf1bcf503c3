package echoladder.servers.helidon;

import io.helidon.common.GenericType;
import io.helidon.webserver.http.spi.Sink;
import io.helidon.webserver.http.spi.SinkProviderContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The stream of an answer whose head goes out before its first event, which Helidon's output stream alone cannot do. For the thread of the
 * answer.
 */
final class EventSink implements Sink<List<byte[]>> {
  /** For {@code ServerResponse.sink}. */
  static final GenericType<EventSink> TYPE = GenericType.create(EventSink.class);

  private final OutputStream out;
  private final Runnable commit;

  /** Writes the head of the answer. */
  EventSink(SinkProviderContext context) {
    out = context.serverResponse().outputStream();
    commit = context.closeRunnable();
    context.flushHeaders();
  }

  /** Returns when the kernel has all of them. */
  @Override
  public EventSink emit(List<byte[]> events) {
    try {
      for (byte[] event : events) {
        out.write(event);
      }
      out.flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the last chunk. */
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commit.run();
  }
}
