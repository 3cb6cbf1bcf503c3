import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The measurement behind blocking-io-api.md: an echo server on virtual threads by one of the JDK's blocking ways, with
 * a buffer of 256 B for each connection. {@code java BlockingIoApi.java channel-direct|channel-heap|socket PORT}; each
 * line on stdin is answered by what is alive after a collection.
 */
final class BlockingIoApi {
  private static final int BUFFER_BYTES = 256;

  public static void main(String[] args) throws Exception {
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1]));
    Thread.ofPlatform().daemon().start(args[0].equals("socket") ? sockets(address) : channels(address, args[0]));
    System.out.println(ProcessHandle.current().pid());
    while (System.in.read() >= 0) {
      System.gc();
      System.gc();
      long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      long direct =
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .filter(pool -> pool.getName().equals("direct"))
              .mapToLong(BufferPoolMXBean::getMemoryUsed)
              .sum();
      String rss = Files.readAllLines(Path.of("/proc/self/statm")).getFirst().split(" ")[1];
      System.out.println(heap + " " + direct + " " + 4096 * Long.parseLong(rss));
    }
  }

  private static Runnable channels(InetSocketAddress address, String way) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open().bind(address, 4096);
    boolean direct = way.equals("channel-direct");
    return () -> {
      while (true) {
        try {
          SocketChannel peer = listener.accept().setOption(StandardSocketOptions.TCP_NODELAY, true);
          Thread.startVirtualThread(
              () -> echo(peer, direct ? ByteBuffer.allocateDirect(BUFFER_BYTES) : ByteBuffer.allocate(BUFFER_BYTES)));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private static Runnable sockets(InetSocketAddress address) throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.bind(address, 4096);
    return () -> {
      while (true) {
        try {
          Socket peer = listener.accept();
          peer.setTcpNoDelay(true);
          Thread.startVirtualThread(() -> echo(peer));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private static void echo(SocketChannel peer, ByteBuffer buffer) {
    try (peer) {
      for (; peer.read(buffer) >= 0; buffer.clear()) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          peer.write(buffer);
        }
      }
    } catch (IOException e) {
      // A peer that resets has left.
    }
  }

  private static void echo(Socket peer) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (peer) {
      InputStream in = peer.getInputStream();
      OutputStream out = peer.getOutputStream();
      for (int n; (n = in.read(buffer)) >= 0; ) {
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // A peer that resets has left.
    }
  }
}
