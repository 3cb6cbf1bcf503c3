package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
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
import java.util.Base64;
import java.util.List;

/**
 * Lets valid upgrades pass and answers all others, which Micronaut does not. It stands before Micronaut's own handler. Confined to its
 * event loop.
 */
// A failed write closes the channel, which channelInactive sees.
@SuppressWarnings("FutureReturnValueIgnored")
abstract class UpgradeGuard extends ChannelDuplexHandler {
  private static final String VERSION = "13";
  private static final int KEY_BYTES = 16;

  private final AcceptErrors acceptErrors;
  private boolean refused;

  UpgradeGuard(AcceptErrors acceptErrors) {
    this.acceptErrors = acceptErrors;
  }

  /** Takes a frame of the client, and owns it. */
  abstract void take(ChannelHandlerContext ctx, WebSocketFrame frame);

  @Override
  public final void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof WebSocketFrame frame) {
      take(ctx, frame);
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

  static boolean carriesData(Object message) {
    return message instanceof BinaryWebSocketFrame || message instanceof TextWebSocketFrame
        || message instanceof ContinuationWebSocketFrame;
  }

  /** Ends a connection whose message is too long; {@code frame} is the one beyond. */
  final void tooLong(ChannelHandlerContext ctx, WebSocketFrame frame, int maxMessageBytes) {
    refused = true;
    frame.release();
    ctx.writeAndFlush(
            new CloseWebSocketFrame(WebSocketCloseStatus.MESSAGE_TOO_BIG, "a message is at most " + maxMessageBytes + " bytes"))
        .addListener(ChannelFutureListener.CLOSE);
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
}
