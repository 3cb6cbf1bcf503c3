package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.util.Base64;
import java.util.List;

/**
 * What the contract asks of a WebSocket connection and Micronaut has no setting for: an answer to an upgrade that is none, counts,
 * a bound on a message in fragments, and no more reading from a client that does not read. It stands before Micronaut's own
 * handler. Confined to its event loop.
 */
// A failed write closes the channel, which channelInactive sees.
@SuppressWarnings("FutureReturnValueIgnored")
final class MessageGuard extends ChannelDuplexHandler {
  private static final String VERSION = "13";
  private static final int KEY_BYTES = 16;

  private final int maxMessageBytes;
  private final Traffic traffic;
  private final EchoContext context;
  private long messageBytes;
  private int unsent;
  private boolean refused;

  private final GenericFutureListener<Future<? super Void>> sent = future -> ended(1);

  MessageGuard(int maxMessageBytes, Traffic traffic, EchoContext context) {
    this.maxMessageBytes = maxMessageBytes;
    this.traffic = traffic;
    this.context = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
    } else if (carriesData(message) && message instanceof WebSocketFrame frame) {
      received(ctx, frame);
    } else if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
      refuse(ctx, part, HttpResponseStatus.BAD_REQUEST);
    } else if (message instanceof HttpRequest request && request.headers().contains(HttpHeaderNames.UPGRADE)) {
      asked(ctx, request);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /** Micronaut 5.0.2 takes any key, never answers without one or to POST, and answers another version with a stack on stderr as well. */
  private void asked(ChannelHandlerContext ctx, HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      refuse(ctx, request, HttpResponseStatus.UPGRADE_REQUIRED);
    } else if (!isUpgrade(request) || !isKey(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else {
      // Micronaut does not look for it in a list.
      headers.set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
      // Micronaut accepts permessage-deflate from whoever offers it, without a setting.
      headers.remove(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
      ctx.fireChannelRead(request);
    }
  }

  private static boolean isUpgrade(HttpRequest request) {
    HttpHeaders headers = request.headers();
    return request.method().equals(HttpMethod.GET)
        && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        && headers.getAll(HttpHeaderNames.HOST).size() == 1
        && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
  }

  private static boolean isKey(List<String> keys) {
    try {
      return keys.size() == 1 && Base64.getDecoder().decode(keys.getFirst()).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void refuse(ChannelHandlerContext ctx, HttpObject request, HttpResponseStatus status) {
    refused = true;
    ReferenceCountUtil.release(request);
    DefaultFullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
    answer.headers()
        .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION)
        .set(HttpHeaderNames.CONTENT_LENGTH, 0)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  private static boolean carriesData(Object message) {
    return message instanceof BinaryWebSocketFrame || message instanceof TextWebSocketFrame
        || message instanceof ContinuationWebSocketFrame;
  }

  private void received(ChannelHandlerContext ctx, WebSocketFrame frame) {
    int bytes = frame.content().readableBytes();
    context.metrics().received(bytes);
    messageBytes += bytes;
    if (messageBytes > maxMessageBytes) {
      refused = true;
      frame.release();
      ctx.writeAndFlush(
              new CloseWebSocketFrame(WebSocketCloseStatus.MESSAGE_TOO_BIG, "a message is at most " + maxMessageBytes + " bytes"))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    messageBytes = frame.isFinalFragment() ? 0 : messageBytes;
    unsent++;
    traffic.requestBegun();
    ctx.fireChannelRead(frame);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (carriesData(message) && message instanceof WebSocketFrame frame) {
      context.metrics().sent(frame.content().readableBytes());
      ctx.write(message, promise.unvoid().addListener(sent));
    } else if (message instanceof CloseWebSocketFrame) {
      // Micronaut answers a close frame and then waits for the client to end the connection; RFC 6455, 7.1.1: the server does.
      ctx.write(message, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
    } else {
      ctx.write(message, promise);
    }
  }

  private void ended(int count) {
    if (unsent >= count) {
      unsent -= count;
      traffic.requestsEnded(count);
    }
  }

  /** Micronaut reads on by itself. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    ctx.fireChannelWritabilityChanged();
  }

  /** A connection that finds no memory ends; Micronaut would print a stack for each and keep the connection. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable seen) {
    if (seen instanceof OutOfMemoryError) {
      context.acceptErrors().failed(seen);
      ctx.close();
    } else {
      ctx.fireExceptionCaught(seen);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    ended(unsent);
    ctx.fireChannelInactive();
  }
}
