package echoladder.h2load;

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
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver with a script in the place of the tool: no h2load is needed. */
@Needs(Need.BASH)
class H2loadClientTest {
  @TempDir Path folder;

  private static LoadPlan.Builder plan(int port) {
    return LoadPlan.builder(new Target("127.0.0.1", port), 40, 500, Duration.ofSeconds(1))
        .protocol(Protocol.HTTP)
        .warmUp(Duration.ZERO, Duration.ofSeconds(1), 0)
        .loops(2);
  }

  private H2loadClient client(String first, String rows, String last, int done) throws IOException {
    return new H2loadClient(FakeH2load.on(folder, FakeH2load.HELP, first, rows, last, done), null, folder.resolve("client.log"));
  }

  private LoadResult load(H2loadClient client, LoadPlan plan, Heard heard) throws IOException {
    return client.run(plan, folder.resolve("times.hlog"), heard);
  }

  @Test
  void whatItSaysAndWeCountBecomesAResult() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      Heard heard = new Heard();
      LoadResult result = load(client("", "", "", 500), plan(server.port()).serverMetrics(server.metrics()).build(), heard);
      assertThat(result.verdictReasons()).isEmpty();
      assertThat(heard.phases).containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN);
      assertThat(result.client()).isEqualTo("h2load");
      assertThat(result.connections().established()).isEqualTo(40);
      assertThat(result.pace().offeredPerS()).isEqualTo(500);
      assertThat(result.messages().answered()).isEqualTo(500);
      assertThat(result.times().response()).isEqualTo(Percentiles.NONE);
      Percentiles service = result.times().service();
      assertThat(service.p50Ns()).isBetween(349_000L, 352_000L);
      assertThat(service.p90Ns()).isBetween(549_000L, 552_000L);
      assertThat(service.p99Ns()).as("five of 500 lie beyond it").isNull();
      assertThat(service.maxNs()).isBetween(599_000L, 602_000L);
      assertThat(Files.readString(folder.resolve("client.log"))).contains("--rps 12.5").contains("exit status 0");
    }
  }

  /** Its log is a histogram of every second, which gives the percentiles of the result again. */
  @Test
  void itsTimesAreAnIntervalLog() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      LoadResult result = load(client("", "", "", 500), plan(server.port()).build(), new Heard());
      Histogram sum = new Histogram(3);
      try (HistogramLogReader log = new HistogramLogReader(folder.resolve("times.hlog").toFile())) {
        while (log.hasNext()) {
          Histogram one = (Histogram) log.nextIntervalHistogram();
          assertThat(one.getTag()).isEqualTo("service");
          assertThat(one.getEndTimeStamp() - one.getStartTimeStamp()).isEqualTo(1_000);
          sum.add(one);
        }
      }
      assertThat(sum.getTotalCount()).isEqualTo(500);
      assertThat(sum.getValueAtPercentile(50)).isEqualTo(result.times().service().p50Ns());
    }
  }

  @Test
  void aRowThatIsNoneIsToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      LoadResult result = load(client("", "printf '17\\t200' >>$log", "", 500), plan(server.port()).build(), new Heard());
      assertThat(result.verdictReasons())
          .containsExactly(
              new Reason(ReasonCode.TIMES_CONTRADICTED, "row 501 of its log is '17\t200', which is no start, status and time"));
    }
  }

  @Test
  void tooFewAnswersAreToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      LoadResult result = load(client("", "", "", 300), plan(server.port()).build(), new Heard());
      assertThat(result.verdictReasons())
          .extracting(Reason::reason)
          .containsExactly(ReasonCode.OFFERED_RATE_NOT_REACHED, ReasonCode.UNANSWERED);
      assertThat(result.messages().unanswered()).isEqualTo(200);
    }
  }

  @Test
  void aToolThatEndsTooEarlyDied() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      LoadResult result = load(client("", "kill -KILL $$", "", 500), plan(server.port()).build(), new Heard());
      assertThat(result.verdictReasons().getFirst().reason()).isEqualTo(ReasonCode.CLIENT_DIED);
      assertThat(result.verdictReasons().getFirst().detail()).contains("exit status 137");
    }
  }

  @Test
  void aLoadCanBeStopped() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      H2loadClient client = client("", "", "", 500);
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

  @Test
  void aProgramWithoutARateIsNotTakenForIt() throws IOException {
    SearchPath path = FakeH2load.on(folder, "  --log-file=<PATH>\n", "", "", "", 1);
    H2loadClient client = new H2loadClient(path, null, folder.resolve("client.log"));
    assertThatThrownBy(() -> load(client, plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessageContaining("--help names no --rps")
        .hasMessageContaining("nghttp2-client");
  }

  @Test
  void aMissingToolIsOneLineWithTheWayOn() {
    H2loadClient client = new H2loadClient(new SearchPath(folder.toString()), null, folder.resolve("client.log"));
    assertThatThrownBy(() -> load(client, plan(9).build(), new Heard()))
        .isInstanceOf(MissingToolException.class)
        .hasMessage(
            "h2load: it is not on PATH; it comes from https://nghttp2.org (Debian, Ubuntu: the package nghttp2-client); "
                + "name it with --h2load PATH, or use --client open-loop");
    assertThatThrownBy(() -> client.check(plan(9).build())).isInstanceOf(MissingToolException.class);
    assertThatThrownBy(() -> client.check(plan(9).inFlight(2).build())).isInstanceOf(UnfitPlanException.class);
    LoadPlan far = plan(9).targets(List.of(new Target("192.0.2.1", 9))).build();
    assertThatThrownBy(() -> client.check(far)).isInstanceOf(UnfitPlanException.class).hasMessageContaining("--allow-target 192.0.2.1");
  }
}
