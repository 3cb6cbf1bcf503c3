package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.StagedLoad;
import echoladder.client.Target;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The body of an answer: every framing of chunks that RFC 9112 allows, and none that never ends. */
class HttpBodyTest {
  private static final int MESSAGE = 40;
  private static final int PART = 1 << 16;
  private static final long KEY = Payload.key(0, 7, 3);
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

  private final Failures failures = new Failures();

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String message() {
    MemorySegment bytes = Arena.ofAuto().allocate(MESSAGE);
    Payload.fill(bytes, 0, KEY, 0, MESSAGE);
    return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
  }

  private HttpCodec echoes() {
    return new HttpCodec(1, new EchoTalk(MESSAGE, HttpAsk.ECHO, "127.0.0.1:80"), failures);
  }

  /** What came of the bytes, byte by byte and all at once; null = no answer is complete. */
  private @Nullable Answer answer(String text) {
    Answer whole = answer(echoes(), text, text.length());
    assertThat(answer(echoes(), text, 1)).isEqualTo(whole);
    return whole;
  }

  private static @Nullable Answer answer(HttpCodec codec, String text, int piece) {
    MemorySegment in = bytes(text);
    int at = 0;
    while (at < text.length()) {
      at = codec.take(0, KEY, in, at, Math.min(text.length(), at + piece));
      if (codec.complete()) {
        return codec.answer();
      }
    }
    return null;
  }

  @ParameterizedTest
  @ValueSource(strings = {"28", "0028", "0000000000000000000000028", "28  ", "28\\t", "28;a", "28;a=b;c", "28 ; a=\"b;c\"", "28\\t;a = b"})
  void aChunkBeginsWithItsSize(String size) {
    assertThat(answer(CHUNKED + size.translateEscapes() + "\r\n" + message() + "\r\n0\r\n\r\n")).isEqualTo(Answer.RIGHT);
    assertThat(failures.snapshot()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "000", "00000000000000000000", "0;a=b", "0  "})
  void theLastChunkIsEmptyAndATrailerMayFollow(String size) {
    String body = CHUNKED + "28\r\n" + message() + "\r\n" + size + "\r\n";
    assertThat(answer(body + "\r\n")).isEqualTo(Answer.RIGHT);
    assertThat(answer(body + "X: y\r\nContent-Length: 7\r\n folded\r\n\r\n")).isEqualTo(Answer.RIGHT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\r\\n|with a bad chunk size",
        "-28\\r\\n|with a bad chunk size",
        "+28\\r\\n|with a bad chunk size",
        "0x28\\r\\n|with a bad chunk size",
        "\\t28\\r\\n|with a bad chunk size",
        "28 28\\r\\n|with a bad chunk size",
        "28\\r28\\r\\n|with a bad chunk size",
        "28\\r\\r\\n|with a bad chunk size",
        "28,\\r\\n|with a bad chunk size",
        "40000000\\r\\n|with a chunk of a gibibyte or more",
        "80000028\\r\\n|with a chunk of a gibibyte or more",
        "100000028\\r\\n|with a chunk of a gibibyte or more",
        "ffffffffffffffffffffff\\r\\n|with a chunk of a gibibyte or more",
      })
  void aSizeThatIsNoneIsNamed(String size, String fault) {
    assertThat(answer(CHUNKED + size.translateEscapes() + message() + "\r\n0\r\n\r\n")).isEqualTo(Answer.BROKEN);
    assertThat(failures.snapshot()).containsExactly(Map.entry("HTTP answer " + fault, 2L));
  }

  @Test
  void whatFollowsAChunkIsALineEnd() {
    assertThat(answer(CHUNKED + "28\r\n" + message() + "x\r\n0\r\n\r\n")).isEqualTo(Answer.BROKEN);
    assertThat(answer(CHUNKED + "28\r\n" + message() + "\r\r\n0\r\n\r\n")).isEqualTo(Answer.BROKEN);
    assertThat(answer(CHUNKED + "28\r\n" + message() + "\r\n0\r\n\rx")).isEqualTo(Answer.BROKEN);
    assertThat(failures.snapshot())
        .isEqualTo(Map.of("HTTP answer with a chunk longer than its size", 4L, "HTTP answer with a broken trailer", 2L));
  }

