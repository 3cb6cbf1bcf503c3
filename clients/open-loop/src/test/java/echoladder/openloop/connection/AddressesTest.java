package echoladder.openloop.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.shard.Shards;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At most half of the ephemeral range for each source, destination and port. */
class AddressesTest {
  // 28,232 ports, of which 14,116 are planned.
  private static final EphemeralPorts DEFAULT = EphemeralPorts.of(32_768, 60_999, "");

  private static LoadPlan plan(int connections, String... targets) {
    return LoadPlan.builder(Target.parse(targets[0]), connections, 1, Duration.ofSeconds(1))
        .targets(Arrays.stream(targets).map(Target::parse).toList())
        .build();
  }

  @ParameterizedTest(name = "{0} connections: {1} sources")
  @CsvSource({"1, 0", "14116, 0", "14117, 2", "28232, 2", "28233, 3", "1000000, 71", "5000000, 355"})
  void aLoopbackTargetGetsAsManySourcesAsItsPortsNeed(int connections, int sources) throws Exception {
    Addresses addresses = Addresses.of(plan(connections, "127.0.0.1:9000"), DEFAULT);
    assertThat(addresses.sources()).hasSize(sources);
    Set<String> distinct = new HashSet<>();
    addresses.sources().forEach(s -> distinct.add(s.toString()));
    assertThat(distinct).hasSize(sources).doesNotContain("127.0.0.1:0");
  }

  @Test
  void reservedPortsAreNotCounted() throws Exception {
    EphemeralPorts reserved = EphemeralPorts.of(32_768, 60_999, "40000-40099,50000");
    assertThat(reserved.perTuple()).isEqualTo((28_232 - 101) / 2);
    assertThat(Addresses.of(plan(reserved.perTuple(), "127.0.0.1:9"), reserved).sources()).isEmpty();
    assertThat(Addresses.of(plan(reserved.perTuple() + 1, "127.0.0.1:9"), reserved).sources()).hasSize(2);
  }

  @Test
  void severalTargetsShareTheLoad() throws Exception {
    Addresses addresses = Addresses.of(plan(28_232, "127.0.0.1:9000", "127.0.0.2:9000"), DEFAULT);
    assertThat(addresses.sources()).isEmpty();
    assertThat(addresses.targets()).hasSize(2);
  }

  @Test
  void noTupleGetsMoreThanItsShare() throws Exception {
    // As Ramp.open deals them out.
    Addresses addresses = Addresses.of(plan(100_000, "127.0.0.1:9000", "127.0.0.2:9000"), DEFAULT);
    Map<String, Integer> perTuple = new HashMap<>();
    for (int g = 0; g < 100_000; g++) {
      var source = addresses.sources().get(g % addresses.sources().size());
      var target = addresses.targets().get(g / addresses.sources().size() % addresses.targets().size());
      perTuple.merge(source + " " + target, 1, Integer::sum);
    }
    assertThat(perTuple.values()).allMatch(n -> n <= DEFAULT.perTuple());
  }

  @Test
  void aTargetElsewhereNeedsItsSourcesNamed() {
    assertThatThrownBy(() -> Addresses.of(plan(20_000, "10.0.0.1:9000"), DEFAULT))
        .isInstanceOf(PlanNotPossible.class)
        .hasMessageContaining("32768-60999")
        .hasMessageContaining("14,116")
        .hasMessageContaining("at least 2 addresses");
    LoadPlan named =
        LoadPlan.builder(new Target("10.0.0.1", 9000), 20_000, 1, Duration.ofSeconds(1))
            .sourceAddresses(List.of("10.0.0.2", "10.0.0.3"))
            .build();
    assertThatCode(() -> Addresses.of(named, DEFAULT)).doesNotThrowAnyException();
  }

  @Test
  void aRangeWithoutPortsIsSaid() {
    assertThatThrownBy(() -> Addresses.of(plan(1, "127.0.0.1:9"), EphemeralPorts.of(40_000, 40_000, "40000")))
        .isInstanceOf(PlanNotPossible.class)
        .hasMessageContaining("no ephemeral port");
  }

  @ParameterizedTest
  @CsvSource({"1, 400, 1", "144, 400, 1", "145, 400, 2", "1000000, 1048576, 1", "1000000, 20000, 51"})
  void aLoadIsCutIntoAsManyProcessesAsTheDescriptorLimitNeeds(int connections, long limit, int shards)
      throws Exception {
    assertThat(Shards.count(connections, limit)).isEqualTo(shards);
  }

  @ParameterizedTest
  @CsvSource({"1, 256", "1, 10", "1000000, 1024"})
  void aLimitThatIsTooLowForTheLoadIsSaid(int connections, long limit) {
    assertThatThrownBy(() -> Shards.count(connections, limit))
        .isInstanceOf(PlanNotPossible.class)
        .hasMessageContaining("descriptor limit");
  }

  private static LoadPlan.Builder churn(int connections, double perS, int seconds, String target) {
    return LoadPlan.builder(Target.parse(target), connections, 1, Duration.ofSeconds(seconds))
        .warmUp(Duration.ZERO, Duration.ZERO, 0)
        .churn(new Churn(perS, Churn.Lifetime.EXPONENTIAL));
  }

  /** The client closes first, so each connection that it ended keeps its port for 60 s: N + R x min(60, the seconds of it). */
  @ParameterizedTest(name = "{0} connections, {1}/s for {2} s: {3} ports, {4} sources")
  @CsvSource({
    "1000,  100, 10,   2000, 0", "1000,  100, 600,  7000, 0", "8116,  100, 60, 14116, 0", "8117,  100, 60, 14117, 2",
    "10000, 500, 600, 40000, 3", "10000, 0.5, 600, 10030, 0",
  })
  void churnTakesThePortsThatItLeavesInTimeWait(int connections, double perS, int seconds, long ports, int sources) throws Exception {
    LoadPlan plan = churn(connections, perS, seconds, "127.0.0.1:9000").build();
    assertThat(plan.ports()).isEqualTo(ports);
    assertThat(Addresses.of(plan, DEFAULT).sources()).hasSize(sources);
  }

  @Test
  void churnThatLeavesTooFewPortsIsRefusedWithItsArithmetic() {
    assertThatThrownBy(() -> Addresses.of(churn(1_000, 500, 600, "10.0.0.1:9000").build(), DEFAULT))
        .isInstanceOf(PlanNotPossible.class)
        .hasMessageContaining("1,000 connections and the 30,000 ports that churn of 500/s leaves in TIME-WAIT (the client closes first; 60 s each)")
        .hasMessageContaining("at least 3 addresses");
  }

  @Test
  void portsThatAreNotPlannedAreNotRefused() throws PlanNotPossible {
    LoadPlan plan =
        LoadPlan.builder(Target.parse("127.0.0.1:9000"), 50_000, 1, Duration.ofSeconds(1))
            .sourceAddresses(List.of("127.0.0.1"))
            .planPorts(false)
            .build();
    assertThat(Addresses.of(plan, DEFAULT).sources()).hasSize(1);
  }
}
