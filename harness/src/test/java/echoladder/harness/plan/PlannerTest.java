package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Schedule;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
  private static final HostLimits LARGE = new HostLimits(Long.MAX_VALUE, 1L << 50, "/proc/meminfo");

  private static ServerManifest server(String name, long memory) {
    return new ServerManifest(
        Path.of("/s/" + name), name, name, "tcp", "contender", "jvm", List.of("{java}"), Map.of(), memory);
  }

  private static final Map<String, ServerManifest> SERVERS =
      Map.of("a", server("a", 16 << 10), "b", server("b", 64 << 10));

  private static Study study(Study.Load load, int... rungs) {
    return new Study(
        "s",
        "a question",
        "open-loop",
        List.of(new Study.Entry("a", "a", "open-loop", Map.of()), new Study.Entry("b2", "b", "open-loop", Map.of())),
        java.util.Arrays.stream(rungs).boxed().toList(),
        load,
        new Study.Phases(5_000, 10_000_000_000L, 2_000_000_000L, 4_000_000_000L, null, 7_000_000_000L, 2_000_000_000L),
        Study.Bounds.DEFAULT,
        Study.Thresholds.DEFAULT);
  }

  private static Study.Load total(double perS) {
    return new Study.Load(perS, null, 64, Schedule.CONSTANT, 1, 1, 1);
  }

  @Test
  void climbsEveryServerAtARungBeforeTheNextRung() {
    Plan plan = Planner.plan(study(total(5_000), 10, 20), SERVERS, LARGE);
    assertThat(plan.rungs().stream().map(r -> r.label() + " " + r.connections()))
        .containsExactly("a 10", "b2 10", "a 20", "b2 20");
    assertThat(plan.rungs()).allMatch(r -> r.ratePerS() == 5_000 && r.outOfReach() == null);
  }

  @Test
  void aRatePerConnectionIsThatOfTheConnectionsThatSend() {
    Study.Load load = new Study.Load(null, 0.5, 64, Schedule.CONSTANT, 0.25, 1, 1);
    Plan plan = Planner.plan(study(load, 1, 1_000), SERVERS, LARGE);
    assertThat(plan.rungs().stream().map(Rung::ratePerS)).containsExactly(0.5, 0.5, 125.0, 125.0);
  }

  @Test
  void estimatesTheTimeOfTheRungsWithinReach() {
    // start 2.5 s, ramp 2 s, warm-up 2 s, steady state 7 s, notices 0.5 s, stop 1 s
    Plan plan = Planner.plan(study(total(5_000), 10_000, 50_000), SERVERS, new HostLimits(20_000, 1L << 50, "x"));
    assertThat(plan.rungs().getFirst().likely()).isEqualTo(Duration.ofSeconds(15));
    assertThat(plan.likely()).isEqualTo(Duration.ofSeconds(30));
    assertThat(plan.most()).isGreaterThan(plan.likely());
  }

  @Test
  void aWarmUpLastsUntilItsEchoesAreSeen() {
    Study.Phases phases = new Study.Phases(5_000, 1, 0, 60_000_000_000L, 30_000L, 7_000_000_000L, 0);
    Study base = study(total(5_000), 10_000);
    Study slow =
        new Study(
            "s", "q", "open-loop", base.servers(), base.rungs(), base.load(), phases, base.bounds(), base.thresholds());
    assertThat(Planner.plan(slow, SERVERS, LARGE).rungs().getFirst().likely()).isEqualTo(Duration.ofSeconds(19));
  }

  @ParameterizedTest
  @CsvSource({
    "19900, 20000, true",
    "19901, 20000, false",
    "50000, 20000, false",
    "5000000, 9223372036854775807, true",
    "1, 64, false"
  })
  void aServerHoldsItsDescriptorLimitLessItsOwnAtMost(int connections, long hard, boolean within) {
    Plan plan = Planner.plan(study(total(5_000), connections), SERVERS, new HostLimits(hard, 1L << 50, "x"));
    String why = plan.rungs().getFirst().outOfReach();
    if (within) {
      assertThat(why).isNull();
    } else {
      assertThat(why)
          .contains("%,d".formatted(hard), "%,d connections".formatted(connections), "RLIMIT_NOFILE")
          .contains("runbooks/symptoms/descriptor-limit.md");
    }
  }

  @Test
  void memoryIsThatOfBothEndsClientAndServer() {
    // 512 MiB + 100,000 x (8 KiB + 256 B + 16 KiB) = 2,880 MiB for a; 7,567 MiB for b.
    HostLimits host = new HostLimits(Long.MAX_VALUE, 4_000L << 20, "/sys/fs/cgroup/memory.max");
    Plan plan = Planner.plan(study(total(5_000), 100_000), SERVERS, host);
    assertThat(plan.rungs().getFirst().outOfReach()).isNull();
    assertThat(plan.rungs().getLast().outOfReach())
        .contains("100,000 connections need about 7,567 MiB")
        .contains("4,000 MiB are available by /sys/fs/cgroup/memory.max")
        .contains("runbooks/symptoms/memory.md");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Max open files            1024                 20000                files|20000",
        "Max open files            1024                 unlimited            files|9223372036854775807",
        "Max processes             1                    2                    processes|9223372036854775807",
      })
  void readsTheHardLimit(String line, long hard) {
    assertThat(HostLimits.descriptorsHard(List.of("Limit  Soft Limit  Hard Limit  Units", line))).isEqualTo(hard);
  }

  @Test
  void readsThisHost() {
    HostLimits host = HostLimits.read();
    assertThat(host.descriptorsHard()).isPositive();
    assertThat(host.memoryAvailableBytes()).isBetween(1L << 20, 1L << 50);
  }
}