  /** What a server sends without end is given up where no answer can be so long, and the connection is free of it. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "28;x=", "0\r\nX: ", "0\r\nX: y\r\nX: "})
  void framingWithoutEndIsGivenUp(String begin) {
    String endless = CHUNKED + begin + "0".repeat(AnswerHeads.MOST_BYTES);
    assertThat(answer(endless)).isEqualTo(Answer.BROKEN);
    assertThat(failures.snapshot()).containsOnlyKeys("HTTP answer with chunk sizes, extensions or trailers over 16,384 bytes");
  }

  @Test
  void aBodyFarLongerThanItsMessageIsGivenUp() {
    long most = MESSAGE + (1L << 20);
    assertThat(answer(echoes(), OK + "Content-Length: " + (most + 1) + "\r\n\r\n", 10_000)).isEqualTo(Answer.BROKEN);
    assertThat(answer(echoes(), OK + "Content-Length: " + most + "\r\n\r\n", 10_000)).isNull();
    assertThat(failures.snapshot()).containsExactly(Map.entry("HTTP answer with a body over 1,048,616 bytes", 1L));
    assertThat(endless(echoes(), OK + "\r\n", "")).isBetween(most - PART, most);
  }

  /** Over 2 GiB of a body, at which a count of its bytes in an int would begin anew below 0. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 200 OK\\r\\n\\r\\nlight\\n|",
        "HTTP/1.1 200 OK\\r\\n\\r\\ndark\\n|",
        "HTTP/1.1 503 No\\r\\n\\r\\nlight\\n|",
        "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n6\\r\\nlight\\n\\r\\n|10000\\r\\n",
      })
  void anAnswerBeyondAnIntIsNamed(String begin, String chunk) {
    StagedLoad.Request light = new StagedLoad.Request("light", "/api/light", "light\n", Duration.ZERO);
    HttpAsk ask = HttpAsk.get("/api/light", new Target("127.0.0.1", 80), 200);
    for (HttpExchange talk : List.of(new GetTalk(List.of(light), "127.0.0.1:80"), new RequestTalk(ask))) {
      HttpCodec codec = new HttpCodec(1, talk, failures);
      String header = chunk == null ? "" : chunk.translateEscapes();
      assertThat(endless(codec, begin.translateEscapes(), header)).isBetween(Integer.MAX_VALUE - 2L * PART, (long) Integer.MAX_VALUE);
      assertThat(failures.snapshot().get("HTTP answer with a body over 2,147,483,647 bytes")).isPositive();
      // The next connection at its place begins anew.
      codec.restart(0);
      assertThat(answer(codec, OK + "Content-Length: 6\r\n\r\nlight\n", 7)).isEqualTo(Answer.RIGHT);
      assertThat(answer(codec, OK + "Content-Length: 2147483648\r\n\r\n", 7)).isEqualTo(Answer.BROKEN);
    }
  }

  /** Sends a body without end, in chunks that begin so or in none; how many bytes of it were taken before it was given up. */
  private static long endless(HttpCodec codec, String begin, String chunk) {
    MemorySegment part = Arena.ofAuto().allocate(PART);
    assertThat(answer(codec, begin, begin.length())).isNull();
    long taken = 0;
    while (true) {
      take(codec, bytes(chunk));
      if (take(codec, part)) {
        assertThat(codec.answer()).isEqualTo(Answer.BROKEN);
        return taken;
      }
      taken += PART;
      take(codec, bytes(chunk.isEmpty() ? "" : "\r\n"));
    }
  }

  /** Whether that ended an answer. */
  private static boolean take(HttpCodec codec, MemorySegment in) {
    int bytes = (int) in.byteSize();
    return bytes > 0 && codec.take(0, KEY, in, 0, bytes) == bytes && codec.complete();
  }
}
