package echoladder.client.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real sockets, whose other end does what no server should. */
class PageFetchTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

  /** For what should be refused by another bound than that of time. */
  private static final PageFetch PATIENT = new PageFetch(Duration.ofSeconds(60), 64 << 10);

  private static final PageFetch HASTY = new PageFetch(Duration.ofMillis(700), 64 << 10);

  private ServerSocket listener;
  private final AtomicInteger asked = new AtomicInteger();

  /** Completed when the reader has ended the connection; the value is the bytes that went to it. */
  private final CompletableFuture<Long> left = new CompletableFuture<>();

  private interface Behaviour {
    void answer(OutputStream out) throws Exception;
  }

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  private URI serving(Behaviour behaviour) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  Socket socket = listener.accept();
                  asked.incrementAndGet();
                  Thread.ofVirtual().start(() -> serve(socket, behaviour));
                }
              } catch (IOException e) {
                // the test is over
              }
            });
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/metrics");
  }

  private void serve(Socket socket, Behaviour behaviour) {
    long[] bytes = new long[1];
    try (socket) {
      OutputStream out = socket.getOutputStream();
      behaviour.answer(
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              out.write(b);
              bytes[0]++;
            }

            @Override
            public void write(byte[] b, int from, int length) throws IOException {
              out.write(b, from, length);
              bytes[0] += length;
            }
          });
      socket.getOutputStream().flush();
      byte[] request = new byte[4096];
      while (socket.getInputStream().read(request) >= 0) {
        // until the reader is gone
      }
    } catch (Exception e) {
      // The reader has reset the connection.
    } finally {
      left.complete(bytes[0]);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void refusedInTime(URI uri) throws Exception {
    assertThatThrownBy(() -> HASTY.get(uri))
        .isInstanceOf(IOException.class)
        .hasMessage("GET " + uri + " failed: no whole answer within 0.7 s, the bound");
    assertThat(left.get(30, TimeUnit.SECONDS)).as("the connection is closed then").isNotNegative();
  }

  @Test
  void aBodyThatStopsInTheMiddleIsGivenUpAtTheDeadline() throws Exception {
    refusedInTime(serving(out -> write(out, OK + "Content-Length: 1000\r\n\r\nprocess_cpu_seconds_total 1")));
  }

  @Test
  void headersThatStopInTheMiddleAreToo() throws Exception {
    refusedInTime(serving(out -> write(out, "HTTP/1.1 200 OK\r\nContent-Le")));
  }

  @Test
  void aServerThatOnlyAcceptsIsToo() throws Exception {
    refusedInTime(serving(out -> {}));
  }

  @Test
  void aBodyThatDribblesHasNoMoreTimeThanAnother() throws Exception {
    refusedInTime(
        serving(
            out -> {
              write(out, OK + "Content-Length: 100000\r\n\r\n");
              for (int i = 0; i < 600 && !listener.isClosed(); i++) {
                write(out, "x");
                TimeUnit.MILLISECONDS.sleep(100);
              }
            }));
  }

  @Test
  void aBodyWithoutEndIsCutAtItsSizeLimit() throws Exception {
    URI uri =
        serving(
            out -> {
              write(out, OK + "\r\n");
              byte[] part = "echo_connections_open 1\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
              while (true) {
                out.write(part);
              }
            });
    assertThatThrownBy(() -> PATIENT.get(uri))
        .isInstanceOf(IOException.class)
        .hasMessage("GET " + uri + " failed: its answer is over 65,536 bytes, the bound");
    // Beyond the bound there is what the sockets of both ends hold.
    assertThat(left.get(30, TimeUnit.SECONDS)).isBetween(64L << 10, 64L << 20);
  }

  @Test
  void headersWithoutEndAreRefused() {
    URI uri =
        serving(
            out -> {
              write(out, OK);
              for (int i = 0; ; i++) {
                write(out, "X-" + i + ": " + "a".repeat(1_000) + "\r\n");
              }
            });
    assertThatThrownBy(() -> PATIENT.get(uri)).isInstanceOf(IOException.class).hasMessageStartingWith("GET " + uri + " failed: ");
  }

  @Test
  void aRedirectIsNotFollowed() {
    URI uri =
        serving(
            out -> {
              String self = "http://127.0.0.1:" + listener.getLocalPort() + "/other";
              write(out, "HTTP/1.1 302 Found\r\nLocation: " + self + "\r\nContent-Length: 0\r\n\r\n");
            });
    assertThatThrownBy(() -> PATIENT.get(uri))
        .isInstanceOf(IOException.class)
        .hasMessage("GET " + uri + " answered 302, a redirect, which is not followed; name the page itself");
    assertThat(asked).hasValue(1);
  }

  @Test
  void whatIsNoHttpIsRefusedWithoutItsControlCharacters() {
    URI uri = serving(out -> write(out, "\033[2J I am no web server\r\n\r\n"));
    assertThatThrownBy(() -> PATIENT.get(uri))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("GET " + uri + " failed: ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\033"));
  }

  @Test
  void otherStatusesAreSaid() {
    URI gone = serving(out -> write(out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
    assertThatThrownBy(() -> PATIENT.get(gone)).isInstanceOf(NotThereException.class).hasMessage("GET " + gone + " answered 404");
  }

  @Test
  void aPostCarriesItsBodyAndGetsTheAnswers() throws Exception {
    URI uri = serving(out -> write(out, OK + "Content-Length: 3\r\n\r\nabc"));
    assertThat(PATIENT.post(uri, new byte[] {1, 2})).asString(StandardCharsets.US_ASCII).isEqualTo("abc");
  }

  @Test
  void nobodyThereIsSaid() throws IOException {
    int port = listener.getLocalPort();
    listener.close();
    assertThatThrownBy(() -> PATIENT.get(URI.create("http://127.0.0.1:" + port + "/metrics")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("failed: no connection could be made");
  }

  @Test
  void anInterruptEndsItAndIsKept() {
    URI uri = serving(out -> {});
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> PATIENT.get(uri)).isInstanceOf(IOException.class).hasMessageContaining("was interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
