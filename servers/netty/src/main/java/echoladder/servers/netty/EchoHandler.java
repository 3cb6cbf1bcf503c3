package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;

/** Writes back what it reads. */
class EchoHandler extends ConnectionHandler {
  EchoHandler(EchoContext context) {
    super(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    echo(ctx, message, ((ByteBuf) message).readableBytes());
  }

  @Override
  final void end(Channel channel) {
    ((DuplexChannel) channel).shutdownInput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }
}
