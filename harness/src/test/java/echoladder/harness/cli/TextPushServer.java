package echoladder.harness.cli;

import com.sun.management.OperatingSystemMXBean;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A server that the project does not know, in this process: who upgrades to WebSocket at /events gets the messages of whoever upgrades at
 * /send. Its page has no more than the CPU of this process.
 */
final class TextPushServer implements AutoCloseable {
  private final ServerSocket listener;
  private final Set<Socket> subscribers = new LinkedHashSet<>();

  private TextPushServer(ServerSocket listener) {
    this.listener = listener;
  }

  static TextPushServer start() throws IOException {
    TextPushServer server = new TextPushServer(new ServerSocket(0, 1_000, InetAddress.getByName("127.0.0.1")));
    Thread.ofVirtual().start(server::accept);
    return server;
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  String page() {
    return "http://" + address() + "/metrics";
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readUnsignedByte());
      }
      String asked = head.toString();
      if (asked.startsWith("GET /metrics")) {
        double cpuS = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
        answer(socket, "200 OK", "process_cpu_seconds_total " + cpuS + "\n");
      } else if (asked.startsWith("GET /events ")) {
        synchronized (subscribers) {
          upgrade(socket, asked);
          subscribers.add(socket);
        }
        while (in.read() >= 0) {
          // Its pongs and its close say nothing here.
        }
      } else if (asked.startsWith("GET /send ")) {
        upgrade(socket, asked);
        while (true) {
          deliver(message(in));
        }
      } else {
        answer(socket, "404 Not Found", "");
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      synchronized (subscribers) {
        subscribers.remove(socket);
      }
    }
  }

  private static void answer(Socket socket, String status, String body) throws IOException {
    String answer = "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }

  private static void upgrade(Socket socket, String asked) throws IOException {
    socket.getOutputStream().write(Upgrade.answer(String.valueOf(Upgrade.header(asked, "Sec-WebSocket-Key"))));
  }

  /** The next message of text, which clients mask; what else comes is passed over. */
  private static byte[] message(DataInputStream in) throws IOException {
    while (true) {
      int opcode = in.readUnsignedByte() & 0x0f;
      int length = in.readUnsignedByte() & 0x7f;
      length = length == 126 ? in.readUnsignedShort() : length == 127 ? Math.toIntExact(in.readLong()) : length;
      byte[] mask = in.readNBytes(4);
      byte[] payload = in.readNBytes(length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i & 3];
      }
      if (opcode == Frames.TEXT) {
        return payload;
      }
    }
  }

  private void deliver(byte[] message) {
    byte[] frame = Frames.plain(Frames.TEXT, true, message);
    synchronized (subscribers) {
      for (Socket subscriber : subscribers) {
        try {
          subscriber.getOutputStream().write(frame);
        } catch (IOException e) {
          // Its own thread sees its end.
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
