package echoladder.servers.netty;

import echoladder.servers.kit.options.CannotRun;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;

/**
 * A ring of buffers for each event loop of io_uring, from which the kernel takes one when bytes have come: an idle connection
 * holds none. With multishot one receive then serves a connection for many reads.
 */
final class BufferRing {
  private static final short GROUP = 1;

  private BufferRing() {}

  /**
   * What makes event loops with a ring each.
   *
   * @throws CannotRun where the kernel does not have what was asked for
   */
  static IoHandlerFactory handlers(NettyOptions options) {
    if (!IoUring.isRegisterBufferRingSupported()) {
      throw missing("a ring of provided buffers (IORING_REGISTER_PBUF_RING)", "5.19", "io_uring");
    }
    if (options.receiveMultishot() && !IoUring.isRecvMultishotEnabled()) {
      throw missing("a receive that serves for many reads (IORING_RECV_MULTISHOT)", "6.0", "io_uring_ring --receive-multishot off");
    }
    IoUringBufferRingConfig ring =
        IoUringBufferRingConfig.builder()
            .bufferGroupId(GROUP)
            .bufferRingSize((short) options.bufferRing())
            .batchSize(options.bufferRing())
            .allocator(new IoUringFixedBufferRingAllocator(options.allocator().create(), options.receiveBufferBytes()))
            .build();
    return IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setBufferRingConfig(ring));
  }

  private static CannotRun missing(String what, String since, String instead) {
    return new CannotRun(
        "transport io_uring_ring was asked for and is not available here: this kernel does not offer " + what
            + ", which Linux has from " + since + " on; its io_uring has " + IoUring.featureString()
            + ". Take --transport " + instead);
  }

  /** Has accepted connections read from the ring of their loop. */
  static void use(ServerBootstrap bootstrap) {
    bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP);
  }
}
