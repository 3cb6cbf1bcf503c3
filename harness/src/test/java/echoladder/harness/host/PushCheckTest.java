package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The harness's own check, against servers that do not push, over TCP and over HTTP. */
class PushCheckTest {
  private static final String STREAM = "200 OK\r\nContent-Type: text/event-stream";
  private static final String COUNTED = "200 OK\r\nContent-Length: 1\r\n\r\n";

  @FunctionalInterface
  private interface Serving {
    void serve(Socket socket) throws IOException;
  }

  private static void against(Serving serving, String message) throws IOException {
    against(Protocol.TCP, serving, message);
  }

  private static void against(Protocol protocol, Serving serving, String message) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      Thread.ofVirtual()
          .start(
              () -> {
                while (!listener.isClosed()) {
                  try {
                    Socket socket = listener.accept();
                    Thread.ofVirtual().start(() -> serve(serving, socket));
                  } catch (IOException e) {
                    // The check has ended.
                  }
                }
              });
      assertThatThrownBy(() -> PushCheck.of(protocol, HttpAsk.ECHO, new Target("127.0.0.1", listener.getLocalPort()), null))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("push check of 127.0.0.1:", message);
    }
  }

  private static void serve(Serving serving, Socket socket) {
    try (socket) {
      serving.serve(socket);
    } catch (IOException e) {
      // The check has ended.
    }
  }

  /** Answers the subscription and reads the message behind it. */
  private static void published(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    in.readNBytes(9);
    socket.getOutputStream().write(frame(5));
    in.readNBytes(in.readInt());
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
  void aServerThatEndsTheConnectionWithinAFrameIsTold() throws IOException {
    against(
        socket -> {
          published(socket);
          socket.getOutputStream().write(frame(7, (byte) 0, (byte) 0, (byte) 0, (byte) 1), 0, 11);
        },
        "the server ended the connection");
  }

  @Test
  void aServerThatHandsAMessageToNobodyIsTold() throws IOException {
    against(
        socket -> {
          published(socket);
          socket.getOutputStream().write(frame(7, (byte) 0, (byte) 0, (byte) 0, (byte) 0));
          socket.getInputStream().read();
        },
        "a frame of kind 7 of topic 2147483647 came where kind 7 of topic 2147483647 was due, and its bytes are others");
  }

  @Test
  void aPingBeforeAMessageIsAnsweredAndNoFault() throws Exception {
    CompletableFuture<byte[]> pong = new CompletableFuture<>();
    against(
        Protocol.WEBSOCKET,
        socket -> {
          DataInputStream in = new DataInputStream(socket.getInputStream());
          StringBuilder asked = new StringBuilder();
          while (asked.indexOf("\r\n\r\n") < 0) {
            asked.append((char) in.readUnsignedByte());
          }
          OutputStream out = socket.getOutputStream();
          out.write(Upgrade.answer(String.valueOf(Upgrade.header(asked.toString(), "Sec-WebSocket-Key"))));
          // Masked: the subscription, behind which a ping is read.
          in.readNBytes(11);
          out.write(Frames.plain(Frames.PING, true, new byte[] {1, 2, 3}));
          pong.complete(in.readNBytes(9));
          out.write(Frames.plain(Frames.CLOSE, true, new byte[0]));
        },
        "the server ended the connection");
    assertThat(pong.get(1, TimeUnit.MINUTES)).startsWith(0x8a, 0x83);
  }

  /** Answers the subscription and the message; what a line of the second has is the stream's first event. */
  private static Serving events(String subscribed, String event, String published) {
    return new Serving() {
      private volatile OutputStream stream = OutputStream.nullOutputStream();

      @Override
      public void serve(Socket socket) throws IOException {
        byte[] part = new byte[4_096];
        String request = new String(part, 0, Math.max(0, socket.getInputStream().read(part)), StandardCharsets.ISO_8859_1);
        OutputStream out = socket.getOutputStream();
        if (request.startsWith("GET")) {
          stream = out;
          out.write(("HTTP/1.1 " + subscribed + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        } else {
          stream.write(event.getBytes(StandardCharsets.ISO_8859_1));
          out.write(("HTTP/1.1 " + published).getBytes(StandardCharsets.ISO_8859_1));
        }
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
    };
  }

  @Test
  void whatIsNoEventStreamIsTold() throws IOException {
    against(
        Protocol.HTTP, events("404 Not Found\r\nContent-Length: 0", "", ""),
        "GET /subscribe?topic=2147483647 is answered by status 404 and content-type none; 200 and text/event-stream are right");
    against(
        Protocol.HTTP, events("200 OK\r\nContent-Type: text/html\r\nContent-Length: 0", "", ""), "is answered by status 200 and content-type text/html");
    against(
        Protocol.HTTP, events("200 OK\r\nContent-Type: text/event-streams\r\nContent-Length: 0", "", ""),
        "is answered by status 200 and content-type text/event-streams");
  }

  @Test
  void aMessageThatReachesNobodyIsTold() throws IOException {
    against(Protocol.HTTP, events(STREAM, "", COUNTED + "0"), "POST /publish?topic=2147483647 is answered by 0, as if nobody had subscribed");
    against(Protocol.HTTP, events(STREAM, "", "405 No\r\nContent-Length: 0\r\n\r\n"), "is answered by status 405; 200 is right");
  }

  /** It waited for ever. */
  @Test
  void anAnswerThatDoesNotEndIsTold() throws IOException {
    against(
        Protocol.HTTP, events(STREAM, "data: echo-ladder_one-two-three\n\n", "200 OK\r\nContent-Length: 5\r\n\r\n1"),
        "POST /publish?topic=2147483647 had no whole answer within 10 s, the bound");
  }

  @Test
  void anotherFirstEventIsTold() throws IOException {
    against(
        Protocol.HTTP, events(STREAM, "event: other\ndata: x\n\ndata: {\"hello\": 1}\n\n", COUNTED + "1"),
        "'echo-ladder_one-two-three' was published and the first event has '{\"hello\": 1}'");
  }

  /** A type has no case, and may have parameters. */
  @ParameterizedTest
  @ValueSource(strings = {"text/event-stream", "Text/Event-Stream", "text/event-stream;charset=utf-8", "text/event-stream ; charset=UTF-8"})
  void theMessageIsTheFirstEventWhateverStandsBeforeIt(String type) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      Serving serving = events(STREAM.replace("text/event-stream", type), ": hello\n\nid: 4\nevent: message\ndata:echo-ladder_one-two-three\n\n", COUNTED + "1");
      for (int i = 0; i < 2; i++) {
        Thread.ofVirtual().start(
            () -> {
              try {
                serve(serving, listener.accept());
              } catch (IOException e) {
                // The check has ended.
              }
            });
      }
      PushCheck.of(Protocol.HTTP, HttpAsk.ECHO, new Target("127.0.0.1", listener.getLocalPort()), "127.0.0.1");
    }
  }

  private static byte[] frame(int kind, byte... body) {
    return ByteBuffer.allocate(9 + body.length).putInt(5 + body.length).put((byte) kind).putInt(Integer.MAX_VALUE).put(body).array();
  }
}
