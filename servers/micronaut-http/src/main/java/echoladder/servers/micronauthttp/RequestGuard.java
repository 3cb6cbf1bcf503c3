package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the contract asks of a connection and Micronaut has no setting for: a bound on the time a request takes to
 * arrive, 431 for a long head, 400 for a broken one, the answer to a client that has ended its side, and a last answer
 * that says so. Confined to its event loop.
 *
 * <p>It is the handler behind the HTTP codec; {@link FirstBytes}, before it, sees when a request begins. A request
 * that arrives within one read costs no timer.
 */
// A failed write closes the channel, which channelInactive sees.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestGuard extends ChannelDuplexHandler {
  private final long timeoutNs;
  private final Traffic traffic;
  private final AcceptErrors acceptErrors;
  /** When the request that is arriving began, by {@link System#nanoTime}; 0 = none is arriving. */
  private long beganNs;
  private @Nullable Future<?> timer;
  private int unanswered;
  private boolean refused;
  private boolean last;
  private boolean streams;
  /** Set once the client has ended its side: after the last answer ours ends too. */
  private @Nullable ChannelHandlerContext halfClosed;

  private final GenericFutureListener<Future<? super Void>> answered = future -> ended(1);

  RequestGuard(long timeoutNs, Traffic traffic, AcceptErrors acceptErrors) {
    this.timeoutNs = timeoutNs;
    this.acceptErrors = acceptErrors;
    this.traffic = traffic;
  }

  /** The handler to put before the codec. */
  FirstBytes firstBytes() {
    return new FirstBytes();
  }

  /** The answer is a stream, behind which nothing is answered and which ends with the client's side. */
  void streams() {
    streams = true;
    refused = true;
    beganNs = 0;
    ChannelHandlerContext waiting = halfClosed;
    if (waiting != null) {
      waiting.close();
    }
  }

  /** So many requests were dropped behind a stream. */
  void dropped(int requests) {
    ended(requests);
  }

  /** Sees bytes. */
  final class FirstBytes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
      if (refused) {
        // What the client was still sending; it is read so that it gets to see the answer, and dropped.
        ReferenceCountUtil.release(bytes);
        return;
      }
      if (beganNs == 0) {
        beganNs = System.nanoTime() | 1;
      }
      ctx.fireChannelRead(bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.fireChannelReadComplete();
      if (beganNs != 0 && timer == null) {
        schedule(ctx, timeoutNs);
      }
    }

    private void schedule(ChannelHandlerContext ctx, long delayNs) {
      timer = ctx.executor().schedule(() -> look(ctx), delayNs, TimeUnit.NANOSECONDS);
    }

    private void look(ChannelHandlerContext ctx) {
      timer = null;
      if (beganNs == 0) {
        return;
      }
      long leftNs = beganNs + timeoutNs - System.nanoTime();
      if (leftNs > 0) {
        schedule(ctx, leftNs);
      } else {
        ctx.close();
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
      refuse(ctx, part.decoderResult());
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      if (wrong(request.headers(), request.protocolVersion())) {
        refuse(ctx, DecoderResult.failure(new IllegalArgumentException("no Host, or several, or another coding than chunked")));
        ReferenceCountUtil.release(message);
        return;
      }
      if (request.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
        // Micronaut does not look for it in a list.
        request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        last = true;
      }
      unanswered++;
      traffic.requestBegun();
    }
    if (message instanceof LastHttpContent) {
      beganNs = 0;
      // Behind the last request nothing counts.
      refused = last;
    }
    ctx.fireChannelRead(message);
  }

  /** RFC 9112, 3.2 and 6.1: Netty does not look for the first, and takes a list with chunked in it for chunked. */
  private static boolean wrong(HttpHeaders headers, HttpVersion version) {
    boolean oneHost = headers.getAll(HttpHeaderNames.HOST).size() == 1;
    return (!oneHost && version.equals(HttpVersion.HTTP_1_1))
        || (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
            && !headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).stream().allMatch(HttpHeaderValues.CHUNKED::contentEqualsIgnoreCase));
  }

  private void refuse(ChannelHandlerContext ctx, DecoderResult result) {
    refused = true;
    Throwable cause = result.cause();
    boolean tooLong = cause instanceof TooLongHttpHeaderException || cause instanceof TooLongHttpLineException;
    HttpResponseStatus status =
        tooLong ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE : HttpResponseStatus.BAD_REQUEST;
    ByteBuf text =
        Unpooled.copiedBuffer(tooLong ? "the head is too long\n" : "this is not HTTP/1.1\n", StandardCharsets.US_ASCII);
    DefaultFullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, text);
    answer.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response && traffic.goodbye()) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (message instanceof LastHttpContent && unanswered > 0) {
      ctx.write(message, promise.unvoid().addListener(answered));
    } else {
      ctx.write(message, promise);
    }
  }

  private void ended(int count) {
    if (unanswered >= count) {
      unanswered -= count;
      traffic.requestsEnded(count);
    }
    ChannelHandlerContext waiting = halfClosed;
    if (waiting != null && unanswered == 0) {
      waiting.close();
    }
  }

  /** By itself Netty would close at once, or, being told to allow a half-closed connection, never. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
      halfClosed = ctx;
      if (streams) {
        ctx.close();
      } else {
        ended(0);
      }
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  /** A client that has ended its side sends nothing more. Micronaut reads on, which may fail in Netty then and lose the answers. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (halfClosed == null) {
      ctx.read();
    }
  }

  /** A connection that finds no memory ends; Micronaut would print a stack for each and keep the connection. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable seen) {
    if (seen instanceof OutOfMemoryError) {
      acceptErrors.failed(seen);
      ctx.close();
    } else {
      ctx.fireExceptionCaught(seen);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    beganNs = 0;
    Future<?> pending = timer;
    if (pending != null) {
      pending.cancel(false);
    }
    ended(unanswered);
    ctx.fireChannelInactive();
  }
}
