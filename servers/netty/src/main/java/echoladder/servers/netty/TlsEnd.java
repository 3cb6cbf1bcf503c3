package echoladder.servers.netty;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;

/** Tells the handlers above TLS of a client's close_notify as of a FIN. One for all connections, behind their {@link SslHandler}. */
@ChannelHandler.Sharable
final class TlsEnd extends ChannelInboundHandlerAdapter {
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
      ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    } else if ((event == ChannelInputShutdownEvent.INSTANCE || event == ChannelInputShutdownReadComplete.INSTANCE) && !shaken(ctx)) {
      // Nothing can be written, and nothing is owed.
      var _ = ctx.close();
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  private static boolean shaken(ChannelHandlerContext ctx) {
    SslHandler handler = ctx.pipeline().get(SslHandler.class);
    return handler == null || handler.handshakeFuture().isSuccess();
  }
}
