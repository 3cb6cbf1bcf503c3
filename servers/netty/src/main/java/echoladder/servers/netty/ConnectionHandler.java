package echoladder.servers.netty;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Counts a connection and what is sent on it. While the client does not take its echoes, it is not read from: what waits for
 * it is then bounded by Netty's write-buffer water mark plus one read. One for each connection, the last of its pipeline, on its
 * event loop.
 */
abstract class ConnectionHandler extends ChannelInboundHandlerAdapter {
  private final EchoMetrics metrics;
  private final AcceptErrors acceptErrors;
  private final ServerLog log;
  private boolean ending;
  private boolean broken;
  private byte quietLooks;

  ConnectionHandler(EchoContext context) {
    this.metrics = context.metrics();
    this.acceptErrors = context.acceptErrors();
    this.log = context.log();
  }

  /** The server stops, and the connection is quiet: it is to be ended. On its event loop. */
  abstract void end(Channel channel);

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    metrics.connectionAccepted();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    metrics.connectionClosed();
  }

  /** So many bytes came. */
  final void received(int bytes) {
    metrics.received(bytes);
    quietLooks = 0;
  }

  /** The kernel took so many bytes. */
  final void sent(int bytes) {
    metrics.sent(bytes);
  }

  /** Sends a message back that has so many bytes. */
  final void echo(ChannelHandlerContext ctx, Object message, int bytes) {
    received(bytes);
    // Its promise tells what becomes of it.
    var _ = ctx.write(message, new EchoPromise(ctx, bytes));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    // The first comes with the client's FIN, only the second where the input was shut by the drain.
    if (event == ChannelInputShutdownEvent.INSTANCE || event == ChannelInputShutdownReadComplete.INSTANCE) {
      endInput(ctx);
    }
  }

  /** The client has ended its side, or the drain has: what follows from that happens once. */
  final void endInput(ChannelHandlerContext ctx) {
    if (!ending) {
      ending = true;
      inputEnded(ctx);
    }
  }

  /** Nothing more will come: the connection ends when all is written. Once for each connection. */
  void inputEnded(ChannelHandlerContext ctx) {
    closeWhenWritten(ctx);
  }

  /** Closes behind what was written so far. */
  static void closeWhenWritten(ChannelHandlerContext ctx) {
    // An empty write stands behind all others in the queue: when it is done, so are they.
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable seen) {
    if (seen instanceof IOException || seen.getCause() instanceof SSLException) {
      brokenOff();
    } else if (seen instanceof OutOfMemoryError) {
      // No buffer is to be had to read into: accepting pauses, and the others go on.
      brokenOff();
      acceptErrors.failed(seen);
    } else {
      log.failure("a connection failed", seen);
    }
    var _ = ctx.close();
  }

  /** It ended by an error; counted once. */
  final void brokenOff() {
    if (!broken) {
      broken = true;
      metrics.connectionBroken();
    }
  }

  /** Whether nothing was read and no echo was held back since the last look; gives how many such looks in a row. */
  final int quietLooks(boolean reading) {
    if (!reading) {
      quietLooks = 0;
    } else if (quietLooks < Byte.MAX_VALUE) {
      quietLooks++;
    }
    return quietLooks;
  }

  /** Counts when the bytes are with the kernel, without a listener for each write. */
  private final class EchoPromise extends DefaultChannelPromise {
    private final int bytes;

    EchoPromise(ChannelHandlerContext ctx, int bytes) {
      super(ctx.channel(), ctx.executor());
      this.bytes = bytes;
    }

    @Override
    public boolean trySuccess(@Nullable Void result) {
      metrics.sent(bytes);
      return super.trySuccess(null);
    }

    @Override
    public boolean tryFailure(Throwable cause) {
      if (cause instanceof IOException) {
        brokenOff();
      }
      return super.tryFailure(cause);
    }
  }
}
