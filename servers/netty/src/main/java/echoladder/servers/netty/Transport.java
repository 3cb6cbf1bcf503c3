package echoladder.servers.netty;

import echoladder.servers.kit.options.CannotRun;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Netty's ways to the kernel. One that is asked for and not to be had is an error, never another one instead. */
enum Transport {
  NIO,
  EPOLL,
  /** Each read brings its own buffer. */
  IO_URING,
  /** The kernel takes a buffer for a read out of the event loop's {@link BufferRing}. */
  IO_URING_RING;

  /**
   * What makes its event loops; {@link CannotRun} with the cause where this host does not have it.
   *
   * @param echoing whether they echo; the one that accepts reads nothing, and needs no buffers
   */
  IoHandlerFactory handlers(NettyOptions options, boolean echoing) {
    Throwable missing = missing(options);
    if (missing != null) {
      Throwable root = missing;
      for (Throwable next = root; next != null; next = next.getCause()) {
        root = next;
      }
      throw new CannotRun(
          "transport " + this + " was asked for and is not available here: " + missing.getMessage() + "; because: "
              + root + advice() + ". Netty would fall back to nothing by itself, and this server does not either: "
              + "choose another with --transport",
          missing);
    }
    return switch (this) {
      case NIO -> NioIoHandler.newFactory();
      case EPOLL -> EpollIoHandler.newFactory();
      case IO_URING -> IoUringIoHandler.newFactory();
      case IO_URING_RING -> echoing ? BufferRing.handlers(options) : IoUringIoHandler.newFactory();
    };
  }

  private @Nullable Throwable missing(NettyOptions options) {
    // Netty 4.2.18 re-arms a multishot accept whatever came of it, also while reading is switched off: out of
    // descriptors it fails several hundred thousand times a second. Both are read when the class IoUring is first used.
    System.setProperty("io.netty.iouring.acceptMultiShotEnabled", "false");
    System.setProperty("io.netty.iouring.recvMultiShotEnabled", String.valueOf(this == IO_URING_RING && options.receiveMultishot()));
    return switch (this) {
      case NIO -> null;
      case EPOLL -> Epoll.unavailabilityCause();
      case IO_URING, IO_URING_RING -> IoUring.unavailabilityCause();
    };
  }

  private String advice() {
    return byIoUring()
        ? "; it needs Linux 5.14, kernel.io_uring_disabled=0 (or 1 and its group) and no seccomp filter against it, as"
            + " containers have by default"
        : "";
  }

  /** Whether it goes through io_uring. */
  boolean byIoUring() {
    return this == IO_URING || this == IO_URING_RING;
  }

  /** The option of its sockets that is TCP_USER_TIMEOUT; null = they have none. */
  @Nullable ChannelOption<Integer> userTimeout() {
    return switch (this) {
      case NIO -> null;
      case EPOLL -> EpollChannelOption.TCP_USER_TIMEOUT;
      case IO_URING, IO_URING_RING -> IoUringChannelOption.TCP_USER_TIMEOUT;
    };
  }

  Class<? extends ServerChannel> serverChannel() {
    return switch (this) {
      case NIO -> NioServerSocketChannel.class;
      case EPOLL -> EpollServerSocketChannel.class;
      case IO_URING, IO_URING_RING -> IoUringServerSocketChannel.class;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
