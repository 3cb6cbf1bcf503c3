package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.RecordMetrics;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.StudyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a claim takes of a climb, from the golden run. */
class ClimbFiguresTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  /** The golden run as one of a single server, that of its first valid rung, whose climb ended so. */
  private static RunRecord of(String end, Integer highest, Set<Integer> valid) throws IOException {
    ObjectNode run = (ObjectNode) RunFolder.tree(RunFolder.parse(Files.readString(GOLDEN)));
    ObjectNode measured =
        (ObjectNode)
            run.get("rungs")
                .valueStream()
                .filter(rung -> rung.path("verdict").asString("").equals("valid"))
                .findFirst()
                .orElseThrow();
    ArrayNode rungs = run.putArray("rungs");
    ((ObjectNode) run.get("study")).putArray("rungs").add(1000).add(5000);
    for (int connections : List.of(1000, 5000)) {
      ObjectNode rung = rungs.addObject().setAll(measured.deepCopy()).put("connections", connections);
      if (!valid.contains(connections)) {
        rung.put("verdict", "invalid");
        rung.putArray("verdict_reasons").addObject().put("reason", "host-too-noisy").put("detail", "others had half of it");
      }
    }
    ArrayNode climbs = run.putArray("climbs");
    climbs.addObject().put("server", measured.get("server").asString()).put("highest_valid_connections", highest)
        .put("end", end).put("ended_at_connections", end.equals("top-of-study") ? null : (Integer) 5000).put("reason", "a reason");
    run.put("status", "complete");
    return RunFolder.parse(run.toString());
  }

  @Test
  void aClimbToTheTopIsDone() throws IOException {
    ClimbFigures.Climbed climbed = ClimbFigures.of(of("top-of-study", 5000, Set.of(1000, 5000)));
    assertThat(climbed.endedBy()).isEqualTo("done");
    assertThat(climbed.figures().get("highest_valid_connections").asInt()).isEqualTo(5000);
    assertThat(climbed.figures().get("achieved_per_s_at_1000").asDouble())
        .isEqualTo(climbed.figures().get("achieved_per_s_at_5000").asDouble())
        .isPositive();
    assertThat(climbed.figures().has("response_time_p99_ns_at_5000")).isTrue();
    assertThat(climbed.figures().get("server_ready_ns_at_1000").asLong()).isPositive();
  }

  @Test
  void whatMayNotBeQuotedIsNoFigureAndNoEnd() throws IOException {
    ClimbFigures.Climbed climbed = ClimbFigures.of(of("top-of-study", 1000, Set.of(1000)));
    assertThat(climbed.endedBy()).isEqualTo("not-valid");
    assertThat(climbed.detail()).isEqualTo("what it measured at 5,000 connections may not be quoted: host-too-noisy: others had half of it");
    assertThat(climbed.figures().has("achieved_per_s_at_5000")).isFalse();
    assertThat(climbed.figures().has("highest_valid_connections")).isFalse();
    StepRun run = new StepRun("a", 1, List.of("x"), "not-valid", climbed.detail(), null, climbed.figures(), "runs/x", null);
    assertThat(run.missing(new Rule.StepFigure("a", "achieved_per_s_at_1000"))).isNull();
    assertThat(run.missing(new Rule.StepFigure("a", "achieved_per_s_at_5000"))).contains("host-too-noisy");
    Rule collapses = new Rule.Ends("a", List.of("not-held"), null);
    assertThat(Evaluation.of(List.of(collapses), List.of(), List.of(run)).holding())
        .isEqualTo(ClaimOutcome.Holding.CANNOT_BE_TOLD);
  }

  @Test
  void anEndThatTheServerMetIsTold() throws IOException {
    ClimbFigures.Climbed climbed = ClimbFigures.of(of("not-held", 1000, Set.of(1000)));
    assertThat(climbed.endedBy()).isEqualTo("not-held");
    assertThat(climbed.detail()).isEqualTo("at 5,000 connections: a reason");
    StepRun run = new StepRun("a", 1, List.of("x"), "not-held", climbed.detail(), null, climbed.figures(), "runs/x", null);
    assertThat(run.missing(new Rule.StepFigure("a", "achieved_per_s_at_1000"))).isNull();
    Rule collapses = new Rule.Ends("a", List.of("not-held"), null);
    assertThat(Evaluation.of(List.of(collapses), List.of(), List.of(run)).holding()).isEqualTo(ClaimOutcome.Holding.HOLDS);
  }

  @Test
  void outOfThisHostsReachTellsNothing() throws IOException {
    ClimbFigures.Climbed climbed = ClimbFigures.of(of("out-of-reach", 1000, Set.of(1000)));
    StepRun run = new StepRun("a", 1, List.of("x"), climbed.endedBy(), climbed.detail(), null, climbed.figures(), "runs/x", null);
    Rule carries = new Rule.Ends("a", List.of("done"), null);
    ClaimOutcome outcome = Evaluation.of(List.of(carries), List.of(), List.of(run));
    assertThat(outcome.holding()).isEqualTo(ClaimOutcome.Holding.CANNOT_BE_TOLD);
    assertThat(outcome.reason()).isEqualTo("a: at 5,000 connections: a reason");
  }

  /** What claims.yaml takes of climbs is a figure that a climb gives. */
  @Test
  void claimsTakeFiguresOfTheCatalogue() {
    Set<String> known = new HashSet<>(Set.of(RecordMetrics.HIGHEST_VALID.name(), RecordMetrics.CEILING.name(), RecordMetrics.READY.name()));
    Stream.of(Shown.IN_CLAIMS, Shown.IN_CLAIMS_OF_STAGES, Shown.IN_CLAIMS_OF_REQUESTS)
        .flatMap(List::stream)
        .forEach(figure -> known.add(figure.name()));
    Checkout checkout = Checkout.find();
    ClaimsFile file = ClaimsFile.read(checkout, StudyFile.named(checkout, "claims"), List.of());
    List<String> taken = new ArrayList<>();
    for (Claim claim : file.claims()) {
      List<String> climbs =
          claim.steps().stream().filter(step -> step.language() == Claim.Language.LADDER).map(Claim.Step::name).toList();
      Stream<Rule.StepFigure> within =
          claim.rules().stream()
              .flatMap(
                  rule ->
                      switch (rule) {
                        case Rule.Within of -> Stream.of(of.take(), of.over());
                        case Rule.Ascending of -> of.figures().stream();
                        case Rule.Ends _ -> Stream.<Rule.StepFigure>empty();
                      });
      Stream.concat(within, claim.beside().stream().flatMap(shown -> shown.figures().stream()))
          .filter(figure -> figure != null && climbs.contains(figure.step()))
          .forEach(figure -> taken.add(Rule.StepFigure.base(figure.figure())));
      if (climbs.size() == claim.steps().size()) {
        claim.plots().forEach(plot -> taken.add(plot.figure()));
      }
    }
    assertThat(taken).hasSizeGreaterThan(20).allMatch(name -> known.contains(name.replaceFirst("^(light|heavy)_", "")));
  }
}
