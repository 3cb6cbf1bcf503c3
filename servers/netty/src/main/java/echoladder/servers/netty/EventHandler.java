package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.Targets;
import echoladder.servers.netty.PushHub.Subscription;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ByteProcessor;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Push on one connection over HTTP: a GET becomes a stream of events, a POST publishes and is answered when all loops have handed the
 * message on. Requests that come without waiting for answers are answered in their order.
 */
final class EventHandler extends SubscriberHandler {
  private static final Map<String, HttpMethod> METHODS = Map.of("/subscribe", HttpMethod.GET, "/publish", HttpMethod.POST);
  private static final String TOPIC = "topic";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");
  private static final byte[] BEGIN = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  /** Answers to requests, and a stream, in their order; those of publishes come later. Empty but while a publish is under way. */
  private final ArrayDeque<Slot> answers = new ArrayDeque<>(2);

  private @Nullable Subscription subscription;

  /** Whether nothing behind is taken: a stream was asked for, behind which nothing can be answered, or the end of the connection. */
  private boolean last;

  /** Whether the stream's head is written. */
  private boolean begun;

  /** The place of an answer, or of a stream. */
  private static final class Slot {
    private final int streamed;
    private @Nullable FullHttpResponse answer;

    /** For the stream of a topic; negative = for an answer. */
    Slot(int streamed) {
      this.streamed = streamed;
    }

    static Slot forAnswer() {
      return new Slot(-1);
    }
  }

  EventHandler(PushHub hub, EchoContext context) {
    super(hub, context);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (ended() || last) {
        return;
      }
      if (message instanceof FullHttpRequest request) {
        take(ctx, request);
      } else if (WholeRequests.TOO_LONG.equals(message)) {
        answer(ctx, response(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "a message has at most 1 MiB"));
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void take(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (request.decoderResult().isFailure()) {
      hub.metrics.malformed();
      FullHttpResponse refusal = response(ctx, HttpResponseStatus.BAD_REQUEST, "this is no request of HTTP/1.1");
      // The handler of keep-alive closes behind it: where the next request begins is not known.
      refusal.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      answer(ctx, refusal);
      return;
    }
    last = !HttpUtil.isKeepAlive(request);
    QueryStringDecoder uri = new QueryStringDecoder(Targets.originForm(request.uri()));
    HttpMethod wanted = METHODS.get(uri.rawPath());
    if (wanted == null || !request.method().equals(wanted)) {
      HttpResponseStatus status = wanted == null ? HttpResponseStatus.NOT_FOUND : HttpResponseStatus.METHOD_NOT_ALLOWED;
      answer(ctx, response(ctx, status, "there are GET /subscribe?topic=N and POST /publish?topic=N"));
      return;
    }
    int topic = topic(uri);
    if (topic < 0) {
      refuse(ctx, "topic is a whole number from 0 to 2147483647");
    } else if (wanted.equals(HttpMethod.GET)) {
      subscribe(ctx, topic);
    } else {
      take(ctx, request.content(), topic);
    }
  }

  /** The topic that a request names; negative where it names none. */
  private static int topic(QueryStringDecoder uri) {
    try {
      List<String> named = uri.parameters().getOrDefault(TOPIC, List.of());
      long topic = named.size() == 1 && NUMBER.matcher(named.getFirst()).matches() ? Long.parseLong(named.getFirst()) : -1;
      return topic <= Integer.MAX_VALUE ? (int) topic : -1;
    } catch (IllegalArgumentException e) {
      return -1; // A broken escape.
    }
  }

  private void take(ChannelHandlerContext ctx, ByteBuf body, int topic) {
    int bytes = body.readableBytes();
    if (body.forEachByte(ByteProcessor.FIND_CRLF) >= 0 || !ByteBufUtil.isText(body, StandardCharsets.UTF_8)) {
      refuse(ctx, "a message is one line of UTF-8");
      return;
    }
    received(bytes);
    answers.add(Slot.forAnswer());
    // Outside the heap, so that it is not copied for each subscriber.
    ByteBuf event = ctx.alloc().directBuffer(BEGIN.length + bytes + END.length);
    publish(ctx, event.writeBytes(BEGIN).writeBytes(body, body.readerIndex(), bytes).writeBytes(END), topic);
  }

  private void subscribe(ChannelHandlerContext ctx, int topic) {
    last = true;
    answers.add(new Slot(topic));
    writeAnswers(ctx);
  }

  private void begin(ChannelHandlerContext ctx, int topic) {
    if (finishing() || ended()) {
      return;
    }
    begun = true;
    subscription = here().subscribe(topic, this);
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_EVENT_STREAM)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    // It goes before every event, as these are written by later tasks of this loop or behind it.
    var _ = ctx.write(head);
  }

  private void refuse(ChannelHandlerContext ctx, String why) {
    hub.metrics.malformed();
    answer(ctx, response(ctx, HttpResponseStatus.BAD_REQUEST, why));
  }

  private static FullHttpResponse response(ChannelHandlerContext ctx, HttpResponseStatus status, String text) {
    ByteBuf body = ByteBufUtil.writeAscii(ctx.alloc(), text + "\n");
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    response.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    return response;
  }

  /** Answers a request behind those before it. */
  private void answer(ChannelHandlerContext ctx, FullHttpResponse response) {
    Slot slot = Slot.forAnswer();
    slot.answer = response;
    answers.add(slot);
    writeAnswers(ctx);
  }

  @Override
  void answer(ChannelHandlerContext ctx, int topic, int took) {
    for (Slot slot : answers) {
      if (slot.answer == null) {
        slot.answer = response(ctx, HttpResponseStatus.OK, Integer.toString(took));
        break;
      }
    }
    writeAnswers(ctx);
  }

  private void writeAnswers(ChannelHandlerContext ctx) {
    for (Slot first; (first = answers.peek()) != null; answers.remove()) {
      FullHttpResponse answer = first.answer;
      if (first.streamed >= 0) {
        begin(ctx, first.streamed);
      } else if (answer == null) {
        return;
      } else if (ended()) {
        answer.release();
      } else {
        var _ = ctx.write(answer);
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    for (Slot slot : answers) {
      ReferenceCountUtil.release(slot.answer);
      slot.answer = null;
    }
    super.channelInactive(ctx);
  }

  @Override
  void leaveAll() {
    if (subscription != null) {
      here().leave(subscription);
      subscription = null;
    }
  }

  @Override
  boolean isMessage(ByteBuf frame) {
    return true;
  }

  @Override
  Object framed(ByteBuf frame) {
    return new DefaultHttpContent(frame);
  }

  @Override
  void close(ChannelHandlerContext ctx) {
    if (begun) {
      var _ = ctx.write(LastHttpContent.EMPTY_LAST_CONTENT);
    }
    closeWhenWritten(ctx);
  }
}
