package echoladder.servers.micronauthttp;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.ResponseBodyWriter;
import io.micronaut.http.codec.CodecException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes events as they are. Micronaut's own writer of {@code Event} encodes the text anew for each subscriber, and writes no line of
 * data at all where the text is empty.
 */
@Singleton
@Produces(MediaType.TEXT_EVENT_STREAM)
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.PUSH)
final class EventWriter implements ResponseBodyWriter<Outgoing> {
  @Override
  public CloseableByteBody writePiece(
      ByteBodyFactory bodies,
      HttpRequest<?> request,
      HttpResponse<?> response,
      Argument<Outgoing> type,
      MediaType mediaType,
      Outgoing event) {
    return bodies.adapt(event.bytes());
  }

  @Override
  public void writeTo(Argument<Outgoing> type, MediaType mediaType, Outgoing event, MutableHeaders headers, OutputStream out) {
    try {
      out.write(event.bytes());
    } catch (IOException e) {
      throw new CodecException("an event was not written: " + e.getMessage(), e);
    }
  }
}
