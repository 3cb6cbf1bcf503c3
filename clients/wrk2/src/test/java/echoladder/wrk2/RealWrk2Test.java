package echoladder.wrk2;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.echo.HttpEchoUnderTest;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver with the real tool against servers that fail in known ways. */
@Needs(Need.WRK2)
class RealWrk2Test {
  @TempDir Path folder;

  private LoadResult load(HttpEchoUnderTest server, Heard heard) throws IOException {
    LoadPlan plan =
        LoadPlan.builder(new Target("127.0.0.1", server.port()), 50, 500, Duration.ofSeconds(2))
            .protocol(Protocol.HTTP)
            .serverMetrics(server.metrics())
            .build();
    return new Wrk2Client(null, folder.resolve("client.log")).run(plan, folder.resolve("none.hlog"), heard);
  }

  @Test
  void aServerThatAnswersIsMeasured() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      LoadResult result = load(server, new Heard());
      assertThat(result.verdictReasons()).isEmpty();
      assertThat(result.connections().established()).isEqualTo(50);
      assertThat(result.pace().achievedPerS()).isBetween(475.0, 550.0);
      assertThat(result.times().response().p50Ns()).isNotNull();
      assertThat(result.times().service().p50Ns()).isNotNull();
      assertThat(result.messages().echoMismatches()).isZero();
    }
  }

  @Test
  void severalProcessesLoadOneServer() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      LoadPlan plan =
          LoadPlan.builder(new Target("127.0.0.1", server.port()), 60, 600, Duration.ofSeconds(2))
              .protocol(Protocol.HTTP)
              .targets(List.of(new Target("127.0.0.1", server.port()), new Target("127.0.0.7", server.port())))
              .serverMetrics(server.metrics())
              .build();
      LoadResult result =
          new Wrk2Client(null, folder.resolve("client.log")).run(plan, folder.resolve("none.hlog"), new Heard());
      assertThat(result.verdictReasons()).isEmpty();
      assertThat(result.connections().established()).isEqualTo(60);
      assertThat(result.pace().achievedPerS()).isBetween(570.0, 660.0);
      assertThat(result.times().response().p50Ns()).isNotNull();
      assertThat(result.times().response().maxNs()).isGreaterThanOrEqualTo(result.times().response().p50Ns());
    }
  }

  @Test
  void wrongBodiesAreSeen() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.WRONG_BODY)) {
      LoadResult result = load(server, new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).containsExactly(ReasonCode.ECHO_MISMATCH);
      assertThat(result.messages().echoMismatches()).isGreaterThan(1_000);
    }
  }

  @Test
  void statusesOfFailureAreToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.UNAVAILABLE)) {
      LoadResult result = load(server, new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).containsExactly(ReasonCode.ERROR_RESPONSES);
    }
  }

  @Test
  void connectionsClosedAfterEachAnswerAreToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.CLOSING)) {
      LoadResult result = load(server, new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.CONNECTIONS_LOST);
      assertThat(result.connections().lost()).isGreaterThan(1_000);
    }
  }

  @Test
  void aServerThatFallsSilentIsToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      Heard silencing =
          new Heard(
              phase -> {
                if (phase == Phase.STEADY) {
                  server.silent = true;
                }
              });
      LoadResult result = load(server, silencing);
      assertThat(result.verdictReasons())
          .extracting(Reason::reason)
          .contains(ReasonCode.OFFERED_RATE_NOT_REACHED);
      assertThat(result.responseTimeLowerBoundBeyond()).isLessThan(95.0);
    }
  }
}
