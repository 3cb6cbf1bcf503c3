package echoladder.servers.kit;

import echoladder.servers.kit.options.BlockingOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * Connections that the server makes to itself before it is ready, on a port and with counts of their own. The frames of
 * a parked virtual thread are those of the code that parked it: interpreted ones take a multiple of compiled ones, and
 * stay with a connection that seldom has anything to do.
 */
final class BlockingWarmUp {
  private static final int ECHOES = 4;
  private static final int MESSAGE_BYTES = 64;
  private static final int BACKLOG = 16;
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private BlockingWarmUp() {}

  /** Makes them one after the other; nothing is left open. An {@link IOException} says that a connection failed. */
  static void run(BlockingOptions blocking, EchoContext context, ThreadFactory threads) throws IOException {
    int connections = blocking.warmUpConnections();
    if (connections == 0) {
      return;
    }
    EchoContext apart =
        new EchoContext(new EchoMetrics(), context.acceptErrors(), context.log(), context.registry(), context.givesUp());
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    BlockingEchoServer server =
        BlockingEchoServer.listen(
            anyPort, BACKLOG, blocking, new BlockingEchoServer.Echo(blocking.bufferBytes(), apart.metrics()), apart, threads);
    try {
      ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
      InetSocketAddress address = new InetSocketAddress(anyPort.getAddress(), server.port());
      for (int i = 0; i < connections; i++) {
        try (SocketChannel channel = SocketChannel.open(address)) {
          echo(channel, message);
        }
      }
    } finally {
      drain(server);
    }
  }

  private static void echo(SocketChannel channel, ByteBuffer message) throws IOException {
    for (int i = 0; i < ECHOES; i++) {
      message.clear();
      while (message.hasRemaining()) {
        channel.write(message);
      }
      message.clear();
      while (message.hasRemaining()) {
        if (channel.read(message) < 0) {
          throw new IOException("the warm-up's own server closed its connection");
        }
      }
    }
  }

  private static void drain(BlockingEchoServer server) {
    try {
      server.drain(DRAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
