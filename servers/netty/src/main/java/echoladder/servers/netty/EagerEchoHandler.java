package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import io.netty.channel.ChannelHandlerContext;

/**
 * Seals what a record brought before the next record is opened. BoringSSL's engine ends both sides at the client's close_notify, and
 * loses what it was not given by then.
 */
final class EagerEchoHandler extends EchoHandler {
  EagerEchoHandler(EchoContext context) {
    super(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    super.channelRead(ctx, message);
    ctx.flush();
  }
}
