package echoladder.harness.tune;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.Refusal;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A profile of kernel settings. */
class SettingsProfileFuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.files("sysctl", "*.conf");
  }

  @MethodSource("seeds")
  @FuzzTest
  void aProfileIsReadOrRefused(byte[] input) {
    try {
      Ends.whole(SettingsProfile.parse(Inputs.text(input), "p", "p.conf"));
    } catch (Refusal e) {
      Ends.said(e);
    }
  }
}
