package echoladder.client;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A request as somebody wrote it. */
class HttpAskFuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.texts("GET /health\n", "POST /echo\r\nHost: h\r\nContent-Type: a/b\r\n\r\nbody\r\n\r\n", "PUT /x\nContent-Length: 3\n\nabc");
  }

  @MethodSource("seeds")
  @FuzzTest
  void aRequestIsTakenOrRefused(byte[] input) {
    try {
      HttpAsk.of(new String(input, StandardCharsets.ISO_8859_1), new Target("127.0.0.1", 80), 200).bytes();
    } catch (IllegalArgumentException e) {
      Ends.said(e);
    }
  }
}
