package echoladder.tcpkali;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.figures.Percentiles;
import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.external.UnfitPlanException;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver with a script in the place of the tool: no tcpkali is needed. */
@Needs(Need.BASH)
class TcpkaliClientTest {
  private static final int CONNECTIONS = 40;
  private static final double RATE = 400;
  /** Bytes of 64 B messages in what a script takes for a quarter of a second: twice the rate, as a busy host stretches it. */
  private static final int BYTES = 200 * 64;

  @TempDir Path folder;

  private LoadPlan.Builder plan(int port) {
    return LoadPlan.builder(new Target("127.0.0.1", port), CONNECTIONS, RATE, Duration.ofSeconds(1))
        .warmUp(Duration.ofMillis(100), Duration.ofSeconds(10), 0)
        .loops(1);
  }

  private TcpkaliClient client(Map<String, String> changes) throws IOException {
    SearchPath path = FakeTcpkali.on(folder, BYTES, changes);
    return new TcpkaliClient(path, null, null, folder.resolve("client.log"));
  }

  private LoadResult load(TcpkaliClient client, LoadPlan plan, Heard heard) throws IOException {
    return client.run(plan, folder.resolve("none.hlog"), heard);
  }

  @Test
  void whatItSaysAndWeCountBecomesAResult() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      Heard heard = new Heard();
      LoadResult result = load(client(Map.of()), plan(server.port()).build(), heard);
      assertThat(result.verdictReasons()).isEmpty();
      assertThat(heard.phases).containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN);
      assertThat(result.client()).isEqualTo("tcpkali");
      assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(result.pace().offeredPerS()).isEqualTo(RATE, within(1e-6));
      assertThat(result.messages().echoesInSteady()).isPositive();
      assertThat(result.times().response()).isEqualTo(Percentiles.NONE);
      // Of the window, not of the report; with 10 connections x 10/s x 1 s, 10 samples lie beyond p90: too few.
      assertThat(result.times().service()).isEqualTo(new Percentiles(300_000L, null, null, null, null, 2_500_000L));
      assertThat(result.times().connect()).isEqualTo(new Percentiles(100_000L, null, null, null, null, 600_000L));
      assertThat(result.serviceTimeCoverageConnections()).isEqualTo(10);
      assertThat(result.cost().clientCpuUsPerEcho()).isPositive();
      assertThat(result.cost().clientRssBytes()).isPositive();
      assertThat(result.condition().tcpNodelay()).isNull();
      assertThat(Files.readString(folder.resolve("client.log"))).contains("Ramped up").contains("exit status 64");
      assertThat(folder.resolve("none.hlog")).doesNotExist();
      assertThat(heard.said).isNotEmpty().allMatch(said -> said.connectionsOpen() == CONNECTIONS);
      assertThat(heard.said.getLast().sentBytes()).isPositive().isEqualTo(heard.said.getLast().receivedBytes());
    }
  }

  @Test
  void itsWordForConnectionsIsNotTaken() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      LoadResult result = load(client(Map.of("OPENED", "7")), plan(server.port()).build(), new Heard());
      assertThat(result.connections().established()).isEqualTo(7);
      assertThat(result.verdictReasons())
          .containsExactly(
              new Reason(
                  ReasonCode.CONNECTIONS_MISSING,
                  "7 of 40 connections were held when the steady state began: established by the kernel 7, open at the "
                      + "server unknown"));
    }
  }

  @Test
  void connectionsThatTheServerNeverAcceptedAreMissing() throws IOException {
    // Closed at once by the server: the kernel may still count the client's end, the server does not.
    EchoUnderTest.Manners rejecting =
        new EchoUnderTest.Manners() {
          @Override
          public boolean reject(long number) {
            return number > 10;
          }
        };
    try (EchoUnderTest server = new EchoUnderTest(rejecting)) {
      LoadResult result =
          load(client(Map.of()), plan(server.port()).serverMetrics(server.metrics()).build(), new Heard());
      assertThat(result.connections().established()).isEqualTo(10);
      assertThat(result.verdictReasons())
          .extracting(Reason::reason)
          .contains(ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST);
    }
  }

  @Test
  void echoesThatTheServerDidNotSendAreNotBelieved() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      LoadResult result =
          load(client(Map.of()), plan(server.port()).serverMetrics(server.metrics()).build(), new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).containsExactly(ReasonCode.TIMES_CONTRADICTED);
      assertThat(result.verdictReasons().getFirst().detail()).startsWith("the server sent 0 bytes");
    }
  }

  @Test
  void withoutTimesTheClockEndsTheSteadyState() throws IOException {
    // Silent about its times, as with a server that answers nothing.
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      LoadResult result = load(client(Map.of("FIRST", "window=1000")), plan(server.port()).build(), new Heard());
      assertThat(result.pace().steadySeconds()).isGreaterThanOrEqualTo(1);
      assertThat(result.times().service()).isEqualTo(Percentiles.NONE);
      assertThat(result.verdictReasons()).extracting(Reason::reason).containsExactly(ReasonCode.TIMES_CONTRADICTED);
    }
  }

  @Test
  void aToolThatRefusesItsArgumentsDied() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      String refusing = "echo 'Value --workers=9 is unreasonably large' >&2; exit 64";
      LoadResult result = load(client(Map.of("FIRST", refusing)), plan(server.port()).build(), new Heard());
      assertThat(result.verdictReasons().getFirst())
          .isEqualTo(
              new Reason(
                  ReasonCode.CLIENT_DIED,
                  "tcpkali ended with exit status 64 without a report: \"Value --workers=9 is unreasonably large\""));
      assertThat(result.connections().established()).isZero();
    }
  }

  @Test
  void aToolThatIsKilledDied() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      String killed = "if [ $quarters = 6 ]; then kill -KILL $$; fi";
      LoadResult result = load(client(Map.of("LAST", killed)), plan(server.port()).build(), new Heard());
      assertThat(result.verdictReasons().getFirst().reason()).isEqualTo(ReasonCode.CLIENT_DIED);
      assertThat(result.verdictReasons().getFirst().detail()).contains("exit status 137");
    }
  }

  @Test
  void aLoadCanBeStopped() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      TcpkaliClient client = client(Map.of());
      Heard stopping =
          new Heard(
              phase -> {
                if (phase == Phase.STEADY) {
                  client.stop();
                }
              });
      LoadResult result = load(client, plan(server.port()).build(), stopping);
      assertThat(result.verdictReasons()).extracting(Reason::reason).containsExactly(ReasonCode.INTERRUPTED);
      assertThat(stopping.phases).doesNotContain(Phase.DRAIN);
    }
  }

  @Test
  void anInterruptOfTheThreadStopsTheLoadAndIsKept() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      Heard interrupting =
          new Heard(
              phase -> {
                if (phase == Phase.WARM_UP) {
                  Thread.currentThread().interrupt();
                }
              });
      LoadResult result = load(client(Map.of()), plan(server.port()).build(), interrupting);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.INTERRUPTED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tcpkali version 1.1.1 (libev), 'tcpkali version 1.1 and 1.2 is needed'",
    "something else, does not answer as tcpkali does",
  })
  void anotherProgramIsNotTakenForIt(String version, String message) {
    assertThatThrownBy(() -> load(client(Map.of("VERSION", version)), plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingToolIsOneLineWithTheWayOn() {
    SearchPath nowhere = new SearchPath(folder.toString());
    TcpkaliClient client = new TcpkaliClient(nowhere, null, null, folder.resolve("client.log"));
    assertThatThrownBy(() -> load(client, plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessage(
            "tcpkali: it is not on PATH; it comes from https://github.com/satori-com/tcpkali; "
                + "name it with --tcpkali PATH, or use --client open-loop");
    TcpkaliClient given = new TcpkaliClient(nowhere, folder, null, folder.resolve("client.log"));
    assertThatThrownBy(() -> load(given, plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessageContaining(folder + " is not a program");
  }

  @Test
  void aCheckStartsNothingAndSaysWhatARunWould() throws IOException {
    client(Map.of()).check(plan(9).build());
    assertThatThrownBy(() -> client(Map.of("VERSION", "something else")).check(plan(9).build()))
        .isInstanceOf(MissingToolException.class);
    assertThatThrownBy(() -> client(Map.of()).check(plan(9).activeShare(0.5).build()))
        .isInstanceOf(UnfitPlanException.class);
    assertThat(folder.resolve("client.log")).doesNotExist();
  }

  @Test
  void somebodyElsesServerIsRefused() throws IOException {
    TcpkaliClient client = client(Map.of());
    LoadPlan far = plan(9).targets(List.of(new Target("192.0.2.1", 9))).build();
    assertThatThrownBy(() -> load(client, far, new Heard()))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("--allow-target 192.0.2.1");
  }
}
