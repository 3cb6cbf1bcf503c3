package echoladder.servers.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.util.List;

/**
 * Netty's WebSocket, from which nothing is read while the channel does not read by itself. Netty's own reads on behind each ping and
 * pong, and within a message that is not whole: the pongs of a client that does not take them would be without bound.
 */
final class PausableWebSocket extends WebSocketServerProtocolHandler {
  PausableWebSocket(WebSocketServerProtocolConfig config) {
    super(config);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, WebSocketFrame frame, List<Object> out) throws Exception {
    if (frame instanceof PingWebSocketFrame) {
      var _ = ctx.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
    } else if (!(frame instanceof PongWebSocketFrame)) {
      super.decode(ctx, frame, out);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.fireChannelReadComplete();
  }

  /** Another handler wants more. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
  }
}
