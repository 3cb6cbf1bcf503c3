package echoladder.servers.contract.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import echoladder.servers.contract.http.HttpPeer.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that are right by RFC 9110 and 9112 and seldom seen. Each has another request behind it, in the same segment: a server
 * that finds the end of the first in a wrong place, or goes on after its last answer, is found out at once. A server that pushes is
 * posted messages, and has a subscriber that gets them.
 */
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.http.OneServer#echoingAndPushing")
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class OddRequestIT implements OfVariant {
  private static final String HELLO_IN_CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

  private final HttpServerUnderTest server;
  private final Variant variant;
  private final HttpSubject subject;

  OddRequestIT(OneServer one) {
    this.server = one.server();
    this.subject = one.subject();
    this.variant = new Variant(subject.manifest(), subject.mode());
  }

  @Override
  public Variant variant() {
    return variant;
  }

  private String post(String fields, String body) {
    return post(subject.target(), fields, body);
  }

  private static String post(String target, String fields, String body) {
    return "POST " + target + " HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n\r\n" + body;
  }

  private String chunked(String chunks) {
    return post("Transfer-Encoding: chunked", chunks);
  }

  /** The target to use for {@code echo}, which is one of a server that echoes. */
  private String target(String echo) {
    return subject.pushes() ? echo.replace("/echo?", subject.target() + "&").replace("/echo", subject.target()) : echo;
  }

  private String next() {
    return subject.pushes() ? post("Content-Length: 4", "next") : "GET /api/light HTTP/1.1\r\nHost: t\r\n\r\n";
  }

  private void isTaken(String request, String body) throws IOException {
    if (subject.pushes()) {
      isPushed("/subscribe?topic=" + HttpSubject.TOPIC, request, body);
    } else {
      isEchoed(request, body);
    }
  }

  private void isEchoed(String request, String body) throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.send(request + next());
      Answer echo = peer.answer();
      assertThat(echo.status()).as("%s: %s", variant, echo.text()).isEqualTo(200);
      assertThat(echo.body()).as("%s: the echo", variant).isEqualTo(body.getBytes(ISO_8859_1));
      assertThat(echo.headers()).doesNotContainKey("content-encoding");
      assertThat(peer.answer().text()).as("%s: the answer behind the echo", variant).isEqualTo("light\n");
    }
  }

  private void isPushed(String subscription, String request, String body) throws IOException {
    byte[] events = ("data: " + body + "\n\ndata: next\n\n").getBytes(ISO_8859_1);
    try (HttpPeer subscriber = server.connect();
        HttpPeer peer = server.connect()) {
      subscriber.subscribe(subscription);
      peer.send(request + next());
      for (int i = 0; i < 2; i++) {
        Answer answer = peer.answer();
        // Subscribers of tests before may still be leaving.
        assertThat(answer.status()).as("%s: answer %d: %s", variant, i, answer.text()).isEqualTo(200);
        assertThat(Integer.parseInt(answer.text().strip())).as("%s: subscribers, by answer %d", variant, i).isPositive();
      }
      assertThat(subscriber.streamed(events.length)).as("%s: the events", variant).isEqualTo(events);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"content-length:5", "CONTENT-LENGTH:\t5 ", "Content-Length: 005", "Content-Length: 5\r\nX:", "Content-Length: 5\r\nX: \u00e4"})
  void aFieldHasNoCaseAndBlanksAroundItsValue(String fields) throws IOException {
    isTaken(post(fields, "hello"), "hello");
  }

  /** RFC 9112, 7: the names of codings have no case either. */
  @Clause(Clause.Name.TRANSFER_CODING)
  @ParameterizedTest
  @ValueSource(strings = {"Transfer-Encoding: Chunked", "transfer-encoding:CHUNKED", "Transfer-Encoding:\tchunked", "Transfer-Encoding: chunked \t"})
  void soHasChunked(String field) throws IOException {
    isTaken(post(field, HELLO_IN_CHUNKS), "hello");
  }

  @ParameterizedTest
  @ValueSource(strings = {"A\r\n0123456789\r\n0\r\n\r\n", "00a\r\n0123456789\r\n0000\r\n\r\n", "1\r\n0\r\n9\r\n123456789\r\n0\r\n\r\n"})
  void aChunkHasItsSizeInHexOfAnyCaseWithZerosBefore(String chunks) throws IOException {
    isTaken(chunked(chunks), "0123456789");
  }

  /** RFC 9112, 7.1.1: a recipient ignores what it does not know. */
  @Clause(Clause.Name.CHUNK_EXTENSIONS)
  @ParameterizedTest
  @ValueSource(strings = {"5;a", "5;a=b;c=d", "5;a=\"b c\"", "5;a=\"b;c=\\\"d\\\"\""})
  void aChunkMayHaveExtensions(String first) throws IOException {
    isTaken(chunked(first + "\r\nhello\r\n0;last\r\n\r\n"), "hello");
  }

  /** RFC 9112, 7.1.2. */
  @Clause(Clause.Name.TRAILERS)
  @ParameterizedTest
  @ValueSource(strings = {"X: y\r\n", "X:\r\nDigest: a=b\r\n"})
  void trailersMayStandBehindTheChunks(String trailers) throws IOException {
    isTaken(chunked("5\r\nhello\r\n0\r\n" + trailers + "\r\n"), "hello");
  }

  /** RFC 9110, 8.4: it says what the body is, as a type does; the echo is of the body as it was sent. */
  @Clause(Clause.Name.CONTENT_ENCODING)
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "GZIP"})
  void aBodyThatIsCompressedIsEchoedAsItIs(String coding) throws IOException {
    // A message that is pushed is text: there the body only says that it is compressed.
    String body = subject.pushes() ? "as it is" : compressed();
    isTaken(post("Content-Encoding: " + coding + "\r\nContent-Length: " + body.length(), body), body);
    isTaken(
        post("Content-Encoding: " + coding + "\r\nTransfer-Encoding: chunked", Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n"),
        body);
  }

  private static String compressed() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(new byte[1000]);
    }
    return compressed.toString(ISO_8859_1);
  }

  @Test
  void aClientThatTakesCompressedAnswersGetsItsBodyAsItIs() throws IOException {
    String body = "z".repeat(8 << 10);
    isTaken(post("Accept-Encoding: gzip, deflate, br, zstd\r\nContent-Type: text/plain\r\nContent-Length: " + body.length(), body), body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/echo?id=7", "/echo?", "/echo?a=b&c=%20/x?y"})
  void aQueryChangesNothing(String target) throws IOException {
    isTaken(post(target(target), "Content-Length: 5", "hello"), "hello");
  }

  /** RFC 9112, 3.2.2: a server must accept it. */
  @Clause(Clause.Name.ABSOLUTE_FORM)
  @ParameterizedTest
  @ValueSource(strings = {"http://t/echo", "http://t:80/echo?id=7"})
  void aTargetMayHaveTheAbsoluteForm(String target) throws IOException {
    String request = post(target(target), "Content-Length: 5", "hello");
    if (subject.pushes()) {
      isPushed(target(target).replace("/publish", "/subscribe"), request, "hello");
    } else {
      isEchoed(request, "hello");
    }
  }

  /** RFC 9112, 9.6. */
  @Clause(Clause.Name.CONNECTION_CLOSE)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: close", "connection:Close", "Connection:\tclose ", "Connection: keep-alive, close", "Connection: x\r\nConnection: close"
      })
  void aClientThatAsksForTheEndGetsIt(String field) throws IOException {
    for (String request : new String[] {post(field + "\r\nContent-Length: 5", "hello"), post("Transfer-Encoding: chunked\r\n" + field, HELLO_IN_CHUNKS)}) {
      try (HttpPeer peer = server.connect()) {
        peer.send(request + next());
        Answer echo = peer.answer();
        assertThat(echo.status()).as("%s: %s", variant, echo.text()).isEqualTo(200);
        assertThat(echo.text().strip()).matches(subject.pushes() ? "\\d+" : "hello");
        assertThat(peer.goesOn()).as("%s: something came behind the last answer", variant).isFalse();
      }
    }
  }
}
