package echoladder.h2load;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.figures.Percentiles;
import echoladder.echo.HttpEchoUnderTest;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver with the real tool against servers that fail in known ways. */
@Needs(Need.H2LOAD)
class RealH2loadTest {
  @TempDir Path folder;

  private static LoadPlan.Builder plan(int port) {
    return LoadPlan.builder(new Target("127.0.0.1", port), 50, 500, Duration.ofSeconds(2))
        .protocol(Protocol.HTTP)
        .warmUp(Duration.ZERO, Duration.ofSeconds(1), 0);
  }

  private LoadResult load(HttpEchoUnderTest server, Heard heard) throws IOException {
    LoadPlan plan = plan(server.port()).serverMetrics(server.metrics()).build();
    return new H2loadClient(null, folder.resolve("client.log")).run(plan, folder.resolve("times.hlog"), heard);
  }

  @Test
  void aServerThatAnswersIsMeasured() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.RIGHT)) {
      Heard heard = new Heard();
      LoadResult result = load(server, heard);
      assertThat(result.verdictReasons()).isEmpty();
      assertThat(heard.phases).containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN);
      assertThat(result.connections().established()).isEqualTo(50);
      assertThat(result.pace().achievedPerS()).isBetween(475.0, 550.0);
      assertThat(result.messages().echoesInSteady()).isBetween(950L, 1_050L);
      assertThat(result.times().service().p50Ns()).isNotNull();
      assertThat(result.times().response()).isEqualTo(Percentiles.NONE);
    }
  }

  @Test
  void statusesOfFailureAreToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.UNAVAILABLE)) {
      LoadResult result = load(server, new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.ERROR_RESPONSES);
    }
  }

  @Test
  void connectionsClosedAfterEachAnswerAreToldOf() throws IOException {
    try (HttpEchoUnderTest server = new HttpEchoUnderTest(HttpEchoUnderTest.Manner.CLOSING)) {
      LoadResult result = load(server, new Heard());
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.CONNECTIONS_LOST);
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
          .contains(ReasonCode.OFFERED_RATE_NOT_REACHED, ReasonCode.UNANSWERED);
    }
  }

  @Test
  void aPortWhereNobodyListensIsToldOf() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    LoadResult result =
        new H2loadClient(null, folder.resolve("client.log")).run(plan(port).build(), folder.resolve("times.hlog"), new Heard());
    assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.CONNECTIONS_MISSING);
    assertThat(result.times().service()).isEqualTo(Percentiles.NONE);
  }
}
