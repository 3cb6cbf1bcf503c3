package echoladder.servers.contract.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A client of a server that pushes over HTTP: either it subscribes, to one topic, or it publishes. A message is text there, so its body
 * goes as base64.
 */
final class EventPeer extends PushPeer {
  private static final String VERSION = "1\\.1";
  private static final String BEGIN = "data: ";
  private static final Base64.Encoder TO_TEXT = Base64.getUrlEncoder().withoutPadding();

  private int topic = -1;
  private int chunkLeft;

  EventPeer(InetSocketAddress server, int bufferBytes) throws IOException {
    super(server, bufferBytes);
  }

  /** An answer to something else than a subscription. */
  record Answer(int status, String body) {}

  /** What a body comes to as an event, as the contract has it. */
  static int eventBytes(int bodyBytes) {
    return BEGIN.length() + textBytes(bodyBytes) + 2;
  }

  /** What a body comes to as text. */
  static int textBytes(int bodyBytes) {
    return Math.ceilDiv(4 * bodyBytes, 3);
  }

  static byte[] post(String target, byte[] body) {
    String head = "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length + "\r\n\r\n";
    return joined(head.getBytes(StandardCharsets.US_ASCII), body);
  }

  /** A request that publishes. */
  static byte[] publication(int topic, byte[] body) {
    return post("/publish?topic=" + topic, TO_TEXT.encode(body));
  }

  static byte[] get(String target) {
    return ("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** A request that subscribes. */
  static byte[] subscription(int topic) {
    return get("/subscribe?topic=" + topic);
  }

  @Override
  void ask(int to) throws IOException {
    send(subscription(to));
  }

  @Override
  EventPeer subscribe(int to) throws IOException {
    ask(to);
    return had(to);
  }

  /** Reads the head of the stream that was asked for. */
  @Override
  EventPeer had(int to) throws IOException {
    Head head = head(VERSION);
    assertThat(head.status()).as("status of a subscription").isEqualTo(200);
    assertThat(head.header("content-type")).isEqualTo("text/event-stream");
    assertThat(head.header("transfer-encoding")).isEqualTo("chunked");
    assertThat(head.header("cache-control")).isEqualTo("no-store");
    topic = to;
    return this;
  }

  @Override
  int publish(int to, byte... body) throws IOException {
    send(publication(to, body));
    return expectPublished(to);
  }

  @Override
  int expectPublished(int to) throws IOException {
    Answer answer = answer();
    assertThat(answer.status).as("status of a publish: %s", answer.body).isEqualTo(200);
    return Integer.parseInt(answer.body.strip());
  }

  /** The next answer, which has a content-length. */
  Answer answer() throws IOException {
    Head head = head(VERSION);
    byte[] body = in.readNBytes(Integer.parseInt(head.header("content-length")));
    return new Answer(head.status(), new String(body, StandardCharsets.UTF_8));
  }

  /** The status of the answer to a HEAD, which has no body, whatever its length says. */
  int statusOfHead() throws IOException {
    return head(VERSION).status();
  }

  /** The next message, as a frame of kind {@link #MESSAGE}; EOFException where the stream or its connection ended instead. */
  @Override
  Frame next() throws IOException {
    return new Frame(MESSAGE, topic, Base64.getUrlDecoder().decode(event()));
  }

  /** The text of the next message. */
  String event() throws IOException {
    String line = streamLine();
    assertThat(line.length()).as("length of the line '%.20s'", line).isGreaterThanOrEqualTo(BEGIN.length());
    assertThat(line.substring(0, BEGIN.length())).isEqualTo(BEGIN);
    assertThat(streamLine()).as("the line behind a message").isEmpty();
    return line.substring(BEGIN.length());
  }

  private String streamLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b; (b = streamByte()) != '\n'; ) {
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private int streamByte() throws IOException {
    if (chunkLeft == 0) {
      chunkLeft = Integer.parseInt(line(), 16);
      if (chunkLeft == 0) {
        assertThat(line()).as("behind the last chunk").isEmpty();
        throw new EOFException(wholeEnd());
      }
    }
    int b = in.read();
    if (b < 0) {
      throw new EOFException("closed within a chunk");
    }
    if (--chunkLeft == 0) {
      assertThat(line()).as("behind a chunk").isEmpty();
    }
    return b;
  }

  @Override
  String wholeEnd() {
    return "the stream ended";
  }

  @Override
  void expectEnd() throws IOException {
    if (topic >= 0) {
      assertThatThrownBy(this::next).isInstanceOf(EOFException.class).hasMessage(wholeEnd());
    }
    super.expectEnd();
  }
}
