package echoladder.client.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Target;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a server is said before any load. */
class OneEchoTest {
  private static final byte[] WORDS = "one, two, three".getBytes(StandardCharsets.US_ASCII);

  /** Frames in place of an echo, or what {@code answer} makes of the right answer to the upgrade. */
  private static byte[] said(UnaryOperator<String> answer, byte[]... frames) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<byte[]> heard =
          CompletableFuture.supplyAsync(() -> serve(listener, answer, frames), command -> Thread.ofVirtual().start(command));
      try {
        OneEcho.of(new Target("127.0.0.1", listener.getLocalPort()), "/echo", WORDS, "127.0.0.1", Duration.ofSeconds(30));
      } finally {
        // The server is done with this client, whichever way it ended.
        heard.join();
      }
      return heard.join();
    }
  }

  /** What came after the message. */
  private static byte[] serve(ServerSocket listener, UnaryOperator<String> answer, byte[]... frames) {
    try (Socket socket = listener.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      StringBuilder asked = new StringBuilder();
      while (asked.indexOf("\r\n\r\n") < 0) {
        asked.append((char) in.readUnsignedByte());
      }
      String key = String.valueOf(Upgrade.header(asked.toString(), "Sec-WebSocket-Key"));
      String right = new String(Upgrade.answer(key), StandardCharsets.US_ASCII);
      String said = answer.apply(right);
      socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
      if (!said.equals(right)) {
        return new byte[0];
      }
      in.readNBytes(6 + WORDS.length);
      for (byte[] frame : frames) {
        socket.getOutputStream().write(frame);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      return new byte[0];
    }
  }

  @Test
  void anEchoInFragmentsWithAPingBetweenThemIsAnEcho() throws Exception {
    byte[] heard =
        said(
            right -> right,
            Frames.plain(Frames.BINARY, false, Arrays.copyOf(WORDS, 3)),
            Frames.plain(Frames.PING, true, new byte[] {7}),
            Frames.plain(Frames.CONTINUATION, true, Arrays.copyOfRange(WORDS, 3, WORDS.length)));
    // A pong with its byte, then the close.
    assertThat(heard).hasSize(7 + 8);
    assertThat(heard[0]).isEqualTo((byte) 0x8a);
    assertThat(heard[7]).isEqualTo((byte) 0x88);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "101 Switching Protocols|404 Not Found|its answer to the upgrade at /echo begins with 'HTTP/1.1 404 Not Found'",
        "HTTP/1.1|SSH-2.0|it answers another protocol than HTTP/1.1: its answer to the upgrade begins with 'SSH-2.0 101",
        "Upgrade: websocket|Server: x|its answer to the upgrade at /echo has no header 'Upgrade: websocket'",
        "Accept: |Accept: x|its answer to the upgrade at /echo has a Sec-WebSocket-Accept that is not that of its key",
      })
  void aWrongUpgradeIsSaid(String right, String wrong, String message) {
    assertThatThrownBy(() -> said(answer -> answer.replace(right, wrong))).isInstanceOf(IOException.class).hasMessageContaining(message);
  }

  /** A connection that is there already has had its handshake. */
  @Test
  void aServerThatSaysNothingOnAConnectionThatIsThereIsSaid() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket connected = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
      Target target = new Target("127.0.0.1", listener.getLocalPort());
      assertThatThrownBy(() -> OneEcho.on(connected, target, "/echo", WORDS, Duration.ofMillis(200)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("it took the connection and the upgrade that was asked for, and nothing came back within ");
    }
  }

  @Test
  void aWrongEchoIsSaid() {
    byte[] other = WORDS.clone();
    other[4]++;
    assertThatThrownBy(() -> said(right -> right, Frames.plain(Frames.BINARY, true, other))).hasMessage("15 bytes were sent and 15 came back, other ones");
    assertThatThrownBy(() -> said(right -> right, Frames.plain(Frames.BINARY, true, new byte[99]))).hasMessage("15 bytes were sent and more came back");
    assertThatThrownBy(() -> said(right -> right, Frames.plain(Frames.TEXT, true, WORDS))).hasMessage("its echo of a binary message is text");
    assertThatThrownBy(() -> said(right -> right, Frames.masked(Frames.BINARY, WORDS, 1))).hasMessage("it sent a frame with a mask, which a server must not use");
    assertThatThrownBy(() -> said(right -> right, Frames.plain(Frames.CLOSE, true, CloseCode.body(1011))))
        .hasMessage("it closed the connection with code 1011 before the echo");
  }
}
