package echoladder.harness.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.Studies;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run's rungs say together of what each server holds. */
class CapacitiesTest {
  private static final Map<String, String> FLOORS = Map.of("floor", "floor", "a", "floor");

  private final Study study = Tries.study("floor", "a");
  private final List<RungRecord> rungs = new ArrayList<>();

  private void search(String server, int connections, double edge, int most) {
    search(server, connections, edge, most, Figures.NONE);
  }

  /** Makes the tries of a search against a server that holds so much, up to that many; those not held have these figures. */
  private void search(String server, int connections, double edge, int most, Figures beyond) {
    Study.Entry entry = study.entry(server).orElseThrow();
    for (int made = 0; made < most; made++) {
      RateSearch.Next next = Search.of(study, entry, connections, rungs).next().orElse(null);
      if (next == null) {
        return;
      }
      boolean held = next.ratePerS() <= edge;
      rungs.add(
          Tries.rung(
              server, connections, next.ratePerS(), next.repeat(), held ? 5L : 50L, held ? 5L : 40L, held ? Figures.NONE : beyond,
              held ? List.of() : List.of(new Reason(ReasonCode.SERVER_SATURATED, "0.4 % idle"))));
    }
  }

  private CapacityRecord row(String server, int connections) {
    return Capacities.of(study, rungs, FLOORS).stream()
        .filter(row -> row.server().equals(server) && row.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRowHasTheIntervalEveryTryAndWhatGaveWay() {
    search("floor", 100, 90_000, 99);
    search("a", 100, 10_000, 99);
    CapacityRecord row = row("a", 100);
    assertThat(row.capacityHeldPerS()).isLessThanOrEqualTo(10_000);
    assertThat(row.capacityNotHeldPerS()).isBetween(10_000.0, 10_500.0);
    assertThat(row.end()).isEqualTo(CapacityRecord.End.FOUND);
    assertThat(row.gaveWay()).extracting(Reason::reason).containsExactly(ReasonCode.RESPONSE_TIME_BEYOND_BOUND, ReasonCode.SERVER_SATURATED);
    assertThat(row.atLeast()).isNull();
    assertThat(row.tries()).hasSameSizeAs(rungs.stream().filter(rung -> rung.server().equals("a")).toList());
    assertThat(row.held().orElseThrow()).isSameAs(row.tries().getLast());
    assertThat(row.held().orElseThrow().length()).isEqualTo(3);
  }

  /** Where the client itself may be what gives way, the rate is a lower bound. */
  @ParameterizedTest
  @CsvSource({"10000, 20000, ", "17000, 20000, within 80 % of the client's ceiling", "30000, 20000, within 80 %"})
  void whatComesNearTheFloorIsALowerBound(double edge, double floor, String why) {
    search("floor", 100, floor, 99);
    search("a", 100, edge, 99);
    if (why == null) {
      assertThat(row("a", 100).atLeast()).isNull();
    } else {
      assertThat(row("a", 100).atLeast()).contains(why);
    }
    assertThat(row("floor", 100).atLeast()).isEqualTo("it is the client's ceiling");
  }

  /** Server time leaves the client's lateness out, but not what a server needs for messages that a full client sends in clumps. */
  @ParameterizedTest
  @CsvSource({"0.15, ", "0.149, the client's processors were up to 85.1 % busy at", "0, up to 100.0 % busy"})
  void whatEndedBesideAFullClientIsALowerBound(double idle, String why) {
    search("floor", 100, 50_000, 99);
    search("a", 100, 10_000, 99, Figures.NONE.with(HostMetrics.CLIENT_CPUS_IDLE_SHARE, idle));
    if (why == null) {
      assertThat(row("a", 100).atLeast()).isNull();
    } else {
      assertThat(row("a", 100).atLeast()).contains(why);
    }
  }

  @Test
  void withoutAFloorBesideItEveryRateIsALowerBound() {
    search("floor", 200, 90_000, 99);
    search("a", 100, 10_000, 99);
    assertThat(row("a", 100).atLeast()).as("the floor was searched at other connections").contains("client's ceiling is not known");
    search("floor", 100, 10, 99);
    assertThat(row("a", 100).atLeast()).contains("the floor held no rate beside it");
  }

  @Test
  void theStudysMostRateIsALowerBound() {
    search("floor", 100, 1e9, 99);
    search("a", 100, 1e9, 99);
    assertThat(row("a", 100).end()).isEqualTo(CapacityRecord.End.MOST_RATE);
    assertThat(row("a", 100).atLeast()).isEqualTo("no rate above it was shown not to be held");
  }

  @Test
  void aSearchUnderWayHasWhatItKnows() {
    search("floor", 100, 5_000, 4);
    assertThat(row("floor", 100).end()).isEqualTo(CapacityRecord.End.UNFINISHED);
    assertThat(row("floor", 100).capacityHeldPerS()).isEqualTo(4_000);
    assertThat(row("floor", 100).confirmed()).isFalse();
    assertThat(climb("floor").end()).isEqualTo(ClimbRecord.End.UNFINISHED);
  }

  /** A rung that was stopped, or never begun, is no try. */
  @Test
  void whatWasInterruptedIsNoTry() {
    search("a", 100, 10_000, 3);
    rungs.add(
        Tries.rung("a", 100, 8_000, 1, 5L, 5L, Figures.NONE, List.of(new Reason(ReasonCode.INTERRUPTED, "the run was stopped"))));
    rungs.add(RungRecord.notMeasured(new RungRecord.Planned("a", 200, 1, 1_000, null), Status.NOT_ATTEMPTED, "the run was stopped"));
    Search search = Search.of(study, study.entry("a").orElseThrow(), 100, rungs);
    assertThat(search.tries()).hasSize(3);
    assertThat(search.next().orElseThrow().ratePerS()).isEqualTo(8_000);
    assertThat(Capacities.of(study, rungs, FLOORS)).hasSize(1);
  }

  /** A rung that the search would not have made is none of it. */
  @Test
  void aRungOfAnotherSearchIsToldApart() {
    search("a", 100, 10_000, 3);
    rungs.add(Tries.rung("a", 100, 9_999, 1, 5L, 5L, Figures.NONE, List.of()));
    assertThat(Search.of(study, study.entry("a").orElseThrow(), 100, rungs).whole()).isFalse();
  }

  private ClimbRecord climb(String server) {
    return CapacityEnds.climbs(study, rungs, Capacities.of(study, rungs, FLOORS), false).stream()
        .filter(climb -> climb.server().equals(server))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aClimbEndsWhereNoRateIsHeld() {
    search("floor", 100, 90_000, 99);
    search("floor", 200, 50_000, 99);
    search("a", 100, 500, 99);
    assertThat(climb("floor").end()).isEqualTo(ClimbRecord.End.TOP_OF_STUDY);
    assertThat(climb("floor").highestValidConnections()).isEqualTo(200);
    assertThat(climb("a").end()).isEqualTo(ClimbRecord.End.NOT_HELD);
    assertThat(climb("a").endedAtConnections()).isEqualTo(100);
    assertThat(climb("a").reason()).startsWith("no rate was held at 100 connections: response-time-beyond-bound: ");
    List<CapacityRecord> rows = Capacities.of(study, rungs, FLOORS);
    assertThat(Objects.requireNonNull(CapacityEnds.before("a", rows))).startsWith("no rate was held at 100 connections");
    assertThat(CapacityEnds.before("floor", rows)).isNull();
  }

  /** What others on the host did at the first rate ends no climb; a server that does not start does. */
  @Test
  void aClimbGoesOnWhereNothingWasDecided() {
    for (int repeat = 1; repeat <= 3; repeat++) {
      rungs.add(Tries.rung("a", 100, 1_000, repeat, 50L, 50L, Figures.NONE, List.of(new Reason(ReasonCode.HOST_TOO_NOISY, "seen"))));
      rungs.add(Tries.rung("floor", 100, 1_000, repeat, null, null, Figures.NONE, List.of(new Reason(ReasonCode.SERVER_NOT_READY, "seen"))));
    }
    assertThat(row("a", 100).end()).isEqualTo(CapacityRecord.End.UNDECIDED);
    assertThat(CapacityEnds.before("a", Capacities.of(study, rungs, FLOORS))).isNull();
    assertThat(CapacityEnds.before("floor", Capacities.of(study, rungs, FLOORS))).isNotNull();
    assertThat(climb("floor").end()).isEqualTo(ClimbRecord.End.SERVER_FAILED);
    search("a", 200, 10_000, 99);
    assertThat(climb("a").end()).isEqualTo(ClimbRecord.End.TOP_OF_STUDY);
    assertThat(climb("a").highestValidConnections()).isEqualTo(200);
  }

  @Test
  void aClimbEndsWhereTheHostDoes() {
    search("a", 100, 10_000, 99);
    rungs.add(RungRecord.notMeasured(new RungRecord.Planned("a", 200, 1, 1_000, null), Status.OUT_OF_REACH, "too few descriptors"));
    assertThat(climb("a")).isEqualTo(new ClimbRecord("a", 100, ClimbRecord.End.OUT_OF_REACH, 200, "too few descriptors", null));
  }

  @Test
  void anotherStudyHasNone() {
    Study plain = Studies.with(study, (Capacity) null);
    search("a", 100, 10_000, 99);
    assertThat(Capacities.of(plain, rungs, FLOORS)).isEmpty();
  }
}
