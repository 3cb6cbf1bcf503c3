package echoladder.servers.helidon;

import io.helidon.common.GenericType;
import io.helidon.common.media.type.MediaType;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http.spi.Sink;
import io.helidon.webserver.http.spi.SinkProvider;
import io.helidon.webserver.http.spi.SinkProviderContext;
import java.util.List;
import java.util.function.BiConsumer;

/** Makes an {@link EventSink} of an answer. Helidon finds it as a service. */
@SuppressWarnings("TypeParameterUnusedInFormals") // Helidon's signatures.
public final class EventSinkProvider implements SinkProvider<List<byte[]>> {
  @Override
  public boolean supports(GenericType<? extends Sink<?>> type, ServerRequest request) {
    return EventSink.TYPE.equals(type);
  }

  @Override
  @SuppressWarnings("unchecked") // Helidon asks for the type of which it was said that it is supported.
  public <X extends Sink<List<byte[]>>> X create(SinkProviderContext context) {
    return (X) new EventSink(context);
  }

  @Override
  @SuppressWarnings({"deprecation", "removal"}) // Helidon still wants one.
  public <X extends Sink<List<byte[]>>> X create(
      ServerResponse response, BiConsumer<Object, MediaType> eventConsumer, Runnable closeRunnable) {
    throw new IllegalStateException("Helidon 4.5.0 makes a sink by its context");
  }
}
