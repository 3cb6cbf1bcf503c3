package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Inputs;
import echoladder.servers.kit.options.HttpOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of a client: those in one piece and in small ones are answered alike, and by answers of HTTP. */
class FloorHttpFuzzTest {
  /** A broken head that comes in pieces is refused at its end, or when its time is over. */
  private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  static Stream<Arguments> seeds() {
    return Inputs.texts(
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabcGET /api/light HTTP/1.1\r\nHost: t\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3;why=not\r\nfgh\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n",
        "GET /api/heavy?duration=1 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
        "GET /api/light HTTP/1.1\nHost: t\n\n");
  }

  @MethodSource("seeds")
  @FuzzTest
  void requestsAreAnsweredAlikeInPiecesOfAnySize(byte[] some) {
    byte[] input = Arrays.copyOf(some, some.length + END.length);
    System.arraycopy(END, 0, input, some.length, END.length);
    byte[] whole = answers(input, Integer.MAX_VALUE);
    assertThat(answers(input, 1)).isEqualTo(whole);
    assertThat(answers(input, 7)).isEqualTo(whole);
    if (whole.length > 0) {
      assertThat(new String(whole, StandardCharsets.ISO_8859_1)).startsWith("HTTP/1.1 ");
    }
  }

  private static byte[] answers(byte[] input, int piece) {
    return Talk.answers(HttpConversation.ofLoop(new HttpOptions()).apply(0), input, piece);
  }
}
