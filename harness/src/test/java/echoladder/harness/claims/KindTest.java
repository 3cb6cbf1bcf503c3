package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.claims.ClaimOutcome.Holding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KindTest {
  private static ClaimOutcome outcome(Holding holding, Certainty certainty) {
    return new ClaimOutcome(holding, certainty, null, List.of(), List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "HOST_BOUND, reproduced, not reproduced here, reproduced (close)",
    "RATIO, holds, does not hold, undecided",
    "ORDER, holds, does not hold, undecided",
    "OS_BOUND, ends so here, does not end so here, ends so here (close)",
    "VERSION_BOUND, true of this release, not true of this release, true of this release (close)",
    "ARITHMETIC, follows from its own figures, contradicts its own figures, follows from its own figures (close)",
    "OWN_QUESTION, 'yes, here', 'no, here', 'yes, here (close)'"
  })
  void theKindDecidesTheWords(Kind kind, String met, String notMet, String close) {
    assertThat(kind.words(outcome(Holding.HOLDS, Certainty.CLEAR))).isEqualTo(met);
    assertThat(kind.words(outcome(Holding.DOES_NOT_HOLD, Certainty.CLEAR))).isEqualTo(notMet);
    assertThat(kind.words(outcome(Holding.DOES_NOT_HOLD, Certainty.ONCE))).isEqualTo(notMet + " (measured once)");
    assertThat(kind.words(outcome(Holding.HOLDS, Certainty.CLOSE))).isEqualTo(close);
  }

  /** Nobody can refute what depends on a host: that word is for what any host decides. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"RATIO", "ORDER"})
  void onlyWhatAnyHostDecidesHoldsOrDoesNot(Kind kind) {
    for (Holding holding : List.of(Holding.HOLDS, Holding.DOES_NOT_HOLD)) {
      assertThat(kind.words(outcome(holding, Certainty.CLEAR))).doesNotContain("hold");
    }
  }

  @Test
  void whatCannotBeToldIsSaidAlike() {
    assertThat(Kind.values()).allSatisfy(kind -> assertThat(kind.words(ClaimOutcome.cannot("no JDK"))).isEqualTo("cannot be told here"));
  }

  @ParameterizedTest
  @EnumSource
  void thePageOfTheStudyHasTheWords(Kind kind) throws Exception {
    String met = kind.words(outcome(Holding.HOLDS, Certainty.CLEAR));
    String notMet = kind.words(outcome(Holding.DOES_NOT_HOLD, Certainty.CLEAR));
    assertThat(Files.readAllLines(Path.of("../studies/claims/STUDY.md")))
        .anyMatch(line -> line.matches(".*\\b" + kind.explained().replaceFirst(" \\(.*", "") + "\\b.*") && line.endsWith(" | " + met + " | " + notMet + " |"));
  }
}
