package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.Role;
import echoladder.harness.report.text.PlanTable;
import echoladder.harness.study.Profile;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extra repeats with a profiler: read from a study, and planned behind all others. */
class ProfilePlanTest {
  private static final String STUDY =
      """
      name: a
      question: Where does the cost of an echo go?
      servers: [{name: fake, label: f}, {name: fake, label: v}, {name: fake, label: w, options: {level: 4}}]
      rungs: [10]
      repeats: 2
      load: {rate: {totals: [100/s, 200/s, 400/s]}}
      phases: {steady: 1s}
      breakdown:
        chain: [v, w]
        above: f
        profiles:
          - {kind: syscalls}
          - {kind: cpu, servers: [f, v], rates: [200/s]}
      """;

  @TempDir private Path dir;

  private Study read(String text, Selection selection) {
    TestCheckout test = new TestCheckout(dir).study("a", text);
    return new StudyReader(test.checkout(), test.servers()).read("a", selection);
  }

  private Plan plan(Study study) {
    TestCheckout test = new TestCheckout(dir);
    return Planner.plan(study, test.servers(), new Planner.Place(new Facts().nofile(Long.MAX_VALUE).facts(), Role.BOTH, null), (_, _) -> Obstacles.NONE);
  }

  @Test
  void eachProfileIsARepeatOfItsOwnBehindThoseOfTheStudy() {
    Study study = read(STUDY, Selection.ALL);
    Plan plan = plan(study);
    assertThat(plan.rungs()).hasSize(2 * 3 * 4).allMatch(rung -> rung.profile() == null && rung.repeat() <= 2);
    List<Rung> syscalls = plan.profiled().stream().filter(rung -> rung.profile() == Profile.Kind.SYSCALLS).toList();
    List<Rung> cpu = plan.profiled().stream().filter(rung -> rung.profile() == Profile.Kind.CPU).toList();
    assertThat(syscalls).hasSize(3 * 3).allMatch(rung -> rung.repeat() == 3 && !rung.key().driftCheck());
    assertThat(syscalls.subList(0, 3)).allMatch(rung -> rung.inOneStandWith(syscalls.getFirst()));
    assertThat(cpu).hasSize(2).allMatch(rung -> rung.repeat() == 4 && rung.ratePerS() == 200).extracting(Rung::label).containsExactlyInAnyOrder("f", "v");
    assertThat(plan.all().stream().map(rung -> rung.key().stem(2, 1)).distinct()).hasSize(plan.size());
    assertThat(PlanTable.of(study, plan)).contains("extra repeat, profile syscalls", "35 of 35 rungs");
    assertThat(plan.likely()).isGreaterThan(plan(read(STUDY.substring(0, STUDY.indexOf("breakdown")), Selection.ALL)).likely());
  }

  @Test
  void withoutOneOfItsServersThereIsNoSumAndTheOthersAreProfiled() {
    Study study = read(STUDY, new Selection(null, List.of("f", "w"), List.of()));
    assertThat(study.breakdown()).isNotNull().satisfies(of -> assertThat(of.sums()).isFalse());
    assertThat(plan(study).profiled().stream().map(rung -> rung.label() + " " + rung.profile()).distinct())
        .containsExactlyInAnyOrder("f SYSCALLS", "w SYSCALLS", "f CPU");
  }

  @Test
  void whatCannotBeSaysWhereAndWhy() {
    assertThatThrownBy(() -> read(STUDY.replace("above: f", "above: x").replace("rates: [200/s]", "rates: [300/s]"), Selection.ALL))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("'x' is no server of this study; it has f, v, w")
        .hasMessageContaining("300/s is not allowed; one of load.rate.totals");
    assertThatThrownBy(() -> read(STUDY.replace("  above: f\n", ""), Selection.ALL)).isInstanceOf(Refusal.class).hasMessageContaining("chain and above go together");
    assertThatThrownBy(() -> read(STUDY.replace("kind: cpu", "kind: gpu"), Selection.ALL)).isInstanceOf(Refusal.class).hasMessageContaining("one of syscalls");
  }
}
