package echoladder.wrk2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.figures.Percentiles;
import echoladder.echo.HttpEchoUnderTest;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver with a script in the place of the tool: no wrk2 is needed. */
@Needs(Need.BASH)
class Wrk2ClientTest {
  @TempDir Path folder;

  private static LoadPlan.Builder plan(int port) {
    return LoadPlan.builder(new Target("127.0.0.1", port), 40, 500, Duration.ofSeconds(1))
        .protocol(Protocol.HTTP)
        .loops(2);
  }

  private Wrk2Client client(String first, int wrong) throws IOException {
    SearchPath path = FakeWrk2.on(folder, "wrk", FakeWrk2.USAGE_OF_WRK2, first, wrong);
    return new Wrk2Client(path, null, folder.resolve("client.log"));
  }

  private LoadResult load(Wrk2Client client, LoadPlan plan, Heard heard) throws IOException {
    return client.run(plan, folder.resolve("none.hlog"), heard);
  }

  @Test
  void whatItSaysAndWeCountBecomesAResult() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      Heard heard = new Heard();
      LoadResult result = load(client("", 3), plan(server.port()).build(), heard);
      assertThat(result.verdictReasons())
          .containsExactly(new Reason(ReasonCode.ECHO_MISMATCH, "3 answers were not the body that was sent"));
      assertThat(heard.phases).containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN);
      assertThat(heard.progress).hasSizeGreaterThan(5);
      assertThat(result.client()).isEqualTo("wrk2");
      assertThat(result.connections().established()).isEqualTo(40);
      assertThat(result.messages().echoMismatches()).isEqualTo(3);
      assertThat(result.pace().offeredPerS()).isEqualTo(500);
      // 950 times in the 12 s less 10.1 s of calibration.
      assertThat(result.pace().achievedPerS()).isBetween(499.0, 501.0);
      // Of 950 times, 95 lie beyond p90 and 9.5 beyond p99.
      assertThat(result.times().response())
          .isEqualTo(new Percentiles(1_001_000L, 1_410_000L, null, null, null, 4_912_000L));
      assertThat(result.times().service()).isEqualTo(new Percentiles(117_000L, 520_000L, null, null, null, 2_048_000L));
      assertThat(result.responseTimeFloorNs()).isEqualTo(1_000_000);
      assertThat(result.serviceTimeCoverageConnections()).isNull();
      assertThat(result.responseTimeLowerBoundBeyond()).isNull();
      assertThat(result.cost().clientRssBytes()).isPositive();
      assertThat(Files.readString(folder.resolve("client.log"))).contains("--rate 500").contains("exit status 0");
      assertThat(folder.resolve("none.hlog")).doesNotExist();
    }
  }

  @Test
  void severalAddressesOfAServerAreLoadedByAProcessEach() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      List<Target> targets = List.of(new Target("127.0.0.1", server.port()), new Target("127.0.0.2", server.port()));
      LoadPlan plan =
          LoadPlan.builder(targets.getFirst(), 40, 1_000, Duration.ofSeconds(1))
              .protocol(Protocol.HTTP)
              .loops(2)
              .targets(targets)
              .serverMetrics(server.metrics())
              .build();
      LoadResult result = load(client("", 2), plan, new Heard());
      assertThat(result.verdictReasons())
          .containsExactly(new Reason(ReasonCode.ECHO_MISMATCH, "4 answers were not the body that was sent"));
      assertThat(result.connections().established()).isEqualTo(40);
      // Twice 950 times in 12 s less 10.1 s.
      assertThat(result.pace().achievedPerS()).isBetween(999.0, 1_001.0);
      assertThat(result.times().response())
          .isEqualTo(new Percentiles(1_001_000L, 1_410_000L, null, null, null, 4_912_000L));
      assertThat(Files.readString(folder.resolve("client.log")))
          .contains("--rate 500", "http://127.0.0.1:%d/echo".formatted(server.port()))
          .contains("http://127.0.0.2:%d/echo".formatted(server.port()));
    }
  }

  @Test
  void aToolThatCannotConnectSaysWhy() throws IOException {
    String refused = "echo 'unable to connect to 127.0.0.1:9 Connection refused' >&2; exit 1";
    LoadResult result = load(client(refused, 0), plan(9).build(), new Heard());
    assertThat(result.verdictReasons().getFirst())
        .isEqualTo(
            new Reason(
                ReasonCode.CONNECTIONS_MISSING, "wrk2 gave up: unable to connect to 127.0.0.1:9 Connection refused"));
    assertThat(result.times().response()).isEqualTo(Percentiles.NONE);
  }

  @Test
  void aToolThatIsKilledDied() throws IOException {
    LoadResult result = load(client("kill -KILL $$", 0), plan(9).build(), new Heard());
    assertThat(result.verdictReasons().getFirst().reason()).isEqualTo(ReasonCode.CLIENT_DIED);
    assertThat(result.verdictReasons().getFirst().detail()).contains("exit status 137");
  }

  @Test
  void aLoadCanBeStopped() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      Wrk2Client client = client("", 0);
      Heard stopping =
          new Heard(
              phase -> {
                if (phase == Phase.WARM_UP) {
                  client.stop();
                }
              });
      LoadResult result = load(client, plan(server.port()).build(), stopping);
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.INTERRUPTED);
      assertThat(stopping.phases).doesNotContain(Phase.STEADY);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "wrk,  '    -d, --duration    <T>  Duration of test', 'wrk is wrk, a closed loop without --rate'",
    "wrk2, '    -d, --duration    <T>  Duration of test', 'wrk2 is wrk, a closed loop without --rate'",
  })
  void wrkIsNotTakenForIt(String name, String usage, String message) throws IOException {
    SearchPath path = FakeWrk2.on(folder, name, usage, "", 0);
    Wrk2Client client = new Wrk2Client(path, null, folder.resolve("client.log"));
    assertThatThrownBy(() -> load(client, plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("https://github.com/giltene/wrk2");
  }

  @Test
  void aMissingToolIsOneLineWithTheWayOn() {
    Wrk2Client client = new Wrk2Client(new SearchPath(folder.toString()), null, folder.resolve("client.log"));
    assertThatThrownBy(() -> load(client, plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessage(
            "wrk2: it is not on PATH, nor is wrk; it comes from https://github.com/giltene/wrk2; "
                + "name it with --wrk2 PATH, or use --client open-loop");
    assertThatThrownBy(() -> client.check(plan(9).build())).isInstanceOf(MissingToolException.class);
    assertThatThrownBy(() -> client.check(plan(9).inFlight(2).build())).isInstanceOf(UnfitPlanException.class);
  }

  @Test
  void aTcpPlanIsRefused() throws IOException {
    Wrk2Client client = client("", 0);
    LoadPlan tcp = plan(9).protocol(Protocol.TCP).build();
    assertThatThrownBy(() -> load(client, tcp, new Heard())).isInstanceOf(UnfitPlanException.class);
    LoadPlan far = plan(9).targets(List.of(new Target("192.0.2.1", 9))).build();
    assertThatThrownBy(() -> load(client, far, new Heard()))
        .isInstanceOf(UnfitPlanException.class)
        .hasMessageContaining("--allow-target 192.0.2.1");
  }
}
