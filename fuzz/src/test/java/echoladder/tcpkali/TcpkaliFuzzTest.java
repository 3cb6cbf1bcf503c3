package echoladder.tcpkali;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Inputs;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What tcpkali prints, and what it sends by statsd: whatever it is, it is taken or left. */
class TcpkaliFuzzTest {
  static Stream<Arguments> seeds() {
    return Stream.of(Inputs.files("clients/tcpkali/src/test/resources/samples", "*.stdout"), Inputs.files("clients/tcpkali/src/test/resources/samples", "*.udp"))
        .flatMap(files -> files);
  }

  @MethodSource("seeds")
  @FuzzTest
  void anyOutputIsTakenOrLeft(byte[] input) {
    String text = Inputs.text(input);
    TcpkaliReport.parse(text)
        .ifPresent(
            report -> {
              report.message().percentiles(1e6);
              report.connect().maxSeconds();
            });
    Statsd statsd = new Statsd();
    for (String datagram : text.split("\n\n", -1)) {
      Statsd.Brought brought = statsd.take(datagram);
      if (brought.times() != null) {
        brought.times().percentiles(1e6);
      }
    }
  }
}
