package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.util.ByteProcessor;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Push over HTTP: a GET is answered by a stream of events, a POST publishes and is answered when all loops have handed the message on. */
@Controller
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.PUSH)
final class PushController {
  private static final String TOPIC = "topic";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");
  private static final String NO_TOPIC = "topic is a whole number from 0 to 2147483647";
  private static final byte[] BEGIN = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  private final PushHub hub;
  private final EchoMetrics metrics;

  PushController(PushHub hub, EchoContext context) {
    this.hub = hub;
    this.metrics = context.metrics();
  }

  // HEAD would be a subscription whose events nobody gets.
  @Get(value = "/subscribe", headRoute = false)
  @Produces(MediaType.TEXT_EVENT_STREAM)
  HttpResponse<Publisher<Outgoing>> subscribe(HttpRequest<?> request) {
    int topic = topic(request);
    if (topic < 0) {
      hub.metrics.malformed();
      throw new HttpStatusException(HttpStatus.BAD_REQUEST, NO_TOPIC);
    }
    Publisher<Outgoing> events = new EventStream(hub, channelOf(request), metrics, topic);
    return HttpResponse.ok(events).header(HttpHeaders.CACHE_CONTROL, "no-store");
  }

  private static Channel channelOf(HttpRequest<?> request) {
    if (request instanceof NettyHttpRequest<?> netty) {
      return netty.getChannelHandlerContext().channel();
    }
    throw new IllegalStateException("a request that did not come by Netty: " + request.getClass());
  }

  // Netty's buffer, as with an echo. It is the handler's to release.
  @Post("/publish")
  @Consumes(MediaType.ALL)
  @Produces(MediaType.TEXT_PLAIN)
  CompletionStage<HttpResponse<String>> publish(HttpRequest<?> request, @Body @Nullable ByteBuf body) {
    try {
      int topic = topic(request);
      if (topic < 0) {
        return CompletableFuture.completedFuture(refusal(NO_TOPIC));
      }
      if (body != null && !isLine(body)) {
        return CompletableFuture.completedFuture(refusal("a message is one line of UTF-8"));
      }
      Outgoing event = event(body);
      metrics.received(event.length() - BEGIN.length - END.length);
      CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
      hub.publish(topic, event, took -> answer.complete(HttpResponse.ok(Integer.toString(took))));
      return answer;
    } finally {
      if (body != null) {
        body.release();
      }
    }
  }

  private static boolean isLine(ByteBuf body) {
    return body.forEachByte(ByteProcessor.FIND_CRLF) < 0 && ByteBufUtil.isText(body, StandardCharsets.UTF_8);
  }

  /** On the heap and encoded once, for all subscribers. */
  private static Outgoing event(@Nullable ByteBuf body) {
    int bytes = body == null ? 0 : body.readableBytes();
    byte[] event = new byte[BEGIN.length + bytes + END.length];
    System.arraycopy(BEGIN, 0, event, 0, BEGIN.length);
    if (body != null) {
      body.getBytes(body.readerIndex(), event, BEGIN.length, bytes);
    }
    System.arraycopy(END, 0, event, BEGIN.length + bytes, END.length);
    return Outgoing.message(event);
  }

  /** The topic that a request names; negative where it names none. */
  private static int topic(HttpRequest<?> request) {
    List<String> named = request.getParameters().getAll(TOPIC);
    long topic = named.size() == 1 && NUMBER.matcher(named.getFirst()).matches() ? Long.parseLong(named.getFirst()) : -1;
    return topic <= Integer.MAX_VALUE ? (int) topic : -1;
  }

  private HttpResponse<String> refusal(String why) {
    hub.metrics.malformed();
    return HttpResponse.badRequest(why + "\n");
  }

  /** A target with a broken escape reaches no other handler. */
  @Error(exception = URISyntaxException.class, global = true)
  @Produces(MediaType.TEXT_PLAIN)
  HttpResponse<String> broken(URISyntaxException seen) {
    return refusal(NO_TOPIC + "; " + seen.getReason());
  }
}
