package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Schedule;
import echoladder.harness.Studies;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostLimits;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Idle;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
  private static final HostFacts LARGE = new Facts().nofile(Long.MAX_VALUE).facts();

  private static Plan plan(Study study, HostFacts host) {
    return Planner.plan(study, SERVERS, new Planner.Place(host, Role.BOTH, null), (_, _) -> Obstacles.NONE);
  }

  private static ServerManifest server(String name, long memory) {
    return new ServerManifest(
        Path.of("/s/" + name), name, name, "tcp", "contender", "jvm", List.of(), List.of("{java}"), Map.of(),
        List.of(), Map.of(),
        new ServerManifest.BytesPerConnection(memory, "a test"), 0, null, null);
  }

  private static final Map<String, ServerManifest> SERVERS =
      Map.of("a", server("a", 16 << 10), "b", server("b", 64 << 10));

  private static Study study(StudyLoad load, int... rungs) {
    return study(Study.Entry.plain("b2", "b", "open-loop", Map.of()), load, rungs);
  }

  private static Study study(Study.Entry second, StudyLoad load, int... rungs) {
    return Studies.of(
        List.of(Study.Entry.plain("a", "a", "open-loop", Map.of()), second),
        Arrays.stream(rungs).boxed().toList(),
        load,
        new Study.Phases(5_000, 10_000_000_000L, 2_000_000_000L, 4_000_000_000L, null, 7_000_000_000L, 2_000_000_000L, 0, 0));
  }

  @Test
  void climbsEveryServerAtARungBeforeTheNextRung() {
    Plan plan = plan(study(Studies.total(5_000), 10, 20), LARGE);
    assertThat(plan.rungs().stream().map(r -> r.label() + " " + r.connections()))
        .containsExactly("a 10", "b2 10", "a 20", "b2 20");
    assertThat(plan.rungs()).allMatch(r -> r.ratePerS() == 5_000 && r.obstacles().outOfReach() == null);
  }

  @Test
  void severalRatesAreAStandOfOneServerWithTheFirstOnceMoreAtItsEnd() {
    StudyLoad load = Studies.totals(1_000.0, 2_000.0, 5_000.0);
    List<Rung> rungs = plan(study(load, 10, 20).withRepeats(3), LARGE).rungs();
    assertThat(rungs).hasSize(2 * 3 * 2 * 4);
    for (int from = 0; from < rungs.size(); from += 4) {
      List<Rung> stand = rungs.subList(from, from + 4);
      Rung first = stand.getFirst();
      assertThat(stand).allMatch(rung -> rung.inOneStandWith(first) && rung.label().equals(first.label()));
      assertThat(stand.subList(0, 3).stream().map(Rung::ratePerS))
          .containsExactlyInAnyOrder(1_000.0, 2_000.0, 5_000.0)
          .containsExactlyElementsOf(RateOrder.of(load.totalsPerS(), 1, first.repeat()));
      assertThat(stand.getLast().ratePerS()).isEqualTo(first.ratePerS());
      assertThat(stand.stream().map(rung -> rung.key().driftCheck())).containsExactly(false, false, false, true);
      assertThat(stand.getLast().key().first()).isEqualTo(first.key());
    }
    assertThat(rungs.stream().map(Rung::key).distinct()).hasSize(rungs.size());
    assertThat(rungs.stream().map(rung -> rung.key().stem(3, 1)).distinct()).hasSize(rungs.size());
    assertThat(rungs.getFirst().inOneStandWith(rungs.get(4))).isFalse();
  }

  @Test
  void aServerThatIsWarmedUpForItsRatesTakesSoMuchLongerOnce() {
    StudyLoad load = Studies.totals(1_000.0, 2_000.0);
    Study cold = study(load, 5_000);
    Study.Phases p = cold.phases();
    Study warm =
        Studies.with(
            cold,
            new Study.Phases(
                p.connectsPerS(), p.connectTimeoutNs(), p.warmUpMinNs(), p.warmUpMaxNs(), null, p.steadyNs(), p.drainNs(), 10_000_000_000L, 0));
    List<Rung> before = plan(cold, LARGE).rungs();
    List<Rung> after = plan(warm, LARGE).rungs();
    // At each of two rates: 5,000 connections at 5,000/s, 10 s, a second that nobody reads, and a client's start.
    assertThat(after.getFirst().likely().minus(before.getFirst().likely())).isEqualTo(Duration.ofMillis(31_400));
    assertThat(after.get(1).likely()).isEqualTo(before.get(1).likely());
    assertThat(after.get(1).most().minus(before.get(1).most())).as("a server that died is started and warmed up anew").isEqualTo(Duration.ofMillis(31_400));
  }

  @Test
  void eachRepeatHoldsEveryServerInAnOrderDrawnByTheSeed() {
    Study study = study(Studies.total(5_000), 10, 20).withRepeats(40);
    List<Rung> rungs = plan(study, LARGE).rungs();
    assertThat(rungs).hasSize(160).isEqualTo(plan(study, LARGE).rungs());
    int firstLeads = 0;
    for (int i = 0; i < rungs.size(); i += 2) {
      Rung one = rungs.get(i);
      Rung next = rungs.get(i + 1);
      assertThat(one.repeat()).isEqualTo(next.repeat()).isEqualTo(i / 2 % 40 + 1);
      assertThat(one.connections()).isEqualTo(next.connections()).isEqualTo(i < 80 ? 10 : 20);
      assertThat(List.of(one.label(), next.label())).containsExactlyInAnyOrder("a", "b2");
      firstLeads += one.label().equals("a") ? 1 : 0;
    }
    // 80 draws: with a fair order, fewer than 20 or more than 60 would be a chance of one in 100,000.
    assertThat(firstLeads).isBetween(20, 60);
  }

  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  @Test
  void withinARepeatEntriesThatCompareAreMeasuredOneAfterTheOther() {
    List<Study.Entry> entries = new ArrayList<>();
    for (String server : List.of("a", "b")) {
      for (String cpus : List.of("shared", "apart")) {
        for (long spinNs : new long[] {0, 1_000_000}) {
          StudyLoad load =
              new StudyLoad(
                  5_000.0, null, List.of(), 64, Schedule.CONSTANT, 1, 1, 1, cpus, spinNs, Idle.HALT, null, null, null, null, null, null, null);
          String label = "%s-%s-%d".formatted(server, cpus, spinNs);
          entries.add(new Study.Entry(label, server, "open-loop", Map.of(), EntrySettings.NONE, load, null, null, null, null));
        }
      }
    }
    for (int connections : new int[] {10, 200, 2_000, 19_000}) {
      Study two = study(Studies.total(5_000), connections);
      Study study = two.with(entries).withRepeats(20);
      List<String> labels = plan(study, LARGE).rungs().stream().map(Rung::label).toList();
      Set<List<String>> orders = new HashSet<>();
      int sleepersFirst = 0;
      for (int i = 0; i < labels.size(); i += 8) {
        List<String> round = labels.subList(i, i + 8);
        assertThat(round).containsExactlyInAnyOrderElementsOf(entries.stream().map(Study.Entry::label).toList());
        assertThat(round.subList(0, 4).stream().map(label -> label.endsWith("-0")).distinct()).hasSize(1);
        sleepersFirst += round.getFirst().endsWith("-0") ? 1 : 0;
        orders.add(round);
      }
      assertThat(orders).hasSizeGreaterThan(15);
      // 20 draws: with a fair order, fewer than 3 or more than 17 would be a chance of one in 2,500.
      assertThat(sleepersFirst).as("of %d connections", connections).isBetween(3, 17);
    }
  }

  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  @Test
  void aRatePerConnectionIsThatOfTheConnectionsThatSend() {
    StudyLoad load =
        new StudyLoad(
            null, 0.5, List.of(), 64, Schedule.CONSTANT, 0.25, 1, 1, Cpus.SHARED, 0, Idle.HALT, null, null, null, null, null, null, null);
    Plan plan = plan(study(load, 1, 1_000), LARGE);
    assertThat(plan.rungs().stream().map(Rung::ratePerS)).containsExactly(0.5, 0.5, 125.0, 125.0);
  }

  @Test
  void estimatesTheTimeOfTheRungsWithinReach() {
    // start 3.9 s, ramp 2 s, warm-up 2 to 4 s, steady state 7 s, roll call 2 s, notices 0.5 s, stop 1 s
    Plan plan = plan(study(Studies.total(5_000), 10_000, 50_000), new Facts().facts());
    assertThat(plan.rungs().getFirst().likely()).isEqualTo(Duration.ofMillis(19_400));
    assertThat(plan.likely()).isEqualTo(Duration.ofMillis(38_800));
    assertThat(plan.most()).isGreaterThan(plan.likely());
  }

  @Test
  void aWarmUpLastsUntilItsEchoesAreSeen() {
    Study.Phases phases = new Study.Phases(5_000, 1, 0, 60_000_000_000L, 30_000L, 7_000_000_000L, 0, 0, 0);
    Study base = study(Studies.total(5_000), 10_000);
    Study slow = Studies.with(base, phases);
    assertThat(plan(slow, LARGE).rungs().getFirst().likely()).isEqualTo(Duration.ofMillis(25_400));
  }

  @ParameterizedTest
  @CsvSource({
    "19900, 20000, true",
    "19901, 20000, false",
    "50000, 20000, false",
    "1000000, 1048576, true",
    "1, 64, false"
  })
  void aServerHoldsItsDescriptorLimitLessItsOwnAtMost(int connections, long hard, boolean within) {
    Plan plan = plan(study(Studies.total(5_000), connections), new Facts().nofile(hard).available(1L << 40).facts());
    String why = plan.rungs().getFirst().obstacles().outOfReach();
    if (within) {
      assertThat(why).isNull();
    } else {
      assertThat(why)
          .contains("%,d connections per process here: hard nofile %,d".formatted(Math.max(0, hard - 100), hard))
          .contains("see runbooks/symptoms/descriptor-limit.md");
    }
  }

  @Test
  void memoryIsThatOfBothEndsClientAndServer() {
    // 512 MiB + 100,000 x (8 KiB + 256 B + 16 KiB) = 2,880 MiB for a; 7,567 MiB for b.
    HostFacts host = new Facts().nofile(1_048_576).memory(5_000L << 20, 1_000L << 20).facts();
    Plan plan = plan(study(Studies.total(5_000), 100_000), host);
    assertThat(plan.rungs().getFirst().obstacles().outOfReach()).isNull();
    assertThat(plan.rungs().getLast().obstacles().outOfReach())
        .contains("the cgroup's memory limit, 5,000 MiB, cannot be raised from inside")
        .contains("see runbooks/symptoms/cgroup-memory.md");
    assertThat(HostLimits.of(host)).isEqualTo(new HostLimits(1_048_576, 4_000L << 20, "/sys/fs/cgroup/memory.max"));
  }

  @Test
  void aServerWhoseMemoryIsNotPlannedIsClimbedUntilItEnds() {
    HostFacts host = new Facts().nofile(1_048_576).memory(5_000L << 20, 1_000L << 20).facts();
    EntrySettings.OfServer unplanned = new EntrySettings.OfServer(null, List.of(), null, null, false, null, null);
    Study.Entry b =
        new Study.Entry(
            "b2", "b", "open-loop", Map.of(), new EntrySettings(Map.of(), unplanned, EntrySettings.NONE.client()), null, null,
            null, null, null);
    // 512 MiB + 500,000 x (8 KiB + 256 B) = 4,540 MiB without what the server takes.
    Plan plan = plan(study(b, Studies.total(5_000), 100_000, 500_000), host);
    assertThat(plan.rungs().get(1).obstacles().outOfReach()).isNull();
    assertThat(plan.rungs().getLast().obstacles().outOfReach()).as("what the kernel takes is planned").contains("memory limit");
  }

  /** What is set for it may lift the limits that are in force before. */
  @Test
  void aServerWhoseLimitsAreNotPlannedIsClimbedWhateverTheDoctorSays() {
    EntrySettings.OfServer unplanned = new EntrySettings.OfServer(null, List.of(), null, null, null, false, null);
    Study.Entry b =
        new Study.Entry(
            "b2", "b", "open-loop", Map.of(), new EntrySettings(Map.of(), unplanned, EntrySettings.NONE.client()), null, null,
            null, null, null);
    Plan plan = plan(study(b, Studies.total(5_000), 50_000), new Facts().facts());
    Rung planned = plan.rungs().stream().filter(rung -> rung.label().equals("b2")).findFirst().orElseThrow();
    assertThat(planned.obstacles().outOfReach()).isNull();
    assertThat(Objects.requireNonNull(plan.examinations().get("b2")).inTheWay()).as("the doctor's word is kept").contains("nofile");
  }

  @Test
  void saysInALineWhatIsOutOfReachAndWhy() {
    Plan plan = plan(study(Studies.total(5_000), 10_000, 50_000, 100_000), new Facts().facts());
    assertThat(plan.outOfReach())
        .singleElement()
        .asString()
        .startsWith(
            "out of reach on this host: a, b2 from 50,000 connections on: 19,900 connections per process here: hard "
                + "nofile 20,000 cannot be raised without CAP_SYS_RESOURCE; 50,000 in the lab");
    assertThat(plan(study(Studies.total(5_000), 10_000), new Facts().facts()).outOfReach()).isEmpty();
  }

  /** There is one place for the arithmetic: whatever stops a rung is what the doctor says of it. */
  @Test
  void agreesWithTheDoctor() {
    List<Facts> hosts =
        List.of(
            new Facts(), new Facts().nofile(1_024), new Facts().user(), new Facts().capSysResource(),
            new Facts().available(1L << 30), new Facts().pids(100, 12),
            new Facts().sysctl("fs.epoll.max_user_watches", "20000"));
    for (Facts facts : hosts) {
      for (Role role : Role.values()) {
        HostFacts host = facts.facts();
        Study climbed = study(Studies.total(5_000), 900, 15_000, 20_000, 100_000);
        Plan plan = Planner.plan(climbed, SERVERS, new Planner.Place(host, role, 1L), (_, _) -> Obstacles.NONE);
        for (Rung rung : plan.rungs()) {
          ServerManifest server = Objects.requireNonNull(SERVERS.get(rung.label().substring(0, 1)));
          Examination found =
              Doctor.examine(new Question(rung.connections(), role, ServerModel.of(server, Map.of()), 0, 1L), host);
          assertThat(rung.obstacles().outOfReach()).isEqualTo(found.inTheWay());
          assertThat(rung.obstacles().outOfReach() == null).isEqualTo(found.reach() == Examination.Reach.IN_REACH);
          assertThat(rung.obstacles().outOfReach() == null).isEqualTo(rung.connections() <= found.connectionsNow());
        }
        assertThat(plan.examinations()).containsOnlyKeys("a", "b2");
      }
    }
  }
}
