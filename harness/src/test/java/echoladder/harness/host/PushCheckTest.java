package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The harness's own check, against servers that do not push, over TCP, over HTTP and as text over WebSocket. */
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
    against(protocol, HttpAsk.ECHO, serving, message);
  }

  private static void against(Protocol protocol, HttpAsk asked, Serving serving, String message) throws IOException {
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
      assertThatThrownBy(() -> PushCheck.of(protocol, asked, new Target("127.0.0.1", listener.getLocalPort()), null))
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

  /** Asked by paths, and so for text over WebSocket. */
  private static HttpAsk text(String publish) {
    return HttpAsk.ECHO.with(new PushPaths("/events", publish));
  }

  /**
   * Upgrades who asks at /events and gives him what {@code pushed} has once something is published: by a POST, which {@code published}
   * answers, or by a frame of whoever was upgraded at /send.
   */
  private static Serving messages(byte[] pushed, String published) {
    return new Serving() {
      private volatile OutputStream subscriber = OutputStream.nullOutputStream();

      @Override
      public void serve(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder asked = new StringBuilder();
        while (asked.indexOf("\r\n\r\n") < 0) {
          asked.append((char) in.readUnsignedByte());
        }
        OutputStream out = socket.getOutputStream();
        byte[] upgraded = Upgrade.answer(String.valueOf(Upgrade.header(asked.toString(), "Sec-WebSocket-Key")));
        if (asked.indexOf("GET /events ") == 0) {
          subscriber = out;
          out.write(upgraded);
        } else if (asked.indexOf("GET /send ") == 0) {
          out.write(upgraded);
          in.readUnsignedByte();
          subscriber.write(pushed);
        } else {
          subscriber.write(pushed);
          out.write(("HTTP/1.1 " + published).getBytes(StandardCharsets.ISO_8859_1));
        }
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
    };
  }

  private static byte[] message(String text) {
    return Frames.plain(Frames.TEXT, true, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void whatIsNoRightUpgradeIsTold() throws IOException {
    against(
        Protocol.WEBSOCKET, text("/send"), events("404 Not Found\r\nContent-Length: 0", "", ""),
        "its answer to the upgrade at /events begins with 'HTTP/1.1 404 Not Found'; 'HTTP/1.1 101 Switching Protocols' is the right one");
    against(
        Protocol.WEBSOCKET, text("ws:/nowhere"), messages(message("x"), "404 Not Found\r\n\r\n"),
        "its answer to the upgrade at /nowhere begins with 'HTTP/1.1 404 Not Found'");
  }

  @Test
  void anotherFirstMessageIsTold() throws IOException {
    for (String publish : new String[] {"/send", "ws:/send"}) {
      against(
          Protocol.WEBSOCKET, text(publish), messages(message("hello"), COUNTED + "1"),
          "'echo-ladder_one-two-three' was published and the first message has 'hello'; a subscriber has to get what is published");
      against(
          Protocol.WEBSOCKET, text(publish), messages(Frames.plain(Frames.CLOSE, true, CloseCode.body(1011)), COUNTED + "1"),
          "it closed the connection with code 1011 before the message");
    }
  }

  @Test
  void aPostThatIsRefusedOrReachesNobodyIsTold() throws IOException {
    against(
        Protocol.WEBSOCKET, text("/send"), messages(new byte[0], "405 No\r\nContent-Length: 0\r\n\r\n"),
        "POST /send is answered by status 405; 200 is right");
    against(
        Protocol.WEBSOCKET, text("/send"), messages(new byte[0], COUNTED + "0"),
        "POST /send is answered by 0, as if nobody had subscribed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/send", "ws:/send"})
  void theMessageMayComeInFragments(String publish) throws IOException {
    byte[] words = "echo-ladder_one-two-three".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream pushed = new ByteArrayOutputStream();
    pushed.writeBytes(Frames.plain(Frames.PING, true, new byte[] {1}));
    pushed.writeBytes(Frames.plain(Frames.BINARY, false, Arrays.copyOf(words, 4)));
    pushed.writeBytes(Frames.plain(Frames.CONTINUATION, true, Arrays.copyOfRange(words, 4, words.length)));
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      Serving serving = messages(pushed.toByteArray(), COUNTED + "1");
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
      Target target = new Target("127.0.0.1", listener.getLocalPort());
      assertThatCode(() -> PushCheck.of(Protocol.WEBSOCKET, text(publish), target, "127.0.0.1")).doesNotThrowAnyException();
    }
  }

  private static byte[] frame(int kind, byte... body) {
    return ByteBuffer.allocate(9 + body.length).putInt(5 + body.length).put((byte) kind).putInt(Integer.MAX_VALUE).put(body).array();
  }
}
