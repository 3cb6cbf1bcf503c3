package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.util.ReferenceCountUtil;

/** Sends back frame by frame what Netty's own codec has decoded and checked; a message in fragments stays in fragments. */
final class WebSocketHandler extends ConnectionHandler {
  private final int maxMessageBytes;
  private int messageBytes;
  private boolean upgraded;
  private boolean refused;

  WebSocketHandler(EchoContext context, int maxMessageBytes) {
    super(context);
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    // The end of the upgrade's request comes here too.
    if (refused || !(message instanceof WebSocketFrame frame)) {
      ReferenceCountUtil.release(message);
      return;
    }
    int bytes = frame.content().readableBytes();
    if (bytes > maxMessageBytes - messageBytes) {
      // The codec bounds a frame, and this its message.
      refused = true;
      frame.release();
      close(ctx.channel(), WebSocketCloseStatus.MESSAGE_TOO_BIG);
      return;
    }
    messageBytes = frame.isFinalFragment() ? 0 : messageBytes + bytes;
    echo(ctx, frame, bytes);
  }

  private static void close(Channel channel, WebSocketCloseStatus status) {
    channel.writeAndFlush(new CloseWebSocketFrame(status)).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof HandshakeComplete) {
      upgraded = true;
      // Not kept in a field, which every open connection would pay for.
      ctx.pipeline().remove(UpgradeGuard.Heads.class);
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable seen) {
    // The codec has answered those and closes.
    if (!(seen instanceof CorruptedWebSocketFrameException || seen instanceof WebSocketHandshakeException)) {
      super.exceptionCaught(ctx, seen);
    }
  }

  @Override
  void end(Channel channel) {
    if (upgraded) {
      close(channel, WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
    } else {
      var _ = channel.close();
    }
  }
}
