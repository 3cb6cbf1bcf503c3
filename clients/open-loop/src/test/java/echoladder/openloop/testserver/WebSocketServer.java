package echoladder.openloop.testserver;

import echoladder.client.Target;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A WebSocket echo server that misbehaves as it is told, with a thread per connection and a reader of frames of its own. What a
 * client must not send is a defect.
 */
public final class WebSocketServer implements AutoCloseable {
  /** What is said; connections are counted from 0, and the messages of each. */
  public interface Manners {
    /** What a connection is spoken over. */
    default Socket over(Socket accepted) throws IOException {
      return accepted;
    }

    /** The bytes that answer the upgrade with that key; none = the connection ends. */
    default byte[] upgrade(int connection, String key) {
      return Upgrade.answer(key);
    }

    /** The bytes that answer a message. */
    byte[] answer(int connection, int number, byte[] message) throws InterruptedException;
  }

  private final ServerSocket listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
  private final Manners manners;
  private final Queue<String> defects = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> masks = new ConcurrentLinkedQueue<>();
  private final Queue<String> pongs = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> closes = new ConcurrentLinkedQueue<>();

  /** Accepts at once. */
  public WebSocketServer(Manners manners) throws IOException {
    this.manners = manners;
    Thread.ofVirtual().start(this::accept);
  }

  public Target target() {
    return new Target("127.0.0.1", listener.getLocalPort());
  }

  /** The payloads of all pongs that came. */
  public Collection<String> pongs() {
    return pongs;
  }

  /** The codes of all closes that came. */
  public Collection<Integer> closes() {
    return closes;
  }

  /** The masks of all messages that came. */
  public Collection<Integer> masks() {
    return masks;
  }

  private void accept() {
    try {
      for (int connection = 0; ; connection++) {
        Socket socket = listener.accept();
        int number = connection;
        Thread.ofVirtual().start(() -> serve(socket, number));
      }
    } catch (IOException e) {
      // The listener was closed: the test is over.
    }
  }

  private void serve(Socket accepted, int connection) {
    try (accepted) {
      accepted.setTcpNoDelay(true);
      Socket socket = manners.over(accepted);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      StringBuilder asked = new StringBuilder();
      while (asked.indexOf("\r\n\r\n") < 0) {
        asked.append((char) in.readUnsignedByte());
      }
      if (!asked.toString().startsWith("GET /echo HTTP/1.1\r\n") || asked.indexOf("Sec-WebSocket-Version: 13\r\n") < 0) {
        defects.add("asked: " + asked);
      }
      byte[] answer = manners.upgrade(connection, String.valueOf(Upgrade.header(asked.toString(), "Sec-WebSocket-Key")));
      socket.getOutputStream().write(answer);
      for (int number = 0; answer.length > 0; ) {
        number += frame(in, socket, connection, number);
      }
    } catch (IOException e) {
      // The client has left.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads a frame, and answers it if it is a message; how many it was. */
  private int frame(DataInputStream in, Socket socket, int connection, int number) throws IOException, InterruptedException {
    int first = in.readUnsignedByte();
    int second = in.readUnsignedByte();
    int opcode = first & 0x0f;
    if ((first & 0xf0) != 0x80 || (second & 0x80) == 0) {
      defects.add("a frame that begins with %02x %02x".formatted(first, second));
    }
    int length = second & 0x7f;
    length = length == 126 ? in.readUnsignedShort() : length == 127 ? Math.toIntExact(in.readLong()) : length;
    byte[] mask = in.readNBytes(4);
    byte[] payload = in.readNBytes(length);
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= mask[i & 3];
    }
    switch (opcode) {
      case Frames.BINARY -> {
        masks.add(ByteBuffer.wrap(mask).getInt());
        socket.getOutputStream().write(manners.answer(connection, number, payload));
        return 1;
      }
      case Frames.PONG -> pongs.add(new String(payload, StandardCharsets.US_ASCII));
      case Frames.CLOSE -> closes.add(CloseCode.of(payload));
      default -> defects.add("a frame of opcode " + opcode);
    }
    return 0;
  }

  /** Ends the server; what a client must not have sent is an {@link AssertionError}. */
  @Override
  public void close() throws IOException {
    listener.close();
    if (!defects.isEmpty()) {
      throw new AssertionError("the client sent what it must not: " + defects);
    }
  }
}
