package echoladder.harness.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server says on stdout once it can accept. */
class ReadyLineFuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.texts(
        "{\"ready\":true,\"server\":\"netty\",\"pid\":1,\"host\":\"127.0.0.1\",\"port\":9000,\"metrics_port\":9100,\"config\":{\"a\":1,\"b\":null}}",
        "{\"ready\":true,\"server\":\"go\",\"pid\":17,\"host\":\"::\",\"port\":9000,\"metrics_port\":9100,\"config\":{}}",
        "{\"ready\":true,\"server\":\"go\",\"pid\":17,\"host\":\"fe80::1\",\"port\":9000,\"metrics_port\":9100,\"config\":{}}");
  }

  @MethodSource("seeds")
  @FuzzTest
  void aLineIsReadyOrSaysWhyNot(byte[] input) {
    ReadyLine line;
    try {
      line = ReadyLine.parse(Inputs.text(input));
    } catch (IllegalArgumentException e) {
      Ends.said(e);
      return;
    }
    Ends.whole(line);
    assertThat(line.metrics()).hasPath("/metrics");
    assertThat(line.gc()).hasPath("/gc");
  }
}
