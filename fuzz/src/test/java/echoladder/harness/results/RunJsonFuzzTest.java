package echoladder.harness.results;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The text of a run.json. */
class RunJsonFuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.files("harness/src/test/resources/golden", "run.json");
  }

  @MethodSource("seeds")
  @FuzzTest
  void aRunIsReadOrRefused(byte[] input) {
    try {
      RunFolder.parse(Inputs.text(input)).asExpected();
    } catch (IllegalArgumentException e) {
      Ends.said(e);
    }
  }
}
