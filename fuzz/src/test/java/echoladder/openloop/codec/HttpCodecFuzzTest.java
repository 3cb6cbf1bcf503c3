package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.HttpAsk;
import echoladder.client.Target;
import echoladder.fuzz.Inputs;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers of an HTTP server: those in one piece, in pieces of some bytes and byte by byte are understood alike. */
class HttpCodecFuzzTest {
  private static final int MOST_BYTES = 16_000;
  private static final HttpAsk GET = HttpAsk.get("/", new Target("127.0.0.1", 80), 200);

  private record Understood(List<Answer> answers, Map<String, Long> failures, @Nullable String unended) {}

  static Stream<Arguments> seeds() {
    return Inputs.texts(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\ncontent-length:0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\nT: v\r\n\r\n",
        "HTTP/1.1 503 No\r\n\r\nuntil the end",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding:\t, Chunked \r\nConnection: a,\tClose\r\n\r\n005  \r\nhello\r\n0 ;x=\"y\"\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\nX: a\r\n b\r\n\r\nabc",
        "HTTP/1.1 200 OK\nContent-Length: 3\n\nabc",
        "HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc");
  }

  @MethodSource("seeds")
  @FuzzTest
  void answersAreUnderstoodAlikeInPiecesOfAnySize(byte[] input) {
    if (input.length > MOST_BYTES) {
      return;
    }
    Understood whole = understood(input, Integer.MAX_VALUE);
    assertThat(understood(input, 1)).isEqualTo(whole);
    assertThat(understood(input, 7)).isEqualTo(whole);
  }

  /** Up to the first answer that is none: the connection ends there. */
  private static Understood understood(byte[] input, int piece) {
    Failures failures = new Failures();
    HttpCodec codec = new HttpCodec(1, new RequestTalk(GET), failures);
    MemorySegment in = MemorySegment.ofArray(input);
    List<Answer> answers = new ArrayList<>();
    int at = 0;
    while (at < input.length && !answers.contains(Answer.BROKEN)) {
      int to = (int) Math.min(input.length, (long) at + piece);
      int next = codec.take(0, 1, in, at, to);
      assertThat(next).isBetween(at + 1, to);
      at = next;
      if (codec.complete()) {
        answers.add(codec.answer());
      }
    }
    String unended = answers.contains(Answer.BROKEN) ? null : codec.unended(0);
    if (!answers.contains(Answer.BROKEN) && codec.endedBy(0)) {
      answers.add(codec.answer());
    }
    return new Understood(answers, failures.snapshot(), unended);
  }
}
