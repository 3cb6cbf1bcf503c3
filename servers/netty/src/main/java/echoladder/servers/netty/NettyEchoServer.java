package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerLog;
import echoladder.servers.kit.options.ServerOptions;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.uring.IoUring;
import io.netty.util.Version;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Echo on Netty's event loops: one that accepts, some that echo. */
final class NettyEchoServer implements EchoServer {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final Channel listener;
  private final ChannelGroup connections;
  private final NettyOptions options;
  private final ByteBufAllocator allocator;
  private final ServerLog log;
  private final Map<String, Object> more;

  private NettyEchoServer(
      Channel listener, ChannelGroup connections, NettyOptions options, ByteBufAllocator allocator, ServerLog log,
      Map<String, Object> more) {
    this.listener = listener;
    this.connections = connections;
    this.options = options;
    this.allocator = allocator;
    this.log = log;
    this.more = more;
  }

  /**
   * Listens; connections are accepted when this returns.
   *
   * @param handlers adds those of a connection to its pipeline, the last one a {@link ConnectionHandler}
   */
  static NettyEchoServer start(
      ServerOptions common, NettyOptions options, EchoContext context, Consumer<ChannelPipeline> handlers)
      throws IOException {
    return start(common, options, context, handlers, Map.of());
  }

  /** Listens as the other does; the ready line says {@code more}. */
  static NettyEchoServer start(
      ServerOptions common, NettyOptions options, EchoContext context, Consumer<ChannelPipeline> handlers, Map<String, Object> more)
      throws IOException {
    options.check();
    IoHandlerFactory echoing = options.transport().handlers(options, true);
    IoHandlerFactory accepting = options.transport().handlers(options, false);
    ByteBufAllocator allocator = options.allocator().create();
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    EventLoopGroup loops = EventLoops.started(options.eventLoops(), echoing, context);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(EventLoops.started(1, accepting, context), loops)
            .channel(options.transport().serverChannel())
            .option(ChannelOption.SO_BACKLOG, common.backlog())
            .handler(new AcceptHandler(context.acceptErrors()))
            .childOption(ChannelOption.ALLOCATOR, allocator)
            // TCP_NODELAY is Netty's own default; named here, it would be set a second time for each connection.
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    handlers.accept(channel.pipeline());
                  }
                });
    if (options.transport() == Transport.IO_URING_RING) {
      BufferRing.use(bootstrap);
    } else if (options.receiveBufferBytes() > 0) {
      bootstrap.childOption(
          ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(options.receiveBufferBytes()));
    }
    if (options.keepAlive()) {
      bootstrap.childOption(ChannelOption.SO_KEEPALIVE, true);
    }
    ChannelOption<Integer> userTimeout = options.transport().userTimeout();
    if (userTimeout != null && options.userTimeoutMs() > 0) {
      bootstrap.childOption(userTimeout, options.userTimeoutMs());
    }
    ChannelFuture bound = bootstrap.bind(common.echoAddress()).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(Objects.requireNonNull(bound.cause()).getMessage(), bound.cause());
    }
    return new NettyEchoServer(bound.channel(), connections, options, allocator, context.log(), more);
  }

  @Override
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public Map<String, Object> running() {
    Map<String, Object> running = new TreeMap<>(more);
    Version version = Version.identify().get("netty-transport");
    running.put("netty_version", version == null ? "unknown" : version.artifactVersion());
    running.put("transport_class", listener.getClass().getSimpleName());
    running.put("allocator_class", allocator.getClass().getSimpleName());
    running.put("event_loops_running", options.eventLoops());
    // Without it, Netty takes slower ways to memory.
    running.put("unsafe", PlatformDependent.hasUnsafe());
    if (options.transport().byIoUring()) {
      running.put("io_uring_accept_multishot", IoUring.isAcceptMultishotEnabled());
      running.put("io_uring_poll_multishot", IoUring.isPollAddMultishotEnabled());
      running.put("io_uring_receive_multishot", IoUring.isRecvMultishotEnabled());
      running.put("io_uring_buffer_ring", options.transport() == Transport.IO_URING_RING ? options.bufferRing() : 0);
    }
    return running;
  }

  @Override
  public long directBytes() {
    return allocator instanceof ByteBufAllocatorMetricProvider provider
        ? provider.metric().usedDirectMemory()
        : EchoServer.super.directBytes();
  }

  @Override
  public long drain(Duration limit) throws InterruptedException {
    long endNs = System.nanoTime() + limit.toNanos();
    if (!listener.close().await(limit.toMillis())) {
      log.say("the listener did not close within the drain");
    }
    Drain.start(connections);
    while (!connections.isEmpty() && System.nanoTime() - endNs < 0) {
      Thread.sleep(BETWEEN_LOOKS);
    }
    return connections.size();
  }
}
