package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/** What no mode does in its own way: Micronaut calls it with a whole body, so it never waits. */
@Controller
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
final class EchoController {
  private static final byte[] NOTHING = {};

  private final EchoMetrics metrics;

  EchoController(EchoContext context) {
    this.metrics = context.metrics();
  }

  // Netty's buffer, as Micronaut insists on decoding a byte array by its content type, and on its being there.
  @Post("/echo")
  @Consumes(MediaType.ALL)
  @Produces(MediaType.APPLICATION_OCTET_STREAM)
  byte[] echo(@Body @Nullable ByteBuf body) {
    byte[] bytes = body == null ? NOTHING : taken(body);
    metrics.received(bytes.length);
    metrics.sent(bytes.length);
    return bytes;
  }

  /** Micronaut hands over a reference of the handler's own, beside that of the request, which it releases itself. */
  private static byte[] taken(ByteBuf body) {
    try {
      return ByteBufUtil.getBytes(body);
    } finally {
      body.release();
    }
  }

  @Get("/api/light")
  @Produces(MediaType.TEXT_PLAIN)
  String light() {
    return "light\n";
  }
}
