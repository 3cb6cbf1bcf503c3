package echoladder.wrk2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.client.StagedLoad;
import echoladder.client.Target;
import echoladder.external.UnfitPlanException;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** From plans to arguments, by arithmetic alone. */
class Wrk2CommandTest {
  /** The default range of Linux: half of its 28,232 ports are planned. */
  private static final EphemeralPorts PORTS = EphemeralPorts.of(32_768, 60_999, "");

  private static LoadPlan.Builder plan(int connections, double rate, Duration steady) {
    return LoadPlan.builder(new Target("127.0.0.1", 8080), connections, rate, steady).protocol(Protocol.HTTP);
  }

  private static LoadPlan.Builder plan() {
    return plan(50, 500, Duration.ofSeconds(20));
  }

  private static Wrk2Command command(LoadPlan.Builder builder, int processors) throws Exception {
    LoadPlan plan = builder.build();
    List<SocketAddress> targets = new ArrayList<>();
    for (Target target : plan.targets()) {
      targets.add(SocketAddress.of(target.host(), target.port()));
    }
    return Wrk2Command.of(plan, targets, PORTS, processors);
  }

  @Test
  void aPlanBecomesTheseArguments() throws Exception {
    Wrk2Command command = command(plan(), 2);
    assertThat(String.join(" ", command.argv(Path.of("/bin/wrk"), Path.of("/tmp/s.lua"), 0)))
        .isEqualTo(
            "/bin/wrk --threads 2 --connections 50 --rate 500 --duration 31s --timeout 3s --u_latency "
                + "--script /tmp/s.lua http://127.0.0.1:8080/echo");
    assertThat(command.descriptorsNeeded()).isEqualTo(50 + 3 * 2 + 16);
  }

  /** Ramp and calibration come on top of the steady state, so that none of it is thrown away. */
  @ParameterizedTest
  @CsvSource({
    // 10 s + 5 ms x 25 + 20 s + 0.5 s of slack, in whole seconds.
    "50, 2, 20, 31",
    "1000, 2, 20, 33",
    "10000, 2, 20, 56",
    "10000, 1, 5, 66",
    "1, 1, 1, 12",
  })
  void theDurationIsCalibrationAndSteadyState(int connections, int threads, int steadySeconds, int duration)
      throws Exception {
    Wrk2Command command =
        command(plan(connections, 500, Duration.ofSeconds(steadySeconds)).loops(threads), 2);
    assertThat(command.durationSeconds()).isEqualTo(duration);
    assertThat(command.durationSeconds())
        .isGreaterThanOrEqualTo((int) Math.ceil(command.calibrationSeconds() + steadySeconds));
  }

  @ParameterizedTest
  @CsvSource({"50, 2, 2", "51, 2, 1", "12, 8, 6", "1, 8, 1", "7, 4, 1", "10000, 16, 16"})
  void threadsAreChosenSoThatNoConnectionIsDropped(int connections, int processors, int threads) {
    assertThat(Wrk2Command.evenThreads(connections, processors)).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({"50, 500, 3", "100, 20, 7", "1000, 100, 12", "5, 5, 3"})
  void noConnectionIsOverdueWhileTheScheduleLeavesItIdle(int connections, double rate, int timeout) throws Exception {
    Wrk2Command command = command(plan(connections, rate, Duration.ofSeconds(20)), 2);
    assertThat(command.timeoutSeconds()).isEqualTo(timeout).isGreaterThan((int) command.periodSeconds());
    assertThat(Wrk2Judgement.timeoutsAreFalse(command)).isFalse();
  }

  static Stream<Arguments> refusals() {
    UnaryOperator<LoadPlan.Builder> tcp = p -> p.protocol(Protocol.TCP);
    UnaryOperator<LoadPlan.Builder> webSocket = p -> p.protocol(Protocol.WEBSOCKET);
    UnaryOperator<LoadPlan.Builder> poisson = p -> p.schedule(Schedule.POISSON);
    UnaryOperator<LoadPlan.Builder> ramped = p -> p.schedule(Schedule.RAMPED);
    UnaryOperator<LoadPlan.Builder> active = p -> p.activeShare(0.5);
    UnaryOperator<LoadPlan.Builder> inFlight = p -> p.inFlight(2);
    UnaryOperator<LoadPlan.Builder> sources = p -> p.sourceAddresses(List.of("127.0.0.2"));
    UnaryOperator<LoadPlan.Builder> uneven = p -> p.targets(targets(3));
    UnaryOperator<LoadPlan.Builder> many = p -> plan(50, 49, Duration.ofSeconds(20)).targets(targets(50));
    return Stream.of(
        Arguments.of(tcp, "wrk2 speaks HTTP only and this load is plain TCP; use --client tcpkali"),
        Arguments.of(webSocket, "wrk2 speaks HTTP only and this load is WebSocket; use --client open-loop"),
        Arguments.of(poisson, "constant rate only; for poisson use --client open-loop"),
        Arguments.of(ramped, "constant rate only; for ramped use --client open-loop"),
        Arguments.of(active, "active_share 0.5"),
        Arguments.of(inFlight, "in_flight 2"),
        Arguments.of(sources, "cannot be told its source addresses"),
        Arguments.of(uneven, "50 connections cannot be shared evenly by 3 processes of wrk2"),
        Arguments.of(many, "1 or more for each of its 50 processes, and the rate is 49"));
  }

  private static List<Target> targets(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> new Target("127.0.0." + i, 8080)).toList();
  }

