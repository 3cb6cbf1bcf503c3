package echoladder.harness.profile;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Inputs;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What perf prints: counts and stacks, or the error that a profile's record has. */
class PerfFuzzTest {
  static Stream<Arguments> seeds() {
    return Stream.of(
            Inputs.files("harness/src/test/resources/perf", "*"),
            Inputs.texts("a\n\tff main (/tmp/perf-1.map)\n\t0 [unknown] ([unknown])\n\n", "a;b_[k] 12\nmain 1\n"))
        .flatMap(all -> all);
  }

  @MethodSource("seeds")
  @FuzzTest
  void anyOutputIsCountsOrAnError(byte[] input) {
    String text = Inputs.text(input);
    Map<String, Long> stacks = Stacks.folded(text);
    if (!Stacks.parse(Stacks.text(stacks)).equals(stacks)) {
      throw new IllegalStateException("stacks that are written are not read as they were");
    }
    refused(() -> SystemCallCounters.counts(EventCounts.parse(text), 1));
    if (!SystemCallCounters.NAMES.containsAll(SystemCallCounters.known(text))) {
      throw new IllegalStateException("a call that nobody asked for");
    }
    refused(() -> Stacks.parse(text));
  }

  private static void refused(Runnable parsing) {
    try {
      parsing.run();
    } catch (IllegalArgumentException e) {
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new IllegalStateException("refused without a word", e);
      }
    }
  }
}
