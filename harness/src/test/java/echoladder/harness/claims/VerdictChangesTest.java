package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Which verdicts of a ledger are others than those of the one before, and why. */
class VerdictChangesTest {
  private static Claim claim(String id, @Nullable Kind kind, double most) {
    return new Claim(
        id, "it is quick", Topic.WAITING, kind, "somebody", "somebody", "100", "a laptop", null, Map.of(), null, 3, 1, new Claim.Needs(1, 0, 0, null), null,
        List.of(), List.of(new Rule.Within(new Rule.StepFigure("a", "tasks"), null, null, most)), List.of(), List.of());
  }

  private static Ledger.Entry measured(Claim claim, long value) {
    List<StepRun> runs =
        IntStream.range(0, 3)
            .mapToObj(i -> new StepRun("a", i + 1, List.of("a"), "done", "", 0.0, JsonMapper.shared().readTree("{\"tasks\": %d}".formatted(value)), null, null))
            .toList();
    return new Ledger.Entry(claim, Evaluation.of(claim.rules(), claim.beside(), runs), runs);
  }

  private static Ledger ledger(String runId, boolean quick, @Nullable Earlier earlier, List<Ledger.Entry> entries) {
    return new Ledger(
        Ledger.SCHEMA_VERSION, runId, Status.COMPLETE, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "./ladder run claims", "Which hold?", quick, 1L << 30,
        Map.of(), List.of(), earlier, entries, List.of());
  }

  /** What is published: of kinds from before they were told. */
  private static final Ledger THEN =
      ledger(
          "then", false, null,
          List.of(
              measured(claim("same", null, 200), 100),
              measured(claim("slower", null, 200), 100),
              measured(claim("stricter", null, 200), 100),
              new Ledger.Entry(claim("told", null, 200), ClaimOutcome.cannot("it needs a JDK 21"), List.of()),
              measured(claim("gone", null, 200), 100)));

  private static final List<Ledger.Entry> NOW =
      List.of(
          measured(claim("same", Kind.HOST_BOUND, 200), 101),
          measured(claim("slower", Kind.HOST_BOUND, 200), 400),
          measured(claim("stricter", Kind.RATIO, 50), 100),
          measured(claim("told", Kind.VERSION_BOUND, 200), 100),
          measured(claim("new", Kind.RATIO, 200), 100));

  private static Ledger now(List<Ledger> published, boolean quick) {
    return ledger("now", quick, Earlier.of(published, quick, NOW.stream().map(Ledger.Entry::claim).toList()), NOW);
  }

  @Test
  void eachVerdictThatChangedHasItsReason() {
    VerdictChanges changes = Objects.requireNonNull(VerdictChanges.of(now(List.of(THEN), false)));
    assertThat(changes.changed())
        .containsExactly(
            new VerdictChanges.Change("slower", "reproduced", "not reproduced here", "measured 100 (100–100, range of 3) then, 400 (400–400, range of 3) now"),
            new VerdictChanges.Change(
                "stricter", "holds", "does not hold",
                "its rules are others: a.tasks ≤ 200 became a.tasks ≤ 50; measured 100 (100–100, range of 3) then, 100 (100–100, range of 3) now"),
            new VerdictChanges.Change("told", "cannot be told here", "true of this release", "it could not be told then (it needs a JDK 21)"));
    assertThat(changes.summary())
        .startsWith("Against the ledger then, begun 2026-01-01 00:00:00 UTC, which was published last before this one: 1 verdict is the same, 3 changed, 1 claim is new.");
  }

  @Test
  void itStandsInTheTextAndOnThePage() {
    Ledger now = now(List.of(THEN), false);
    assertThat(LedgerText.markdown(now))
        .contains("## Which verdicts changed, and why", "| slower | reproduced | not reproduced here | measured 100 (100–100, range of 3) then, 400 ");
    assertThat(LedgerPage.of(now)).contains("id=\"changes\"", "href=\"#changes\"", "3 changed", "it could not be told then (it needs a JDK 21)");
    Ledger alone = ledger("now", false, null, NOW);
    assertThat(LedgerText.markdown(alone)).doesNotContain("Which verdicts changed");
    assertThat(LedgerPage.of(alone)).doesNotContain("id=\"changes\"");
  }

  /** A quick ledger is set against a quick one, the latest that has any of its claims. */
  @Test
  void itIsSetAgainstTheLastOfItsKind() {
    Ledger other = ledger("other", false, null, List.of(measured(claim("elsewhere", null, 200), 100)));
    assertThat(Objects.requireNonNull(now(List.of(other, THEN), false).earlier()).runId()).isEqualTo("then");
    assertThat(now(List.of(other, THEN), true).earlier()).isNull();
    assertThat(Objects.requireNonNull(now(List.of(THEN), false).earlier()).entries()).extracting(Earlier.Entry::id).doesNotContain("gone");
  }

  /** From the ledger's own folder alone. */
  @Test
  void itIsReadAgainAsItWasWritten() {
    Ledger now = now(List.of(THEN), false);
    String json = LedgerFiles.json(now);
    assertThat(RunSchema.ofLedger(json)).isEmpty();
    Ledger read = RunFolder.value(json, Ledger.class, "ledger");
    assertThat(read.earlier()).isEqualTo(now.earlier());
    assertThat(LedgerText.markdown(read)).isEqualTo(LedgerText.markdown(now));
    List<Ledger.Entry> fewer = new ArrayList<>(NOW);
    fewer.removeLast();
    assertThat(LedgerText.markdown(read.with(fewer))).contains("no claim is new");
  }
}
