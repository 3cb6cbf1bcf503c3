package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that subscribes and publishes, on its event loop. What Netty's own buffer does not take before its high-water mark waits
 * here, bounded, as slices of the message that all subscribers share.
 */
abstract class SubscriberHandler extends ConnectionHandler {
  /** Publishes of one client that loops may still have in hand while more is read from it. */
  private static final int MOST_PUBLISHING = 64;

  final PushHub hub;
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(2);
  private @Nullable ChannelHandlerContext own;
  private PushHub.@Nullable OnLoop loop;
  private int waitingBytes;
  private int publishing;
  private boolean finishing;
  private boolean ended;

  SubscriberHandler(PushHub hub, EchoContext context) {
    super(context);
    this.hub = hub;
  }

  /** Ends the subscriptions of this connection. */
  abstract void leaveAll();

  /** Whether a frame is a message, and no reply. */
  abstract boolean isMessage(ByteBuf frame);

  /** What Netty is to write for a frame, which it then owns. */
  abstract Object framed(ByteBuf frame);

  /** Tells a publisher that so many connections took its message. */
  abstract void answer(ChannelHandlerContext ctx, int topic, int took);

  /** Nothing more will be sent: closes behind what was written so far. */
  void close(ChannelHandlerContext ctx) {
    closeWhenWritten(ctx);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    own = ctx;
    loop = hub.on(ctx.channel().eventLoop());
    super.channelActive(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    leaveAll();
    drop();
    super.channelInactive(ctx);
  }

  /** The subscribers of this connection's event loop. */
  final PushHub.OnLoop here() {
    return Objects.requireNonNull(loop, "a frame before the channel is active");
  }

  /** Whether nothing more is sent. */
  final boolean ended() {
    return ended;
  }

  /** Whether the client has ended its side. */
  final boolean finishing() {
    return finishing;
  }

  /** What a client sent is none of what it may send. */
  final void malformed(ChannelHandlerContext ctx) {
    hub.metrics.malformed();
    drop();
    brokenOff();
    var _ = ctx.close();
  }

  /** Hands a message to all subscribers of its topic, and is told of it by {@link #answer}. */
  final void publish(ChannelHandlerContext ctx, ByteBuf message, int topic) {
    publishing++;
    adjustReading(ctx);
    hub.publish(this, here(), message, topic);
  }

  /** A publish of this connection has been handed to all; on any thread, in the order of the publishes. */
  final void published(int topic, int took) {
    ChannelHandlerContext ctx = own;
    if (ctx != null) {
      // Always by a task: the replies of other loops' threads come so, and this one must not overtake them.
      ctx.executor().execute(
          () -> {
            publishing--;
            answer(ctx, topic, took);
            ctx.flush();
            adjustReading(ctx);
            closeIfFinished(ctx);
          });
    }
  }

  /** Takes a message, of which a slice is kept; false where the connection ends instead, or has ended. */
  final boolean message(ByteBuf message) {
    ChannelHandlerContext ctx = own;
    if (ctx == null || ended || finishing || !ctx.channel().isActive()) {
      return false;
    }
    int bytes = message.readableBytes();
    if (waitingBytes > 0 && waitingBytes + bytes > hub.options.queueBytes()) {
      if (hub.options.disconnects()) {
        hub.metrics.disconnected();
        drop();
        // Else the kernel keeps what it holds for who does not read.
        ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        var _ = ctx.close();
        return false;
      }
      dropOldest(hub.options.queueBytes() - bytes);
    }
    if (send(ctx, message.retainedDuplicate())) {
      ctx.flush();
    }
    return true;
  }

  /** Hands a frame to Netty, or has it wait where Netty has enough; gives whether it is to be flushed, as the end of a read does too. */
  final boolean send(ChannelHandlerContext ctx, ByteBuf frame) {
    hub.metrics.queued(frame.readableBytes());
    if (waiting.isEmpty() && ctx.channel().isWritable()) {
      write(ctx, frame);
      return true;
    }
    waiting.add(frame);
    waitingBytes += frame.readableBytes();
    adjustReading(ctx);
    return false;
  }

  private void write(ChannelHandlerContext ctx, ByteBuf frame) {
    // Its promise tells what becomes of it.
    FramePromise promise = new FramePromise(ctx, frame.readableBytes(), messages(frame));
    var _ = ctx.write(framed(frame), promise);
  }

  private int messages(ByteBuf frame) {
    return isMessage(frame) ? 1 : 0;
  }

  private void dropOldest(int untilBytes) {
    for (Iterator<ByteBuf> oldest = waiting.iterator(); waitingBytes > untilBytes && oldest.hasNext(); ) {
      ByteBuf frame = oldest.next();
      if (isMessage(frame)) {
        oldest.remove();
        waitingBytes -= frame.readableBytes();
        hub.metrics.dropped(frame.readableBytes(), 1);
        frame.release();
      }
    }
  }

  /** Nothing more is sent. */
  private void drop() {
    ended = true;
    for (ByteBuf frame : waiting) {
      hub.metrics.dropped(frame.readableBytes(), messages(frame));
      frame.release();
    }
    waiting.clear();
    waitingBytes = 0;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    boolean wrote = false;
    for (ByteBuf frame; ctx.channel().isWritable() && (frame = waiting.poll()) != null; wrote = true) {
      waitingBytes -= frame.readableBytes();
      write(ctx, frame);
    }
    if (wrote) {
      ctx.flush();
    }
    adjustReading(ctx);
    closeIfFinished(ctx);
  }

  /**
   * Who does not take what is sent is not read from, nor who publishes faster than the loops hand it on. Behind the client's FIN nothing
   * is to be read, and Netty's epoll watches for nothing that could be.
   */
  private void adjustReading(ChannelHandlerContext ctx) {
    if (!ended && !finishing) {
      ctx.channel().config().setAutoRead(waiting.isEmpty() && ctx.channel().isWritable() && publishing < MOST_PUBLISHING);
    }
  }

  @Override
  void inputEnded(ChannelHandlerContext ctx) {
    leaveAll();
    finishing = true;
    closeIfFinished(ctx);
  }

  private void closeIfFinished(ChannelHandlerContext ctx) {
    if (finishing && !ended && waiting.isEmpty() && publishing == 0) {
      ended = true;
      close(ctx);
    }
  }

  @Override
  void end(Channel channel) {
    ((DuplexChannel) channel).shutdownInput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** Counts when the frame is with the kernel, or never will be. */
  private final class FramePromise extends DefaultChannelPromise {
    private final int bytes;
    private final int messages;

    FramePromise(ChannelHandlerContext ctx, int bytes, int messages) {
      super(ctx.channel(), ctx.executor());
      this.bytes = bytes;
      this.messages = messages;
    }

    @Override
    public boolean trySuccess(@Nullable Void result) {
      sent(bytes);
      hub.metrics.written(bytes, messages);
      return super.trySuccess(null);
    }

    @Override
    public boolean tryFailure(Throwable cause) {
      hub.metrics.dropped(bytes, messages);
      if (cause instanceof IOException) {
        brokenOff();
      }
      return super.tryFailure(cause);
    }

    /** The codec of WebSocket calls this for a write behind a close frame. Nothing broke off: the connection has ended in good order. */
    @Override
    public ChannelPromise setFailure(Throwable cause) {
      hub.metrics.dropped(bytes, messages);
      return super.setFailure(cause);
    }
  }
}
