package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * What the contract asks of a WebSocket connection that pushes and Micronaut does not do: it puts fragments together in bounded memory,
 * answers a close frame behind what waits, and sees the client's FIN. Confined to its event loop.
 */
// A failed write closes the channel, which channelInactive sees.
@SuppressWarnings("FutureReturnValueIgnored")
final class SocketGuard extends UpgradeGuard {
  private final PushHub hub;
  private final int maxMessageBytes;
  private final EchoContext context;
  private @Nullable SocketMailbox mailbox;

  /** What has come of a message in fragments. */
  private @Nullable ByteBuf begun;

  SocketGuard(PushHub hub, int maxMessageBytes, EchoContext context) {
    super(context.acceptErrors());
    this.hub = hub;
    this.maxMessageBytes = maxMessageBytes;
    this.context = context;
  }

  /** A whole message of the client on its way through Micronaut, with the mailbox of its connection. */
  static final class Pushed extends BinaryWebSocketFrame {
    private final SocketMailbox mailbox;

    Pushed(ByteBuf content, SocketMailbox mailbox) {
      super(content);
      this.mailbox = mailbox;
    }

    SocketMailbox mailbox() {
      return mailbox;
    }
  }

  /** Made for the first frame: a connection that says nothing has none. */
  private SocketMailbox mailbox(ChannelHandlerContext ctx) {
    SocketMailbox made = mailbox;
    if (made == null) {
      made = new SocketMailbox(hub, ctx.channel(), context);
      mailbox = made;
    }
    return made;
  }

  @Override
  void take(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (frame instanceof CloseWebSocketFrame close) {
      int code = close.statusCode();
      close.release();
      // Nothing may come behind it.
      ctx.channel().config().setAutoRead(false);
      mailbox(ctx).closeAsked(code);
    } else if (carriesData(frame)) {
      takeData(ctx, frame);
    } else {
      ctx.fireChannelRead(frame);
    }
  }

  private void takeData(ChannelHandlerContext ctx, WebSocketFrame frame) {
    int bytes = frame.content().readableBytes();
    context.metrics().received(bytes);
    ByteBuf before = begun;
    if (bytes > maxMessageBytes - (before == null ? 0 : before.readableBytes())) {
      tooLong(ctx, frame, maxMessageBytes);
    } else if (frame instanceof TextWebSocketFrame) {
      frame.release();
      mailbox(ctx).malformed();
    } else if (before == null && frame.isFinalFragment()) {
      ctx.fireChannelRead(new Pushed(frame.content(), mailbox(ctx)));
    } else {
      ByteBuf all = before == null ? ctx.alloc().buffer(bytes) : before;
      all.writeBytes(frame.content());
      begun = frame.isFinalFragment() ? null : all;
      boolean whole = frame.isFinalFragment();
      frame.release();
      if (whole) {
        ctx.fireChannelRead(new Pushed(all, mailbox(ctx)));
      }
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof CloseWebSocketFrame) {
      ctx.write(message, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
    } else {
      ctx.write(message, promise);
    }
  }

  /** Who does not take pongs is not read from either. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (mailbox == null) {
      ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    } else {
      mailbox.changed();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      if (mailbox == null) {
        ctx.close();
      } else {
        mailbox.finish();
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  /** The server stops: ends the connection behind what waits. */
  void stop(ChannelHandlerContext ctx) {
    if (mailbox == null) {
      ctx.channel()
          .writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE, "stopping"))
          .addListener(ChannelFutureListener.CLOSE);
    } else {
      mailbox.finish();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    ByteBuf unfinished = begun;
    if (unfinished != null) {
      begun = null;
      unfinished.release();
    }
    if (mailbox != null) {
      mailbox.closed();
    }
    ctx.fireChannelInactive();
  }
}
