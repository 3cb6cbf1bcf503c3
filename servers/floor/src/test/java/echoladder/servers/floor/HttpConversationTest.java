package echoladder.servers.floor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.options.HttpOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cutting, gathering and parking could get wrong; the contract suite covers the rest. */
@Timeout(60)
class HttpConversationTest {
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final String HOST = " HTTP/1.1\r\nHost: t\r\n";

  private static RunningFloor start(int bufferBytes) throws IOException {
    return new RunningFloor(
        bufferBytes, setup -> new CodecLoop(setup, HttpConversation.ofLoop(new HttpOptions()), Duration.ofSeconds(30)));
  }

  private static String echoed(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String text(String text) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + text.length() + "\r\n\r\n" + text;
  }

  /** With a buffer of one byte, every request is cut everywhere. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 65_536})
  void answersTheSameHoweverTheBytesAreCut(int bufferBytes) throws Exception {
    String requests =
        "POST /echo" + HOST + "Content-Length: 5\r\n\r\nabcde"
            + "POST /echo?x" + HOST + "transfer-ENCODING: Chunked\r\n\r\n3;why=not\r\nfgh\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
            + "GET http://t/api/light" + HOST + "\r\n"
            + "GET /api/heavy?duration=1" + HOST + "\r\n"
            + "GET /api/heavy?duration=0" + HOST + "\r\n"
            + "POST /echo" + HOST + "\r\n"
            + "POST /echo" + HOST + "X: " + "y".repeat(2_000) + "\r\nContent-Length: 3000\r\n\r\n" + "z".repeat(3_000);
    String answers =
        echoed("abcde") + echoed("fgh0123456789") + text("light\n") + text("heavy\n") + text("heavy\n") + echoed("") + echoed("z".repeat(3_000));
    try (RunningFloor floor = start(bufferBytes)) {
      for (int again = 0; again < 3; again++) {
        try (Socket socket = floor.connect()) {
          socket.getOutputStream().write(requests.getBytes(ISO_8859_1));
          socket.shutdownOutput();
          assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1)).isEqualTo(answers);
        }
      }
      floor.awaitOpen(0);
      assertThat(floor.metrics.receivedBytes()).isEqualTo(3 * 3_018);
      assertThat(floor.metrics.sentBytes()).isEqualTo(3 * 3_018);
      assertThat(floor.metrics.broken()).isZero();
    }
  }

  @Test
  void holdsBackWhoDoesNotReadAndAnswersAllOfItLater() throws Exception {
    byte[] body = new byte[200_000];
    new Random(1).nextBytes(body);
    byte[] head = ("POST /echo" + HOST + "Content-Length: " + body.length + "\r\n\r\n").getBytes(ISO_8859_1);
    int requests = 100;
    try (RunningFloor floor = start(65_536);
        Socket deaf = floor.connect()) {
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; i < requests; i++) {
                    deaf.getOutputStream().write(head);
                    deaf.getOutputStream().write(body);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              THREADS);
      try (Socket other = floor.connect()) {
        for (int i = 0; i < 20; i++) {
          other.getOutputStream().write(("GET /api/light" + HOST + "\r\n").getBytes(ISO_8859_1));
          assertThat(new String(other.getInputStream().readNBytes(text("light\n").length()), ISO_8859_1)).isEqualTo(text("light\n"));
        }
      }
      DataInputStream in = new DataInputStream(deaf.getInputStream());
      byte[] answerHead = new byte[echoed("").length() + 5];
      byte[] answer = new byte[body.length];
      for (int i = 0; i < requests; i++) {
        in.readFully(answerHead);
        in.readFully(answer);
        assertThat(answer).isEqualTo(body);
      }
      sending.join();
      deaf.shutdownOutput();
      floor.awaitOpen(0);
      assertThat(floor.metrics.sentBytes()).isEqualTo(requests * (long) body.length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "x, Close", "close ,upgrade"})
  void endsAfterTheAnswerWhereTheClientAsksForIt(String connection) throws Exception {
    try (RunningFloor floor = start(65_536);
        Socket socket = floor.connect()) {
      socket.getOutputStream().write(("GET /api/light" + HOST + "Connection: " + connection + "\r\n\r\nGET /api/light" + HOST + "\r\n").getBytes(ISO_8859_1));
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .isEqualTo(text("light\n").replace("6\r\n", "6\r\nConnection: close\r\n"));
      if (!connection.equals("close")) {
        socket.shutdownOutput();
      }
      // Without the client's end it lingers for some seconds.
      floor.awaitOpen(0);
    }
  }

  @Test
  void aStopLetsAnAnswerThatIsWaitedForBeTheLast() throws Exception {
    try (RunningFloor floor = start(65_536);
        Socket heavy = floor.connect();
        Socket idle = floor.connect();
        Socket half = floor.connect()) {
      heavy.getOutputStream().write(("GET /api/heavy?duration=700" + HOST + "\r\n").getBytes(ISO_8859_1));
      half.getOutputStream().write("GET /api".getBytes(ISO_8859_1));
      idle.getOutputStream().write(("GET /api/light" + HOST + "\r\n").getBytes(ISO_8859_1));
      assertThat(idle.getInputStream().readNBytes(text("light\n").length())).isNotEmpty();
      floor.awaitOpen(3);
      assertThat(floor.drain()).isZero();
      assertThat(new String(heavy.getInputStream().readAllBytes(), ISO_8859_1)).contains("\r\nConnection: close\r\n", "heavy");
      assertThat(idle.getInputStream().readAllBytes()).isEmpty();
      assertThat(half.getInputStream().readAllBytes()).isEmpty();
    }
  }
}
