package echoladder.tcpkali;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.figures.Percentiles;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver with the real tool against servers that fail in known ways. */
@Needs(Need.TCPKALI)
class RealTcpkaliTest {
  @TempDir Path folder;

  private LoadPlan.Builder plan(EchoUnderTest server, int connections, double rate) {
    return LoadPlan.builder(
            new Target("127.0.0.1", server.port()), connections, rate, Duration.ofSeconds(2))
        .serverMetrics(server.metrics())
        .warmUp(Duration.ofMillis(500), Duration.ofSeconds(10), 0);
  }

  private LoadResult load(LoadPlan plan, Heard heard) throws IOException {
    return new TcpkaliClient(null, null, folder.resolve("client.log")).run(plan, folder.resolve("none.hlog"), heard);
  }

  @Test
  void aServerThatAnswersIsMeasured() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      Heard heard = new Heard();
      LoadResult result = load(plan(server, 100, 500).build(), heard);
      assertThat(result.verdictReasons()).isEmpty();
      assertThat(heard.phases).containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN);
      assertThat(heard.progress).isNotEmpty();
      assertThat(result.connections().established()).isBetween(100, 120);
      assertThat(result.pace().offeredPerS()).isEqualTo(500);
      assertThat(result.pace().achievedPerS()).isBetween(475.0, 600.0);
      assertThat(result.times().response()).isEqualTo(Percentiles.NONE);
      assertThat(result.times().service().maxNs()).isNotNull();
      assertThat(result.serviceTimeCoverageConnections()).isEqualTo(10 * result.condition().loops());
      assertThat(result.cost().clientCpuUsPerEcho()).isPositive();
      assertThat(result.condition().sourceAddresses()).containsExactly("127.0.0.2");
      assertThat(Files.readString(folder.resolve("client.log")))
          .contains("--connections 100")
          .contains("Test duration");
    }
  }

  @Test
  void aConnectionClosedAndReplacedIsToldOf() throws IOException {
    EchoUnderTest.Manners rejecting =
        new EchoUnderTest.Manners() {
          @Override
          public boolean reject(long number) {
            return number % 10 == 0;
          }
        };
    try (EchoUnderTest server = new EchoUnderTest(rejecting)) {
      LoadResult result = load(plan(server, 100, 500).build(), new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.CONNECTIONS_LOST);
      assertThat(result.connections().lost()).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void aSilentServerIsToldOf() throws IOException {
    EchoUnderTest.Manners silent =
        new EchoUnderTest.Manners() {
          @Override
          public boolean silent() {
            return true;
          }
        };
    try (EchoUnderTest server = new EchoUnderTest(silent)) {
      LoadResult result = load(plan(server, 50, 500).build(), new Heard());
      assertThat(result.verdictReasons())
          .extracting(Reason::reason)
          .contains(ReasonCode.UNANSWERED, ReasonCode.OFFERED_RATE_NOT_REACHED);
      assertThat(result.times().service()).isEqualTo(Percentiles.NONE);
      assertThat(result.messages().unanswered()).isPositive();
    }
  }

  @Test
  void slowConnectionsThatItDoesNotLookAtAreToldOf() throws IOException {
    EchoUnderTest.Manners slowLater =
        new EchoUnderTest.Manners() {
          @Override
          public Duration delay(long number) {
            return Duration.ofMillis(number > 100 ? 80 : 0);
          }
        };
    try (EchoUnderTest server = new EchoUnderTest(slowLater)) {
      LoadResult result = load(plan(server, 200, 1_000).build(), new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.TIMES_CONTRADICTED);
    }
  }

  @Test
  void aServerThatDiesIsToldOf() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      Heard killing =
          new Heard(
              phase -> {
                if (phase == Phase.STEADY) {
                  die(server);
                }
              });
      LoadResult result = load(plan(server, 50, 500).build(), killing);
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.CONNECTIONS_LOST);
      assertThat(result.connections().lost()).isGreaterThanOrEqualTo(50);
    }
  }

  private static void die(EchoUnderTest server) {
    try {
      server.die();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLoadThatIsStoppedEndsSoonAndSaysSo() throws IOException {
    try (EchoUnderTest server = new EchoUnderTest(new EchoUnderTest.Manners() {})) {
      TcpkaliClient client = new TcpkaliClient(null, null, folder.resolve("client.log"));
      LoadPlan hours =
          LoadPlan.builder(new Target("127.0.0.1", server.port()), 20, 100, Duration.ofHours(1))
              .serverMetrics(server.metrics())
              .build();
      Heard stopping =
          new Heard(
              phase -> {
                if (phase == Phase.WARM_UP) {
                  client.stop();
                }
              });
      LoadResult result = client.run(hours, folder.resolve("none.hlog"), stopping);
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.INTERRUPTED);
    }
  }
}
