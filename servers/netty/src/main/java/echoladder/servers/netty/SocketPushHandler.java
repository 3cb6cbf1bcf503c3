package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;

/** Push on one connection over WebSocket: each binary message is a frame without its length. */
final class SocketPushHandler extends FrameHandler {
  private boolean upgraded;

  /** The code of the client's close frame; negative where it has none. */
  private int closeCode = WebSocketCloseStatus.ENDPOINT_UNAVAILABLE.code();

  SocketPushHandler(PushHub hub, EchoContext context) {
    super(hub, context);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (ended() || finishing()) {
        return;
      }
      if (message instanceof BinaryWebSocketFrame frame) {
        take(ctx, frame.content());
      } else if (message instanceof CloseWebSocketFrame frame) {
        closeCode = frame.statusCode();
        // Nothing may come behind it.
        ctx.channel().config().setAutoRead(false);
        endInput(ctx);
      } else if (upgraded) {
        malformed(ctx);
      }
      // Else it is the end of the upgrade's request.
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void take(ChannelHandlerContext ctx, ByteBuf payload) {
    int bytes = payload.readableBytes();
    received(bytes);
    byte[] frame = new byte[PushFrames.KIND_AT + bytes];
    ByteBuffer.wrap(frame).putInt(bytes);
    payload.readBytes(frame, PushFrames.KIND_AT, bytes);
    try {
      byte[] checked = new PushFrames().next(ByteBuffer.wrap(frame));
      if (checked == null) {
        malformed(ctx);
      } else {
        take(ctx, checked);
      }
    } catch (PushFrames.Malformed e) {
      malformed(ctx);
    }
  }

  @Override
  ByteBuf kept(ChannelHandlerContext ctx, byte[] frame) {
    int bytes = frame.length - PushFrames.KIND_AT;
    return ctx.alloc().directBuffer(bytes).writeBytes(frame, PushFrames.KIND_AT, bytes);
  }

  @Override
  boolean isMessage(ByteBuf frame) {
    return frame.getByte(frame.readerIndex()) == PushFrames.MESSAGE;
  }

  @Override
  Object framed(ByteBuf frame) {
    return new BinaryWebSocketFrame(frame);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof HandshakeComplete) {
      upgraded = true;
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
  void close(ChannelHandlerContext ctx) {
    if (upgraded) {
      // The codec fails every write behind a close frame at once, before what stands in front of it is written.
      CloseWebSocketFrame frame = closeCode < 0 ? new CloseWebSocketFrame() : new CloseWebSocketFrame(closeCode, "");
      ctx.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE);
    } else {
      closeWhenWritten(ctx);
    }
  }
}
