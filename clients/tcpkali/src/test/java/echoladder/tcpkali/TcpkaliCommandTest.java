package echoladder.tcpkali;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.client.Target;
import echoladder.external.UnfitPlanException;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** From plans to arguments, by arithmetic alone. */
class TcpkaliCommandTest {
  /** The default range of Linux: half of its 28,232 ports are planned per source address. */
  private static final EphemeralPorts PORTS = EphemeralPorts.of(32_768, 60_999, "");

  private static LoadPlan.Builder plan(int connections, double rate) {
    return LoadPlan.builder(new Target("127.0.0.1", 9000), connections, rate, Duration.ofSeconds(20));
  }

  private static TcpkaliCommand command(LoadPlan.Builder builder, @Nullable Duration lifetime) throws Exception {
    LoadPlan plan = builder.build();
    List<SocketAddress> targets = new ArrayList<>();
    for (Target target : plan.targets()) {
      targets.add(resolved(target));
    }
    return TcpkaliCommand.of(plan, targets, PORTS, 2, lifetime);
  }

  private static SocketAddress resolved(Target target) throws UnknownHostException {
    return SocketAddress.of(target.host(), target.port());
  }

  @Test
  void aPlanBecomesTheseArguments() throws Exception {
    TcpkaliCommand command = command(plan(1_000, 5_000), null);
    assertThat(String.join(" ", command.argv(Path.of("/bin/tcpkali"), Path.of("/tmp/m"), 8125)))
        .isEqualTo(
            "/bin/tcpkali --workers 2 --connections 1000 --connect-rate 5000 --connect-timeout 10s --duration 52s "
                + "--nagle off --source-ip 127.0.0.2 --message-file /tmp/m --message-rate 5 --latency-connect "
                + "--latency-marker E --latency-percentiles 50,90,99,99.9,99.99,100 --statsd --statsd-host 127.0.0.1 "
                + "--statsd-port 8125 --statsd-latency-window 20s 127.0.0.1:9000");
    assertThat(command.message()).hasSize(64).endsWith("eE").containsOnlyOnce("E");
    assertThat(command.coverage()).isEqualTo(20);
    assertThat(command.probes()).isZero();
    assertThat(command.descriptorsNeeded()).isEqualTo(1_000 + 4 + 2 * 2 + 32);
  }

  @Test
  void aMessageOfOneByteIsItsMarker() throws Exception {
    assertThat(command(plan(1, 1).messageBytes(1), null).message()).isEqualTo("E");
  }

  @Test
  void aLifetimeBelowTheSteadyStateMakesAllConnectionsCount() throws Exception {
    TcpkaliCommand command = command(plan(1_000, 5_000), Duration.ofMillis(4_500));
    assertThat(command.argv(Path.of("t"), Path.of("m"), 1)).containsSequence("--channel-lifetime", "4.5s");
    assertThat(command.coverage()).isNull();
    assertThat(command(plan(1_000, 5_000), Duration.ofSeconds(20)).coverage()).isEqualTo(20);
    assertThat(command(plan(20, 5_000), null).coverage()).isNull();
  }

  /** The sends follow the connects: their ramp is spread over whole periods of a connection's sends. */
  @ParameterizedTest
  @CsvSource({
    "5000, 5000, 5000",
    "20000, 5000, 5000",
    "7000, 5000, 3500",
    "1000, 5000, 1000",
    "0.5, 5000, 0.5",
  })
  void connectsAreSpreadAsTheSendsShallBe(double rate, double wished, double connects) {
    assertThat(TcpkaliCommand.connectsPerSecond(rate, wished)).isEqualTo(connects);
  }

