package echoladder.wrk2;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Inputs;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What wrk2 prints: whatever it is, it is taken or left. */
class Wrk2FuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.files("clients/wrk2/src/test/resources/samples", "*.stdout");
  }

  @MethodSource("seeds")
  @FuzzTest
  void anyOutputIsTakenOrLeft(byte[] input) {
    Optional<Wrk2Report> report = Wrk2Report.parse(Inputs.text(input));
    report.ifPresent(
        one -> {
          Wrk2Report both = Wrk2Report.together(List.of(one, one));
          if (both.corrected() != null) {
            both.corrected().percentiles();
          }
        });
  }
}
