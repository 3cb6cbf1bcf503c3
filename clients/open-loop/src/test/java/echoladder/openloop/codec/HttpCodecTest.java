package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.Target;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers cut into pieces of every size must be understood alike. */
class HttpCodecTest {
  private static final int MESSAGE = 40;
  private static final long KEY = Payload.key(0, 7, 3);

  private final Failures failures = new Failures();
  private final HttpCodec codec = new HttpCodec(2, new EchoTalk(MESSAGE, HttpAsk.ECHO, "127.0.0.1:80"), failures);

  private static byte[] message() {
    MemorySegment bytes = Arena.ofAuto().allocate(MESSAGE);
    Payload.fill(bytes, 0, KEY, 0, MESSAGE);
    return bytes.toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] bytes(Object... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Object part : parts) {
      out.writeBytes(part instanceof byte[] raw ? raw : part.toString().getBytes(StandardCharsets.US_ASCII));
    }
    return out.toByteArray();
  }

  private static byte[] part(byte[] of, int from, int to) {
    return Arrays.copyOfRange(of, from, to);
  }

  /** Feeds {@code answer} in pieces of that size; the answers that came out. */
  private List<Answer> feed(byte[] answer, int piece) {
    List<Answer> answers = new ArrayList<>();
    MemorySegment in = MemorySegment.ofArray(answer);
    int at = 0;
    while (at < answer.length) {
      int to = Math.min(answer.length, at + piece);
      int next = codec.take(1, KEY, in, at, to);
      assertThat(next).as("position").isGreaterThan(at).isLessThanOrEqualTo(to);
      at = next;
      if (codec.complete()) {
        answers.add(codec.answer());
      }
    }
    return answers;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 16, 64, 10_000})
  void understandsAnswersInPiecesOfAnySize(int piece) {
    byte[] m = message();
    byte[] plain = bytes("HTTP/1.1 200 OK\r\nContent-Length: 40\r\nX: y\r\n\r\n", m);
    byte[] chunked =
        bytes(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n", part(m, 0, 9), "\r\n1F;ext=1\r\n",
            part(m, 9, 40), "\r\n0\r\nTrailer: x\r\n\r\n");
    byte[] continued = bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nCONTENT-LENGTH:40\r\n\r\n", m);
    byte[] declined = bytes("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy");
    byte[] empty = bytes("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");

    assertThat(feed(bytes(plain, chunked, declined, continued, empty, plain), piece))
        .containsExactly(
            Answer.RIGHT, Answer.RIGHT, Answer.DECLINED, Answer.RIGHT, Answer.DECLINED, Answer.RIGHT);
    assertThat(failures.snapshot()).containsOnlyKeys("HTTP status 503", "HTTP status 413");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 10_000})
  void seesEveryWrongByteAndLength(int piece) {
    for (int i = 0; i < MESSAGE; i++) {
      byte[] m = message();
      m[i] ^= 1;
      assertThat(feed(bytes("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n", m), piece)).containsExactly(Answer.WRONG);
    }
    byte[] m = message();
    assertThat(feed(bytes("HTTP/1.1 200 OK\r\nContent-Length: 39\r\n\r\n", part(m, 0, 39)), piece))
        .containsExactly(Answer.WRONG);
    assertThat(feed(bytes("HTTP/1.1 200 OK\r\nContent-Length: 41\r\n\r\n", m, "x"), piece))
        .containsExactly(Answer.WRONG);
    assertThat(feed(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), piece))
        .containsExactly(Answer.WRONG);
    assertThat(feed(bytes("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n", m), piece)).containsExactly(Answer.RIGHT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2 and more of it\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 40\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\nContent-Length: 40\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 4 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 40, 41\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 40\r\nContent-Length: 41\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 40\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 40\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;x\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000000000\r\n"
      })
  void givesUpOnWhatIsNoAnswer(String text) {
    assertThat(feed(bytes(text), 10_000).getFirst()).isEqualTo(Answer.BROKEN);
    assertThat(failures.snapshot().keySet()).anyMatch(cause -> cause.startsWith("HTTP answer "));
  }

  /** As Go's net/http ends a connection after a bad request: no length, Connection: close. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10_000})
  void anAnswerWithoutLengthLastsUntilTheConnectionIsClosed(int piece) {
    byte[] declined = bytes("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request");
    assertThat(feed(declined, piece)).isEmpty();
    assertThat(codec.endedBy(1)).isTrue();
    assertThat(codec.answer()).isEqualTo(Answer.DECLINED);
    assertThat(codec.endedBy(1)).as("between answers").isFalse();

    byte[] head = bytes("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n");
    assertThat(feed(bytes(head, message()), piece)).isEmpty();
    assertThat(codec.endedBy(1)).isTrue();
    assertThat(codec.answer()).isEqualTo(Answer.RIGHT);

    assertThat(feed(bytes(head, part(message(), 0, 39)), piece)).isEmpty();
    assertThat(codec.endedBy(1)).isTrue();
    assertThat(codec.answer()).as("cut off").isEqualTo(Answer.WRONG);

    assertThat(feed(bytes("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n", part(message(), 0, 39)), piece)).isEmpty();
    assertThat(codec.endedBy(1)).as("an answer with a length, cut off").isFalse();
    assertThat(failures.snapshot()).containsOnlyKeys("HTTP status 400");
  }

  @Test
  void anAnswerThatIsTheLastOfItsConnectionIsTold() {
    byte[] last = bytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 40\r\n\r\n", message());
    assertThat(feed(last, 7)).containsExactly(Answer.RIGHT);
    assertThat(failures.snapshot()).containsExactly(Map.entry(HttpCodec.LAST, 1L));
  }

  @Test
  void anAnswerWithoutContentHasNoBody() {
    assertThat(feed(bytes("HTTP/1.1 204 No Content\r\n\r\n"), 10_000)).containsExactly(Answer.DECLINED);
  }

  @Test
  void givesUpOnABadChunkAndAnEndlessHead() {
    assertThat(feed(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 10_000).getFirst())
        .isEqualTo(Answer.BROKEN);
    assertThat(feed(bytes("HTTP/1.1 200 OK\r\n", "x".repeat(20_000)), 1_000).getFirst()).isEqualTo(Answer.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 64, 4096})
  void writesOneRequestFromAnywhere(int piece) {
    MemorySegment out = Arena.ofAuto().allocate(4096);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    for (int from = 0; from < codec.requestBytes(1); from += piece) {
      int bytes = Math.min(piece, codec.requestBytes(1) - from);
      codec.request(out, 1, KEY, from, bytes);
      request.writeBytes(out.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
    }
    assertThat(request.toByteArray())
        .isEqualTo(
            bytes(
                "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Type: application/octet-stream\r\n"
                    + "Content-Length: 40\r\n\r\n",
                message()));
  }

  @Test
  void aHeadInPiecesCostsInProportionToItsLength() {
    int headers = 15_000;
    byte[] answer =
        bytes("HTTP/1.1 200 OK\r\nX: ", "y".repeat(headers), "\r\nContent-Length: " + MESSAGE + "\r\n\r\n", message());
    feed(answer, 1);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(feed(answer, 1)).containsExactly(Answer.RIGHT);
    // What the assertions of each step allocate is some hundred bytes; a copy of all that came before would be 7,500.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4_000L * answer.length);
  }

  @Test
  void headsInPiecesOfTwoConnectionsAreKeptApart() {
    byte[] answer = bytes("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n", message());
    MemorySegment in = MemorySegment.ofArray(answer);
    for (int i = 0; i < answer.length; i++) {
      for (int c = 0; c < 2; c++) {
        assertThat(codec.take(c, KEY, in, i, i + 1)).isEqualTo(i + 1);
        assertThat(codec.complete()).isEqualTo(i == answer.length - 1);
      }
    }
    assertThat(codec.answer()).isEqualTo(Answer.RIGHT);
  }

  @Test
  void anAnswerToAFixedRequestIsToldByItsStatusAlone() {
    HttpAsk ask = HttpAsk.get("/health", new Target("127.0.0.1", 80), 204);
    HttpCodec fixed = new HttpCodec(1, new RequestTalk(ask), failures);
    MemorySegment out = Arena.ofAuto().allocate(fixed.requestBytes(0));
    fixed.request(out, 0, KEY, 0, fixed.requestBytes(0));
    assertThat(new String(out.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII))
        .isEqualTo("GET /health HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n");
    assertThat(one(fixed, "HTTP/1.1 204 No Content\r\n\r\n")).isEqualTo(Answer.RIGHT);
    assertThat(one(fixed, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")).isEqualTo(Answer.DECLINED);
    HttpCodec ok = new HttpCodec(1, new RequestTalk(HttpAsk.get("/", new Target("127.0.0.1", 80), 200)), failures);
    assertThat(one(ok, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")).isEqualTo(Answer.RIGHT);
  }

  private static Answer one(HttpCodec of, String answer) {
    MemorySegment in = MemorySegment.ofArray(answer.getBytes(StandardCharsets.US_ASCII));
    int to = (int) in.byteSize();
    int at = 0;
    while (at < to) {
      at = of.take(0, KEY, in, at, to);
    }
    assertThat(of.complete()).isTrue();
    return of.answer();
  }
}