  @ParameterizedTest
  @CsvSource({
    // Connections, rate, warm-up's least, duration: ramp x 1.5 or warm-up + 2 x 20 s, and 10 s of slack.
    "1000, 5000, 2, 52",
    "1000, 5000, 9, 59",
    // A connection sends first after its period of 50 s.
    "5000, 100, 2, 100",
    // A ramp of 200 s.
    "1000000, 5000, 2, 310",
  })
  void theDurationLeavesRoomForRampAndWindows(int connections, double rate, int warmUpSeconds, double duration)
      throws Exception {
    Duration warmUp = Duration.ofSeconds(warmUpSeconds);
    assertThat(command(plan(connections, rate).warmUp(warmUp, warmUp, 0), null).durationSeconds()).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 127.0.0.2, 127.0.0.2",
    "14116, 1, 127.0.0.2, 127.0.0.2",
    "14117, 2, 127.0.0.2, 127.0.0.3",
    "1000000, 71, 127.0.0.2, 127.0.0.72",
    "4000000, 284, 127.0.0.2, 127.0.1.35",
  })
  void eachSourceAddressHasOneRangeOfPortsInAll(int connections, int sources, String first, String last)
      throws Exception {
    // A second target does not help: the ports are taken before the target is known.
    List<Target> targets = List.of(new Target("127.0.0.1", 9000), new Target("127.0.0.9", 9000));
    TcpkaliCommand command = command(plan(connections, 5_000).targets(targets), null);
    assertThat(command.sources()).hasSize(sources).startsWith(first).endsWith(last);
    assertThat(command.targets()).containsExactly("127.0.0.1:9000", "127.0.0.9:9000");
  }

  @Test
  void rateAndTimesArePlainDigits() throws Exception {
    TcpkaliCommand command =
        command(plan(30_000, 1).connectTimeout(Duration.ofMillis(250)), null);
    assertThat(command.argv(Path.of("t"), Path.of("m"), 1))
        .containsSequence("--message-rate", "0.0000333333333333")
        .containsSequence("--connect-timeout", "0.25s")
        .containsSequence("--connect-rate", "1");
  }

  @Test
  void farTargetsTakeTheSourcesThatAreGiven() throws Exception {
    LoadPlan.Builder far = plan(100, 100).targets(List.of(new Target("10.0.0.5", 9000)));
    assertThat(command(far, null).sources()).isEmpty();
    assertThat(command(far, null).probes()).isEqualTo(1);
    assertThat(command(far.sourceAddresses(List.of("10.0.0.1")), null).sources()).containsExactly("10.0.0.1");
  }

  static Stream<Arguments> refusals() {
    UnaryOperator<LoadPlan.Builder> http = p -> p.protocol(Protocol.HTTP);
    UnaryOperator<LoadPlan.Builder> webSocket = p -> p.protocol(Protocol.WEBSOCKET);
    UnaryOperator<LoadPlan.Builder> poisson = p -> p.schedule(Schedule.POISSON);
    UnaryOperator<LoadPlan.Builder> ramped = p -> p.schedule(Schedule.RAMPED);
    UnaryOperator<LoadPlan.Builder> active = p -> p.activeShare(0.5);
    UnaryOperator<LoadPlan.Builder> loops = p -> p.loops(3);
    UnaryOperator<LoadPlan.Builder> sources = p -> p.sourceAddresses(List.of("127.0.0.1"));
    return Stream.of(
        Arguments.of(http, "cannot speak HTTP; use --client wrk2"),
        Arguments.of(webSocket, "plain TCP only, and this load is WebSocket; use --client open-loop"),
        Arguments.of(poisson, "constant rate only; for poisson use --client open-loop"),
        Arguments.of(ramped, "constant rate only; for ramped use --client open-loop"),
        Arguments.of(active, "active_share 0.5"),
        Arguments.of(loops, "3 were asked for (--loops) and there are 2"),
        Arguments.of(sources, "20,000 connections do not fit"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatItCannotIsRefused(UnaryOperator<LoadPlan.Builder> change, String message) {
    assertThatThrownBy(() -> command(change.apply(plan(20_000, 5_000)), null))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aLifetimeThatCostsTooManyMessagesIsRefused() {
    assertThatThrownBy(() -> command(plan(1_000, 5_000), Duration.ofSeconds(1)))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessage(
            "with a channel lifetime of 1 s each connection would lose the first of every 5.0 messages, as it sends "
                + "first 0.2 s after its connect: give 4 s or more");
  }

  @Test
  void aSteadyStateBelowItsShortestWindowIsRefused() {
    LoadPlan.Builder brief = LoadPlan.builder(new Target("127.0.0.1", 9), 1, 10, Duration.ofMillis(499));
    assertThatThrownBy(() -> command(brief, null))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("499 ms");
  }
}
