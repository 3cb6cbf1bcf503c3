package echoladder.h2load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.HttpAsk;
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
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class H2loadCommandTest {
  private static final Target TARGET = new Target("127.0.0.1", 9000);
  private static final EphemeralPorts PORTS = EphemeralPorts.of(32_768, 60_999, "");

  private static LoadPlan.Builder plan(int connections, double rate) {
    return LoadPlan.builder(TARGET, connections, rate, Duration.ofSeconds(15))
        .protocol(Protocol.HTTP)
        .connectsPerSecond(2_000)
        .warmUp(Duration.ofSeconds(2), Duration.ofSeconds(10), 0);
  }

  private static H2loadCommand command(LoadPlan plan) throws UnfitPlanException, UnknownHostException {
    return H2loadCommand.of(plan, List.of(SocketAddress.of("127.0.0.1", 9000)), PORTS, 2);
  }

  @Test
  void eachConnectionGetsItsPartOfTheRate() throws Exception {
    assertThat(command(plan(100, 2_000).build()).argv(Path.of("/usr/bin/h2load"), Path.of("/t/body"), Path.of("/t/log")))
        .containsExactly(
            "/usr/bin/h2load", "--h1", "--clients", "100", "--threads", "2", "--rps", "20", "--warm-up-time", "10325ms", "--duration",
            "15300ms", "--data", "/t/body", "--header", "Content-Type: application/octet-stream", "--log-file", "/t/log",
            "http://127.0.0.1:9000/echo");
    assertThat(command(plan(3, 100).loops(8).build()).argv(Path.of("h"), Path.of("b"), Path.of("l")))
        .contains("33.33333333333333", "3");
  }

  /** Its sends come in bursts, one a period of a connection: neither border of the steady state may cut one. */
  @ParameterizedTest
  @CsvSource({"100,2000", "1000,2000", "40,500", "1000,1001"})
  void theLoadEndsBetweenTwoBursts(int connections, double rate) throws Exception {
    H2loadCommand command = command(plan(connections, rate).build());
    double end = (command.warmUpMs() + command.steadyMs()) / 1e3 % command.periodSeconds();
    assertThat(end / command.periodSeconds()).isCloseTo(0.5, within(0.03));
    assertThat(command.warmUpMs() / 1e3).isBetween(10.25, 11.75);
    double tail = (command.durationMs() - command.steadyMs()) / 1e3;
    assertThat(tail).isBetween(0.3, 1.3);
    assertThat(tail / command.periodSeconds()).as("whole periods").isCloseTo(Math.rint(tail / command.periodSeconds()), within(0.02));
  }

  @Test
  void whereItCannotBeBetweenTwoBurstsTheWarmUpIsAsPlanned() throws Exception {
    assertThat(command(plan(10, 2_000).build()).warmUpMs()).isEqualTo(10_255);
    assertThat(command(plan(10_000, 1_000).build()).warmUpMs()).isEqualTo(15_250);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refusal("this load is TCP", plan -> plan.protocol(Protocol.TCP)),
        refusal("this load is WEBSOCKET", plan -> plan.protocol(Protocol.WEBSOCKET)),
        refusal("for poisson use", plan -> plan.schedule(Schedule.POISSON)),
        refusal("for active_share 0.5 use", plan -> plan.activeShare(0.5)),
        refusal("for in_flight 2 use", plan -> plan.inFlight(2)),
        refusal("one address to one", plan -> plan.sourceAddresses(List.of("127.0.0.2"))),
        refusal("one address to one", plan -> plan.targets(List.of(TARGET, new Target("127.0.0.2", 9000)))),
        refusal("asks for something else", plan -> plan.http(HttpAsk.get("/health", TARGET, 200))));
  }

  private static Arguments refusal(String message, UnaryOperator<LoadPlan.Builder> change) {
    return Arguments.of(message, change);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatItCannotIsRefused(String message, UnaryOperator<LoadPlan.Builder> change) {
    assertThatThrownBy(() -> command(change.apply(plan(100, 2_000)).build()))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("--client open-loop");
  }

  @Test
  void morePortsThanThereAreAreRefused() {
    assertThatThrownBy(() -> command(plan(20_000, 2_000).build()))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("20,000 connections do not fit")
        .hasMessageContaining("runbooks/symptoms/ephemeral-ports-exhausted.md");
  }
}
