package echoladder.h2load;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Inputs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What h2load prints, and its log of requests: whatever they are, they are taken or left. */
class H2loadFuzzTest {
  static Stream<Arguments> seeds() {
    return Stream.concat(
        Inputs.files("clients/h2load/src/test/resources/samples", "*.stdout"), Inputs.files("clients/h2load/src/test/resources/samples", "*.log"));
  }

  @MethodSource("seeds")
  @FuzzTest
  void anyOutputIsTakenOrLeft(byte[] input) throws IOException {
    H2loadReport.parse(Inputs.text(input)).ifPresent(H2loadReport::underWay);
    try (ServiceLog intervals = new ServiceLog(Path.of("/dev/null"))) {
      RequestLog.read(new ByteArrayInputStream(input), 0.05, new RequestLog.Window(0, Long.MAX_VALUE), intervals).percentiles();
    }
  }
}
