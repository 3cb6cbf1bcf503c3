package echoladder.servers.netty;

import echoladder.servers.kit.Targets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import java.util.Base64;
import java.util.List;

/**
 * Lets one upgrade to version 13 pass, and leaves the pipeline then. Netty's handler would take versions 0, 7 and 8 too, HTTP/1.0, any
 * key and no Host, knows no query, and leaves a request for another path to others.
 */
final class UpgradeGuard extends ChannelInboundHandlerAdapter {
  private static final int KEY_BYTES = 16;
  private static final String VERSION = "13";

  private boolean passed;
  private boolean refused;

  /** The handler to put before the codec. */
  Heads heads() {
    return new Heads();
  }

  /**
   * Hands the codec one head at a time, and keeps what stands behind the upgrade's until this handler is removed: the codec would take
   * those frames for its own, and they would be lost.
   */
  final class Heads extends ByteToMessageDecoder {
    private int lineEnds;

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (refused) {
        in.skipBytes(in.readableBytes());
      } else if (!passed) {
        int last = in.forEachByte(this::goesOn);
        lineEnds = last < 0 ? lineEnds : 0;
        out.add(in.readRetainedSlice(last < 0 ? in.readableBytes() : last + 1 - in.readerIndex()));
      }
    }

    /** Whether this byte is not the last of CR LF CR LF. */
    private boolean goesOn(byte next) {
      boolean fits = next == (lineEnds % 2 == 0 ? '\r' : '\n');
      lineEnds = fits ? lineEnds + 1 : next == '\r' ? 1 : 0;
      return lineEnds < 4;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused || !(message instanceof HttpRequest request)) {
      ReferenceCountUtil.release(message);
      return;
    }
    HttpResponseStatus status = status(request);
    if (status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      passed = true;
      ctx.pipeline().remove(this);
      // As its handler looks for them.
      request.setUri(NettyWebSocket.PATH).headers().set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
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
    if (request.decoderResult().isFailure() || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || headers.getAll(HttpHeaderNames.HOST).size() != 1) {
      return HttpResponseStatus.BAD_REQUEST;
    }
    if (!new QueryStringDecoder(Targets.originForm(request.uri())).rawPath().equals(NettyWebSocket.PATH)) {
      return HttpResponseStatus.NOT_FOUND;
    }
    if (!request.method().equals(HttpMethod.GET)) {
      return HttpResponseStatus.METHOD_NOT_ALLOWED;
    }
    if (!headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        || !headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
        || !isKey(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
      return HttpResponseStatus.BAD_REQUEST;
    }
    return headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "").equals(VERSION)
        ? HttpResponseStatus.SWITCHING_PROTOCOLS
        : HttpResponseStatus.UPGRADE_REQUIRED;
  }

  private static boolean isKey(List<String> keys) {
    try {
      return keys.size() == 1 && Base64.getDecoder().decode(keys.getFirst()).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
