package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SentenceTest {
  private static final Sentence SENTENCE =
      new Sentence("whether both are slow", List.of("first", "second"), "Both are slow: {first}, {second/1}.", "Not both: {first}.");

  /** A claim whose one rule asks for at least 100, measured so. */
  private static Ledger.Entry measured(String id, long... values) {
    Claim claim =
        new Claim(
            id, "it is slow", Topic.WAITING, Kind.RATIO, "somebody", "somebody", "100", "a laptop", null, Map.of(), null, values.length, 1,
            new Claim.Needs(1, 0, 0, null), null, List.of(), List.of(new Rule.Within(new Rule.StepFigure("a", "tasks"), null, 100.0, null)), List.of(),
            List.of());
    List<StepRun> runs =
        IntStream.range(0, values.length)
            .mapToObj(
                i ->
                    new StepRun(
                        "a", i + 1, List.of("a"), "done", "", 0.0, JsonMapper.shared().readTree("{\"tasks\": %d}".formatted(values[i])), null, null))
            .toList();
    return new Ledger.Entry(claim, Evaluation.of(claim.rules(), claim.beside(), runs), runs);
  }

  private static String text(Ledger.Entry... entries) {
    Map<String, Ledger.Entry> byId = new HashMap<>();
    List.of(entries).forEach(entry -> byId.put(entry.claim().id(), entry));
    return SENTENCE.text(byId);
  }

  @Test
  void theVerdictsOfItsClaimsChooseTheText() {
    assertThat(text(measured("first", 200, 201, 202), measured("second", 300, 301, 302)))
        .isEqualTo("Both are slow: 201 (200–202, range of 3), 301 (300–302, range of 3).");
    assertThat(text(measured("first", 50, 51, 52), measured("second", 300, 301, 302))).isEqualTo("Not both: 51 (50–52, range of 3).");
    assertThat(text(measured("first", 200), measured("second", 300, 301, 302)))
        .isEqualTo("Both are slow: 200, 301 (300–302, range of 3). That was measured once.");
  }

  /** Whatever the other says: nothing is believed by half. */
  @Test
  void whatIsOpenIsSaid() {
    assertThat(text(measured("first", 95, 101, 102), measured("second", 300, 301, 302)))
        .isEqualTo("Not decided here: whether both are slow. The reason: another run could say otherwise of first.");
    assertThat(text(measured("first", 50, 51, 52)))
        .isEqualTo("Not decided here: whether both are slow. The reason: second was not measured.");
    Ledger.Entry second = measured("second", 300, 301, 302);
    assertThat(text(measured("first", 50, 51, 52), new Ledger.Entry(second.claim(), ClaimOutcome.cannot("it needs a JDK"), List.of())))
        .isEqualTo("Not decided here: whether both are slow. The reason: second cannot be told here, it needs a JDK.");
  }
}
