package echoladder.servers.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.util.List;

/**
 * Netty's handler of WebSocket, which reads nothing while auto-read is off. As it comes, it reads on behind each ping and pong, and
 * within a message that is not whole. A client that takes no pongs could then have the server hold any number of them.
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

  /** Another handler wants more: it gets that with auto-read alone. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
  }
}
