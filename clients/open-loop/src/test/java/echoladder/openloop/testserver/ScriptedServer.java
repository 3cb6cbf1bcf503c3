package echoladder.openloop.testserver;

import echoladder.client.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server that does on each connection what a script says, on a thread of its own. */
public final class ScriptedServer implements AutoCloseable {
  /** What is done on a connection, which is closed behind it; connections are counted from 0. */
  @FunctionalInterface
  public interface Script {
    /** Where the client has closed the connection, an IOException is the end of it. */
    void serve(int connection, Socket socket) throws IOException, InterruptedException;
  }

  private static final int SMALL_BYTES = 4096;

  private final ServerSocket listener = new ServerSocket();
  private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Script script;

  /** Accepts at once; what is not read of a connection soon fills its small receive buffer. */
  public ScriptedServer(Script script) throws IOException {
    this.script = script;
    listener.setReceiveBufferSize(SMALL_BYTES);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    Thread.ofVirtual().start(this::accept);
  }

  public Target target() {
    return new Target("127.0.0.1", listener.getLocalPort());
  }

  private void accept() {
    try {
      for (int connection = 0; ; connection++) {
        Socket socket = listener.accept();
        int number = connection;
        sockets.add(socket);
        // Platform threads: an endless script must not keep the carriers of others.
        Thread.ofPlatform().daemon().start(() -> serve(number, socket));
      }
    } catch (IOException e) {
      // The listener was closed: the test is over.
    }
  }

  private void serve(int connection, Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      script.serve(connection, socket);
    } catch (IOException e) {
      // The client has left.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes text, a byte per character. */
  public static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The head of a request, up to its empty line. */
  public static String head(Socket socket) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("the client has left");
      }
      head.write(b);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** The content-length of a request. */
  public static int length(String head) {
    return Integer.parseInt(head.replaceFirst("(?s).*Content-Length: (\\d+)\r\n.*", "$1"));
  }

  /** The body of a request of which only the body comes now. */
  public static String body(Socket socket, int bytes) throws IOException {
    byte[] body = socket.getInputStream().readNBytes(bytes);
    if (body.length < bytes) {
      throw new IOException("the client has left");
    }
    return new String(body, StandardCharsets.ISO_8859_1);
  }

  /** Answers every request of a connection rightly. */
  public static void echo(Socket socket) throws IOException {
    while (true) {
      echoOne(socket);
    }
  }

  /** Answers one request rightly. */
  public static void echoOne(Socket socket) throws IOException {
    int length = length(head(socket));
    say(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + body(socket, length));
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
