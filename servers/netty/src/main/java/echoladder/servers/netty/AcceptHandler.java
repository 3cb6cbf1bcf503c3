package echoladder.servers.netty;

import echoladder.servers.kit.AcceptErrors;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Pauses accepting when it fails. Errors end here, as Netty's own handler would pause for a whole second, and neither
 * count nor say why.
 */
final class AcceptHandler extends ChannelInboundHandlerAdapter {
  private final AcceptErrors errors;
  private boolean paused;

  AcceptHandler(AcceptErrors errors) {
    this.errors = errors;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!paused && !errors.mayAccept()) {
      pause(ctx);
    }
    ctx.fireChannelReadComplete();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable seen) {
    errors.failed(seen);
    if (!paused) {
      pause(ctx);
    }
  }

  private void pause(ChannelHandlerContext ctx) {
    paused = true;
    ctx.channel().config().setAutoRead(false);
    resumeLater(ctx);
  }

  private void resumeLater(ChannelHandlerContext ctx) {
    var _ = ctx.executor().schedule(() -> resume(ctx), AcceptErrors.PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void resume(ChannelHandlerContext ctx) {
    if (!ctx.channel().isOpen()) {
      return;
    }
    if (errors.mayAccept()) {
      paused = false;
      ctx.channel().config().setAutoRead(true);
    } else {
      resumeLater(ctx);
    }
  }
}
