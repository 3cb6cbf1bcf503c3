package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.Studies;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.Role;
import echoladder.harness.metric.Figures;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The tries of searches as rungs. */
class SearchPlanTest {
  private static final Study STUDY =
      Studies.with(
          Studies.of(
              List.of(Study.Entry.plain("a", "a", "open-loop", Map.of()), Study.Entry.plain("floor", "floor", "open-loop", Map.of())),
              List.of(10, 20), Studies.total(1_000),
              new Study.Phases(5_000, 10_000_000_000L, 2_000_000_000L, 4_000_000_000L, null, 7_000_000_000L, 2_000_000_000L, 0, 0)),
          new Capacity(8_000, 0.25, 20));

  private final Plan plan =
      Planner.plan(
          STUDY, Map.of("a", server("a", "contender"), "floor", server("floor", "reference")),
          new Planner.Place(new Facts().nofile(Long.MAX_VALUE).facts(), Role.BOTH, null), (_, _) -> Obstacles.NONE);

  private final List<RungRecord> records = new ArrayList<>();

  private static ServerManifest server(String name, String role) {
    return new ServerManifest(
        Path.of("/s/" + name), name, name, "tcp", role, "jvm", List.of(), List.of("{java}"), Map.of(), List.of(), Map.of(),
        new ServerManifest.BytesPerConnection(16 << 10, "a test"), 0, null, null);
  }

  /** Makes a try against a server that holds 3,000/s. */
  private void make(Rung rung) {
    boolean held = rung.ratePerS() <= 3_000;
    long p99Ns = held ? 5_000_000 : 5_000_000_000L;
    List<Reason> doubts = held ? List.of() : List.of(new Reason(ReasonCode.UNANSWERED, "seen"));
    records.add(
        Rungs.measured(
            rung.planned(),
            Results.of(rung.connections(), 7_000, 7_000, 0, new Percentiles(p99Ns, p99Ns, p99Ns, null, null, p99Ns), 40.0, doubts),
            Figures.NONE));
  }

  @Test
  void theFloorIsSearchedFirstAtEachConnectionCount() {
    assertThat(plan.rungs().stream().map(rung -> rung.label() + " " + rung.connections()))
        .containsExactly("floor 10", "a 10", "floor 20", "a 20");
    assertThat(plan.rungs()).allMatch(rung -> rung.ratePerS() == 1_000 && rung.key().ratePerS() == null);
  }

  @Test
  void eachTryFollowsFromThoseBeforeAndHasFilesOfItsOwn() {
    Rung planned = plan.rungs().get(1);
    List<Rung> made = new ArrayList<>();
    for (Optional<Rung> next = SearchPlan.next(STUDY, planned, records); next.isPresent(); next = SearchPlan.next(STUDY, planned, records)) {
      assertThat(SearchPlan.known(STUDY, plan, records)).contains(next.get()).containsAll(made).containsAll(plan.rungs());
      made.add(next.get());
      make(next.get());
    }
    assertThat(made.stream().map(Rung::ratePerS)).containsExactly(1_000.0, 2_000.0, 4_000.0, 3_000.0, 3_500.0, 3_000.0);
    assertThat(made.stream().map(Rung::length)).containsExactly(1, 1, 1, 1, 1, 3);
    assertThat(made.stream().map(rung -> rung.key().stem(1, 1)))
        .doesNotHaveDuplicates()
        .startsWith("0000010-a_1000")
        .endsWith("0000010-a_3000-r2");
    assertThat(made.getLast().likely()).isEqualTo(made.getFirst().likely().plus(Duration.ofSeconds(14)));
    for (int i = 0; i < made.size(); i++) {
      assertThat(made.get(i).isOf(records.get(i))).isTrue();
    }
  }

  @Test
  void aSearchTakesNoLongerThanItsBounds() {
    for (Rung search : plan.rungs()) {
      assertThat(search.likely()).isBetween(Duration.ofMinutes(1), search.most());
      assertThat(search.most()).isLessThan(Duration.ofHours(1));
    }
  }
}
