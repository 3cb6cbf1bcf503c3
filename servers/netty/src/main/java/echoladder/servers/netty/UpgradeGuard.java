package echoladder.servers.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.util.Base64;

/**
 * Lets one upgrade to version 13 pass, and leaves the pipeline then. Netty's handler would take versions 0, 7 and 8 too, any key
 * and no Host, and leaves a request for another path to others.
 */
final class UpgradeGuard extends ChannelInboundHandlerAdapter {
  private static final int KEY_BYTES = 16;
  private static final String VERSION = "13";

  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused || !(message instanceof HttpRequest request)) {
      ReferenceCountUtil.release(message);
      return;
    }
    HttpResponseStatus status = status(request);
    if (status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(message);
      return;
    }
    refused = true;
    ReferenceCountUtil.release(message);
    ByteBuf text = ByteBufUtil.writeAscii(ctx.alloc(), status.reasonPhrase() + ": there is GET /echo, to be upgraded to WebSocket\n");
    FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, text);
    answer.headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
    ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  private static HttpResponseStatus status(HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (request.decoderResult().isFailure() || headers.getAll(HttpHeaderNames.HOST).size() != 1) {
      return HttpResponseStatus.BAD_REQUEST;
    }
    if (!request.uri().equals(NettyWebSocket.PATH)) {
      return HttpResponseStatus.NOT_FOUND;
    }
    if (!request.method().equals(HttpMethod.GET)) {
      return HttpResponseStatus.METHOD_NOT_ALLOWED;
    }
    if (!headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        || !headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
        || !isKey(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY, ""))) {
      return HttpResponseStatus.BAD_REQUEST;
    }
    return headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "").equals(VERSION)
        ? HttpResponseStatus.SWITCHING_PROTOCOLS
        : HttpResponseStatus.UPGRADE_REQUIRED;
  }

  private static boolean isKey(String key) {
    try {
      return Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
