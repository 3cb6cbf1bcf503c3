package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;

/** Writes back what it reads, over TLS: a client ends its side by close_notify as well. */
class TlsEchoHandler extends EchoHandler {
  TlsEchoHandler(EchoContext context) {
    super(context);
  }

  /** Before the end of the handshake nothing can be written, and nothing is owed. */
  @Override
  final void inputEnded(ChannelHandlerContext ctx) {
    SslHandler handler = ctx.pipeline().get(SslHandler.class);
    if (handler == null || handler.handshakeFuture().isSuccess()) {
      super.inputEnded(ctx);
    } else {
      var _ = ctx.close();
    }
  }

  @Override
  public final void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
      endInput(ctx);
    } else {
      super.userEventTriggered(ctx, event);
    }
  }
}
