package echoladder.workloads;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Answers each byte with one byte: {@link #WAIT} so many milliseconds later, {@link #AT_ONCE} at once. A process of its own,
 * so that what it takes is not the workload's; the Go form of the workload asks this one too. Its one argument is the time;
 * it prints its port, and ends when its stdin does.
 */
final class WaitingServer {
  static final int AT_ONCE = 0;
  static final int WAIT = 1;

  private static final int BACKLOG = 4_096;

  private WaitingServer() {}

  /** Starts it. */
  public static void main(String[] args) throws IOException {
    long ms = Long.parseLong(args[0]);
    ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    System.out.println(server.getLocalPort());
    System.out.flush();
    Thread.ofPlatform().daemon().start(() -> accept(server, ms));
    // Whoever started it may be killed; its end of the pipe closes then.
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static void accept(ServerSocket server, long ms) {
    while (true) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> answer(socket, ms));
      } catch (IOException e) {
        System.err.println("waiting-server: cannot accept: " + e.getMessage());
        System.exit(1);
      }
    }
  }

  private static void answer(Socket socket, long ms) {
    try (socket; InputStream in = socket.getInputStream()) {
      for (int asked = in.read(); asked >= 0; asked = in.read()) {
        Thread.sleep(asked == AT_ONCE ? 0 : ms);
        socket.getOutputStream().write(1);
      }
    } catch (IOException e) {
      return; // The other side has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
