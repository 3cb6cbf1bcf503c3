package echoladder.servers.kit;

import static java.net.StandardSocketOptions.SO_KEEPALIVE;
import static java.net.StandardSocketOptions.TCP_NODELAY;

import echoladder.servers.kit.options.BlockingOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;

/**
 * A thread for each connection, which reads and writes back in a blocking loop, with {@code --tls on} under TLS, or with
 * {@code --traffic push} hands on what is published. What kind of thread is up to the factory. SocketChannel and a direct buffer, as
 * then no thread keeps a buffer of its own besides: docs/decisions/blocking-io-api.md.
 */
public final class BlockingEchoServer implements EchoServer {
  private static final int QUIET_LOOKS = 3;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final ServerSocketChannel listener;
  private final int port;
  private final Conversation conversation;
  private final boolean keepAlive;
  private final TlsOptions tls;
  private final ThreadFactory threads;
  private final EchoMetrics metrics;
  private final AcceptErrors acceptErrors;
  private final ServerLog log;
  private final OpenConnections connections = new OpenConnections();
  private final Thread acceptor;

  /** What is said on a connection, by its thread. */
  @FunctionalInterface
  interface Conversation {
    /** Goes on until the client ends it; an IOException where it breaks. */
    void hold(SocketChannel channel) throws IOException;
  }

  /** Echo: writes back what it reads, through a buffer of the connection's own. No lambda, whose frame would park with it. */
  record Echo(int bufferBytes, EchoMetrics metrics) implements Conversation {
    @Override
    public void hold(SocketChannel channel) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocateDirect(bufferBytes);
      for (int n; (n = channel.read(buffer)) >= 0; buffer.clear()) {
        metrics.received(n);
        buffer.flip();
        while (buffer.hasRemaining()) {
          metrics.sent(channel.write(buffer));
        }
      }
    }
  }

  private BlockingEchoServer(
      ServerSocketChannel listener, int port, BlockingOptions blocking, Conversation conversation, ThreadFactory threads,
      EchoContext context) {
    this.listener = listener;
    this.port = port;
    this.conversation = conversation;
    this.keepAlive = blocking.keepAlive();
    this.tls = blocking.tls();
    this.threads = threads;
    this.metrics = context.metrics();
    this.acceptErrors = context.acceptErrors();
    this.log = context.log();
    this.acceptor = Thread.ofPlatform().name("accept").daemon().unstarted(this::acceptAll);
  }

  /** Warms up where it is told to, then listens; connections are accepted when this returns. */
  public static BlockingEchoServer start(
      ServerOptions options, BlockingOptions blocking, EchoContext context, ThreadFactory threads)
      throws IOException {
    blocking.push().check();
    blocking.tls().check(blocking.push().push());
    BlockingWarmUp.run(blocking, context, threads);
    Conversation conversation =
        blocking.push().push()
            ? new PushConversation(blocking, context, threads)
            : blocking.tls().on()
            ? new TlsEcho(blocking.bufferBytes(), context.metrics(), blocking.tls().context())
            : new Echo(blocking.bufferBytes(), context.metrics());
    return listen(options.echoAddress(), options.backlog(), blocking, conversation, context, threads);
  }

  static BlockingEchoServer listen(
      InetSocketAddress address, int backlog, BlockingOptions blocking, Conversation conversation, EchoContext context,
      ThreadFactory threads)
      throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(address, backlog);
      int port = listener.socket().getLocalPort();
      BlockingEchoServer server = new BlockingEchoServer(listener, port, blocking, conversation, threads, context);
      server.acceptor.start();
      return server;
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Map<String, Object> running() {
    if (!tls.on()) {
      return Map.of("io", "SocketChannel, blocking", "buffer", "direct");
    }
    Map<String, Object> running = new TreeMap<>(tls.running("JDK, SSLSocket"));
    running.put("io", "SSLSocket over a SocketChannel, blocking");
    running.put("buffer", "heap");
    return running;
  }

  private void acceptAll() {
    try {
      while (listener.isOpen()) {
        if (!acceptErrors.mayAccept() || !acceptOne()) {
          Thread.sleep(AcceptErrors.PAUSE);
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it but the end of the process.
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it went well; closing the listener counts as well. */
  private boolean acceptOne() {
    try {
      start(listener.accept());
      return true;
    } catch (ClosedChannelException e) {
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // A thread that cannot be started is an OutOfMemoryError too; the next connection may do better.
      acceptErrors.failed(e);
      return false;
    }
  }

  private void start(SocketChannel channel) {
    EchoConnection connection = new EchoConnection(channel);
    metrics.connectionAccepted();
    connections.add(connection);
    boolean started = false;
    try {
      threads.newThread(connection).start();
      started = true;
    } finally {
      if (!started) {
        connection.end();
      }
    }
  }

  @Override
  public long drain(Duration limit) throws InterruptedException {
    long endNs = System.nanoTime() + limit.toNanos();
    try {
      listener.close();
    } catch (IOException e) {
      log.failure("close of the listener failed", e);
    }
    // Whoever was accepted in the last moment is among the open connections after this.
    acceptor.join(limit);
    finishQuietOnes(endNs);
    return connections.awaitNone(endNs);
  }

  /**
   * Ends the input of each connection once nothing was waiting in it at {@link #QUIET_LOOKS} looks in a row. Not at
   * once: after shutdownInput the JDK reads no more, not even what the kernel has already received.
   */
  private void finishQuietOnes(long endNs) throws InterruptedException {
    List<Draining> left = new ArrayList<>();
    for (OpenConnections.Connection c : connections.snapshot()) {
      left.add(new Draining(c));
    }
    while (!left.isEmpty() && System.nanoTime() - endNs < 0) {
      // A look at a million of them may outlast the drain.
      left.removeIf(c -> System.nanoTime() - endNs < 0 && c.finishedAfterLook());
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  private static final class Draining {
    private final OpenConnections.Connection connection;
    private int quietLooks;

    Draining(OpenConnections.Connection connection) {
      this.connection = connection;
    }

    boolean finishedAfterLook() {
      quietLooks = connection.nothingToRead() ? quietLooks + 1 : 0;
      if (quietLooks < QUIET_LOOKS) {
        return false;
      }
      connection.finish();
      return true;
    }
  }

  /** 24 bytes, its thread's stack, its channel and its buffer are all that a connection costs that echoes. */
  private final class EchoConnection extends OpenConnections.Connection {
    private final SocketChannel channel;

    EchoConnection(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public void run() {
      try {
        channel.setOption(TCP_NODELAY, true);
        if (keepAlive) {
          channel.setOption(SO_KEEPALIVE, true);
        }
        conversation.hold(channel);
      } catch (IOException e) {
        // The client reset it, or the drain gave up on it: the end of this connection and of nothing else.
        metrics.connectionBroken();
      } catch (OutOfMemoryError e) {
        // No buffer is to be had for it; the acceptor pauses, and those that have theirs go on.
        metrics.connectionBroken();
        acceptErrors.failed(e);
      } finally {
        end();
      }
    }

    private void end() {
      try {
        channel.close();
      } catch (IOException e) {
        log.failure("close of a connection failed", e);
      } finally {
        connections.remove(this);
        metrics.connectionClosed();
      }
    }

    @Override
    boolean nothingToRead() {
      try {
        return channel.socket().getInputStream().available() == 0;
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    void finish() {
      try {
        channel.shutdownInput();
      } catch (IOException e) {
        // Closed or reset in the meantime, so its loop ends by itself.
      }
    }
  }
}
