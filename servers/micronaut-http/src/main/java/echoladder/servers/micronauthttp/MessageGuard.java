package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * What the contract asks of a WebSocket connection that echoes and Micronaut has no setting for, beside what an upgrade needs: counts, a
 * bound on a message in fragments, and no more reading from a client that does not read. Confined to its event loop.
 */
// A failed write closes the channel, which channelInactive sees.
@SuppressWarnings("FutureReturnValueIgnored")
final class MessageGuard extends UpgradeGuard {
  private final int maxMessageBytes;
  private final Traffic traffic;
  private final EchoContext context;
  private long messageBytes;
  private int unsent;
  /** Set once the client has ended its side over TLS: behind what is owed the server ends the connection by close_notify. */
  private @Nullable ChannelHandlerContext halfClosed;

  private final GenericFutureListener<Future<? super Void>> sent = future -> ended(1);

  MessageGuard(int maxMessageBytes, Traffic traffic, EchoContext context) {
    super(context.acceptErrors());
    this.maxMessageBytes = maxMessageBytes;
    this.traffic = traffic;
    this.context = context;
  }

  @Override
  void take(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (carriesData(frame)) {
      received(ctx, frame);
    } else {
      ctx.fireChannelRead(frame);
    }
  }

  private void received(ChannelHandlerContext ctx, WebSocketFrame frame) {
    int bytes = frame.content().readableBytes();
    context.metrics().received(bytes);
    messageBytes += bytes;
    if (messageBytes > maxMessageBytes) {
      tooLong(ctx, frame, maxMessageBytes);
      return;
    }
    messageBytes = frame.isFinalFragment() ? 0 : messageBytes;
    unsent++;
    traffic.requestBegun();
    ctx.fireChannelRead(frame);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (carriesData(message) && message instanceof WebSocketFrame frame) {
      context.metrics().sent(frame.content().readableBytes());
      ctx.write(message, promise.unvoid().addListener(sent));
    } else if (message instanceof CloseWebSocketFrame) {
      // Micronaut answers a close frame and then waits for the client to end the connection; RFC 6455, 7.1.1: the server does.
      ctx.write(message, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
    } else {
      ctx.write(message, promise);
    }
  }

  private void ended(int count) {
    if (unsent >= count) {
      unsent -= count;
      traffic.requestsEnded(count);
    }
    ChannelHandlerContext waiting = halfClosed;
    if (waiting != null && unsent == 0) {
      waiting.close();
    }
  }

  /** Micronaut reads on by itself. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    ctx.fireChannelWritabilityChanged();
  }

  /** A client over TLS has ended its side without a close frame. Without TLS Netty closes the connection, and says nothing here. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
      halfClosed = ctx;
      ended(0);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    ended(unsent);
    ctx.fireChannelInactive();
  }
}
