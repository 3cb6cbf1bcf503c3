package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Target;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The harness's own check, against servers that do not push: one that echoes, and one that says it handed the message to nobody. */
class PushCheckTest {
  @FunctionalInterface
  private interface Serving {
    void serve(Socket socket) throws IOException;
  }

  private static void against(Serving serving, String message) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = listener.accept()) {
                  serving.serve(socket);
                } catch (IOException e) {
                  // The check has ended.
                }
              });
      assertThatThrownBy(() -> PushCheck.of(new Target("127.0.0.1", listener.getLocalPort()), null))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("push check of 127.0.0.1:", message);
    }
  }

  @Test
  void aServerThatEchoesIsTold() throws IOException {
    against(
        socket -> socket.getInputStream().transferTo(socket.getOutputStream()),
        "a frame of kind 1 of topic 2147483647 came where kind 5 of topic 2147483647 was due");
  }

  @Test
  void aServerThatEndsTheConnectionIsTold() throws IOException {
    against(socket -> socket.getInputStream().readNBytes(9), "the server ended the connection");
  }

  @Test
  void aServerThatHandsAMessageToNobodyIsTold() throws IOException {
    against(
        socket -> {
          DataInputStream in = new DataInputStream(socket.getInputStream());
          in.readNBytes(9);
          socket.getOutputStream().write(frame(5));
          in.readNBytes(in.readInt());
          socket.getOutputStream().write(frame(7, (byte) 0, (byte) 0, (byte) 0, (byte) 0));
          in.read();
        },
        "a frame of kind 7 of topic 2147483647 came where kind 7 of topic 2147483647 was due, and its bytes are others");
  }

  private static byte[] frame(int kind, byte... body) {
    return ByteBuffer.allocate(9 + body.length).putInt(5 + body.length).put((byte) kind).putInt(Integer.MAX_VALUE).put(body).array();
  }
}
