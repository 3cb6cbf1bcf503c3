package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;

/** Push on one connection over TCP. */
final class PushHandler extends FrameHandler {
  private final PushFrames frames = new PushFrames();

  PushHandler(PushHub hub, EchoContext context) {
    super(hub, context);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      received(in.readableBytes());
      ByteBuffer bytes = in.nioBuffer();
      for (byte[] frame; !ended() && (frame = frames.next(bytes)) != null; ) {
        take(ctx, frame);
      }
    } catch (PushFrames.Malformed e) {
      malformed(ctx);
    } finally {
      in.release();
    }
  }

  @Override
  ByteBuf kept(ChannelHandlerContext ctx, byte[] frame) {
    // Outside the heap, so that it is not copied for each subscriber.
    return ctx.alloc().directBuffer(frame.length).writeBytes(frame);
  }

  @Override
  boolean isMessage(ByteBuf frame) {
    return frame.getByte(frame.readerIndex() + PushFrames.KIND_AT) == PushFrames.MESSAGE;
  }

  @Override
  Object framed(ByteBuf frame) {
    return frame;
  }
}