  @Test
  void severalAddressesAreAProcessEach() throws Exception {
    Wrk2Command command = command(plan(40_000, 502, Duration.ofSeconds(20)).targets(targets(4)), 2);
    assertThat(command.processes()).isEqualTo(4);
    assertThat(command.threads()).isEqualTo(4);
    assertThat(command.calibrationSeconds()).isEqualTo(10 + 0.005 * 10_000);
    assertThat(command.descriptorsNeeded()).isEqualTo(10_000 + 3 + 16);
    List<String> rates = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<String> argv = command.argv(Path.of("/bin/wrk"), Path.of("/tmp/s.lua"), i);
      assertThat(argv).containsSequence("--threads", "1", "--connections", "10000");
      assertThat(argv.getLast()).isEqualTo("http://127.0.0.%d:8080/echo".formatted(i + 1));
      rates.add(argv.get(argv.indexOf("--rate") + 1));
    }
    // 502 in all.
    assertThat(rates).containsExactly("126", "126", "125", "125");
    assertThat(command(plan(50, 500, Duration.ofSeconds(20)).targets(targets(2)).loops(6), 2).threads()).isEqualTo(6);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatItCannotIsRefused(UnaryOperator<LoadPlan.Builder> change, String message) {
    assertThatThrownBy(() -> command(change.apply(plan()), 2))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining(message);
  }

  @Test
  void durationsThatItsCalibrationWouldSwallowAreRefused() {
    LoadPlan.Builder brief =
        plan(50, 500, Duration.ofSeconds(5)).warmUp(Duration.ofSeconds(1), Duration.ofSeconds(2), 0);
    assertThatThrownBy(() -> command(brief, 2))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessage(
            "wrk2 throws away all times of its calibration: 10 s + 5 ms x 25 connections per thread = 10.125 s; "
                + "this plan's steady state begins after 0.125 s of ramp + at most 2 s of warm-up = 2.125 s, "
                + "so 5.000 of its 5 s would be swallowed: set warm_up_max (--warm-up-max) to 10s or more");
    LoadPlan.Builder partly =
        plan(50, 500, Duration.ofSeconds(20)).warmUp(Duration.ofSeconds(1), Duration.ofSeconds(4), 0);
    assertThatThrownBy(() -> command(partly, 2))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("so 6.000 of its 20 s would be swallowed");
  }

  @Test
  void usersInStagesAreAnothersWork() {
    StagedLoad users =
        new StagedLoad(
            StagedLoad.Loop.CLOSED,
            List.of(new StagedLoad.Stage(5, Duration.ofSeconds(5))),
            List.of(new StagedLoad.Request("light", "/api/light", "", Duration.ofMillis(10))),
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            0);
    assertThatThrownBy(() -> command(LoadPlan.builder(new Target("127.0.0.1", 8080), users), 2))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("--client closed-loop");
  }

  @Test
  void portsOfOneAddressPairAreItsBound() {
    assertThatThrownBy(() -> command(plan(14_117, 500, Duration.ofSeconds(20)), 2))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("14,117 connections do not fit")
        .hasMessageContaining("half of which are planned (14,116); give 2 target addresses")
        .hasMessageContaining("runbooks/symptoms/ephemeral-ports-exhausted.md");
  }

  @Test
  void theRateIsWholeAndAtLeastOne() throws Exception {
    assertThat(command(plan(50, 333.4, Duration.ofSeconds(20)), 2).requestsPerSecond()).isEqualTo(333);
    assertThatThrownBy(() -> command(plan(50, 0.4, Duration.ofSeconds(20)), 2))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("the rate is 0.4");
  }
}
