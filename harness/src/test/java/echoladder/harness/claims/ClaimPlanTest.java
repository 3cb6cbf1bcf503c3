package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.study.StudyFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a ledger takes, before it is begun. */
class ClaimPlanTest {
  private static final Checkout CHECKOUT = new Checkout(Objects.requireNonNull(Path.of("").toAbsolutePath().getParent()));
  private static final ClaimsFile FILE = ClaimsFile.read(CHECKOUT, StudyFile.named(CHECKOUT, "claims"), List.of());
  private static final StepTimes TIMES = StepTimes.of(CHECKOUT, FILE);

  private static Claim claim(String id) {
    return FILE.only(List.of(id), List.of()).getFirst();
  }

  /** By its own sum, on a host that lacks nothing. */
  @ParameterizedTest
  @CsvSource({"FULL, 90", "QUICK, 12"})
  void theWholeLedgerIsOverInTime(Effort effort, int minutes) {
    Duration all = FILE.claims().stream().map(claim -> ClaimPlan.time(unbound(claim), effort, TIMES)).reduce(Duration.ZERO, Duration::plus);
    assertThat(all).as("see takes, repeats and quick in claims.yaml").isBetween(Duration.ofMinutes(minutes / 4), Duration.ofMinutes(minutes));
  }

  /** The claim as on a host that has all that it needs. */
  private static List<Claim> unbound(Claim claim) {
    return List.of(claim.with(new Claim.Needs(1, 0, 0, null)));
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfEveryStepIsKnown(Effort effort) {
    for (Claim claim : FILE.claims()) {
      for (Claim.Step step : claim.steps()) {
        if (step.args().containsKey(effort)) {
          assertThat(TIMES.ns(claim, step, effort)).as("%s of %s, to be said by its 'takes'", step.name(), claim.id()).isPresent();
        }
      }
    }
  }

  /** What was published counts, whatever claims.yaml says; of a claim that has another name too. */
  @Test
  void whatAPublishedLedgerTookComesFirst() {
    Claim claim = claim("goroutine-starts-with-2kb");
    Claim.Step step = claim.steps().getFirst();
    StepRun run = new StepRun(step.name(), 1, List.of("footprint", "--tasks", "100000"), "done", "", null, RunFolder.tree(Map.of("process_ns", 7)), null, null);
    Ledger.Entry entry = new Ledger.Entry(claim, ClaimOutcome.cannot("made up"), List.of(run));
    StepTimes by = new StepTimes(List.of(ledger(entry)), Map.of(StepTimes.key(claim.id(), step.name(), Effort.FULL), 9L), TIMES.climbs());
    assertThat(by.ns(claim, step, Effort.FULL)).hasValue(7);
    StepTimes took = new StepTimes(List.of(ledger(new Ledger.Entry(claim, entry.outcome(), List.of(run.took(8))))), Map.of(), TIMES.climbs());
    assertThat(took.ns(claim, step, Effort.FULL)).hasValue(8);
    StepTimes stated = new StepTimes(List.of(), Map.of(StepTimes.key(claim.id(), step.name(), Effort.FULL), 9L), TIMES.climbs());
    assertThat(stated.ns(claim, step, Effort.FULL)).hasValue(9);
    assertThat(stated.ns(claim, step, Effort.QUICK)).isEmpty();
  }

  private static Ledger ledger(Ledger.Entry entry) {
    Path published = CHECKOUT.root().resolve("results/reference/claims/20261122T094229Z-3897");
    return LedgerFiles.read(new RunFolder(published)).with(List.of(entry));
  }

  @Test
  void itSaysHowLongEachClaimTakesAndWhatCannotBeTold() {
    Claim needy = claim("fork-over-calls").with(new Claim.Needs(4_096, 0, 0, null));
    String plan = ClaimPlan.of(List.of(claim("jdk-http-server"), claim("p99-of-35ms-at-27000"), needy), Effort.FULL, TIMES);
    assertThat(plan)
        .containsPattern("http: 2 claims; 6 climbs, likely \\d+:\\d\\d \\(minutes and seconds\\)")
        .containsPattern("  jdk-http-server, \\d+:\\d\\d: With the HttpServer")
        .contains("  p99-of-35ms-at-27000, nothing is run: ")
        .contains("  fork-over-calls, which cannot be told here, as it needs 4,096 processors, this host has ")
        .containsPattern("3 claims; 6 climbs, likely ");
  }

  /** One that takes 2 s is repeated three times unasked, one of 3 s twice, one of a minute not at all. */
  @ParameterizedTest
  @CsvSource({"QUICK, 1, 2000, 3", "QUICK, 1, 3000, 2", "QUICK, 1, 60000, 1", "QUICK, 3, 60000, 3", "FULL, 1, 60000, 3", "FULL, 1, 1, 3"})
  void aQuickRunRepeatsWhatIsSoonOver(Effort effort, int sure, long eachMs, int repeats) {
    Claim claim = claim(sure == 3 ? "switch-100-times" : "goroutines-1m-sleepers");
    assertThat(claim.quickRepeats()).isEqualTo(sure);
    assertThat(new Repeats(effort, claim).of(eachMs * 1_000_000)).isEqualTo(repeats);
  }
}
