package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.Churn;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.Fate;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections come and go at their rate, each with a verified echo, while messages go on over those that are open. */
class ChurnTest {
  private static final int CONNECTIONS = 40;
  private static final double MESSAGES_PER_S = 400;
  private static final Duration STEADY = Duration.ofSeconds(2);

  private static Measured churn(TestServer server, Churn churn, int loops) throws Exception {
    Measured load =
        Measured.run(Measured.plan(server.target(), CONNECTIONS, MESSAGES_PER_S, STEADY).churn(churn).loops(loops).seed(3));
    LoadResult result = load.result();
    assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
    assertThat(result.connections().failed()).isZero();
    // Whoever was replaced last is asked at the end like any other.
    assertThat(result.connections().held()).isEqualTo(CONNECTIONS);
    assertThat(result.messages().answered()).isEqualTo(result.messages().scheduled()).isPositive();
    assertThat(result.messages().echoMismatches()).isZero();
    assertThat(result.verdictReasons()).extracting(d -> d.reason())
        .doesNotContain(ReasonCode.CONNECTIONS_LOST, ReasonCode.CONNECTIONS_SILENT, ReasonCode.CONNECTIONS_MISSING, ReasonCode.UNANSWERED);
    assertThat(result.crowd().churnFailed()).isZero();
    assertThat(load.times(TimeKind.RECONNECT).getTotalCount()).isEqualTo(churned(load));
    // Its ends went on in the warm-up, so there were more.
    assertThat(server.record().accepted()).isGreaterThanOrEqualTo(CONNECTIONS + churned(load));
    return load;
  }

  private static long churned(Measured load) {
    return Objects.requireNonNull(load.result().crowd().churned());
  }

  @ParameterizedTest
  @CsvSource({"EXPONENTIAL, 1", "EXPONENTIAL, 2", "FIXED, 1", "FIXED, 2"})
  void connectionsAreReplacedAtTheirRateAndNoneIsMissingAtTheEnd(Churn.Lifetime lifetime, int loops) throws Exception {
    double perS = 60;
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load = churn(server, new Churn(perS, lifetime), loops);
      double expected = perS * STEADY.toSeconds();
      double tolerance = lifetime == Churn.Lifetime.FIXED ? CONNECTIONS : 5 * Math.sqrt(expected);
      assertThat((double) churned(load)).isCloseTo(expected, within(tolerance));
      // The ramp's times stay those of the ramp.
      assertThat(load.times(TimeKind.CONNECT).getTotalCount()).isEqualTo(CONNECTIONS);
      assertThat(load.times(TimeKind.FIRST_ECHO).getTotalCount()).isEqualTo(CONNECTIONS);
    }
  }

  /** A server that takes 50 ms for each answer takes that long for the first of each connection too. */
  @Test
  void theTimeToReconnectEndsWithTheFirstEcho() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofMillis(50)))) {
      Measured load = churn(server, new Churn(30, Churn.Lifetime.EXPONENTIAL), 1);
      Histogram reconnects = load.times(TimeKind.RECONNECT);
      assertThat(reconnects.getTotalCount()).isPositive();
      assertThat(reconnects.getMinValue()).isGreaterThanOrEqualTo(50_000_000L * 999 / 1_000);
    }
  }

  /** A server that forgets all who come after the ramp, but for their first message: what they owe is told as of any other. */
  @Test
  void whatAReplacementOwesCountsAsOfAnyOther() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.Forget(number -> number >= CONNECTIONS))) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), CONNECTIONS, MESSAGES_PER_S, STEADY)
                  .churn(new Churn(30, Churn.Lifetime.EXPONENTIAL))
                  .drain(Duration.ofMillis(500)));
      assertThat(load.result().crowd().churned()).isPositive();
      assertThat(load.result().messages().unanswered()).isPositive();
      assertThat(load.result().verdictReasons()).extracting(d -> d.reason()).contains(ReasonCode.UNANSWERED);
    }
  }

  /** Its handshakes take longer than lives last: the echoes of those make up for no message of the load, and the load is not carried. */
  @Test
  void echoesThatVerifyAReplacementAreNoneOfTheLoads() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.SlowStart(CONNECTIONS, Duration.ofMillis(300)))) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), CONNECTIONS, 200, STEADY).churn(new Churn(1_000, Churn.Lifetime.EXPONENTIAL)));
      LoadResult.Messages messages = load.result().messages();
      assertThat(messages.failed()).isGreaterThan(messages.scheduled() / 20);
      assertThat(messages.answered() + messages.failed()).isEqualTo(messages.scheduled());
      assertThat(messages.sent()).isEqualTo(messages.answered());
      // What was answered in the steady state was intended there, or in the moments before it.
      assertThat(messages.echoesInSteady()).isLessThanOrEqualTo(messages.answered() + CONNECTIONS);
      assertThat(load.result().pace().achievedPerS()).isEqualTo(messages.echoesInSteady() / load.result().pace().steadySeconds());
      assertThat(churned(load)).isPositive();
      assertThat(load.result().crowd().churnFailed()).isGreaterThan(churned(load));
      assertThat(load.result().verdictReasons())
          .filteredOn(doubt -> doubt.reason() == ReasonCode.OFFERED_RATE_NOT_REACHED)
          .extracting(Reason::detail)
          .satisfiesExactly(
              echoes -> assertThat(echoes).contains("echoes in a steady state that intended"),
              ends -> assertThat(ends).contains("connections were replaced in a steady state that was to replace"));
      assertThat(load.result().verdictReasons())
          .filteredOn(doubt -> doubt.reason() == ReasonCode.UNANSWERED)
          .extracting(Reason::detail)
          .singleElement()
          .asString()
          .contains("messages found no open connection to go out on");
    }
  }

  /** When the roll call comes, replacements still wait for their first echo: they are asked when they have had it. */
  @Test
  void whoIsBeingReplacedAtTheRollCallIsAskedAfterwards() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.SlowStart(CONNECTIONS, Duration.ofMillis(1_500)))) {
      LoadResult result =
          Measured.run(
                  Measured.plan(server.target(), CONNECTIONS, MESSAGES_PER_S, STEADY)
                      .churn(new Churn(20, Churn.Lifetime.EXPONENTIAL))
                      .drain(Duration.ZERO))
              .result();
      assertThat(result.connections().held()).isEqualTo(CONNECTIONS);
      assertThat(result.verdictReasons()).extracting(Reason::reason)
          .doesNotContain(ReasonCode.CONNECTIONS_SILENT, ReasonCode.CONNECTIONS_LOST);
    }
  }

  /** Nobody waits for them for ever: a place that could not be taken is lost, and not silent. */
  @Test
  void aReplacementWithoutFirstEchoIsLostAndNotSilent() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.SlowStart(CONNECTIONS, Duration.ofHours(1)))) {
      LoadResult result =
          Measured.run(
                  Measured.plan(server.target(), CONNECTIONS, MESSAGES_PER_S, STEADY)
                      .churn(new Churn(10, Churn.Lifetime.EXPONENTIAL))
                      .connectTimeout(Duration.ofSeconds(3))
                      .drain(Duration.ZERO))
              .result();
      LoadResult.Connections connections = result.connections();
      assertThat(connections.lost()).isPositive();
      assertThat(connections.held()).isEqualTo(CONNECTIONS - connections.lost());
      assertThat(result.errors()).containsEntry("reconnect: first echo missing: connected, and nothing came back", (long) connections.lost());
      assertThat(result.verdictReasons()).extracting(Reason::reason)
          .contains(ReasonCode.CONNECTIONS_LOST)
          .doesNotContain(ReasonCode.CONNECTIONS_SILENT);
    }
  }

  /** The server goes away while the load runs: a place that cannot be taken is counted by its cause, and the load is not carried. */
  @Test
  void aPlaceThatCannotBeTakenIsCountedAndTold() throws Exception {
    TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.ResetAfter(2L * Measured.MESSAGE_BYTES));
    try (server) {
      // Each connection is reset with its second message, and so is each that takes its place.
      Measured load =
          Measured.run(
              Measured.plan(server.target(), CONNECTIONS, 20, STEADY).churn(new Churn(60, Churn.Lifetime.EXPONENTIAL)).drain(Duration.ofMillis(500)));
      assertThat(load.result().connections().reset()).isPositive();
      assertThat(load.result().crowd().churned()).isPositive();
      assertThat(load.result().verdictReasons()).extracting(d -> d.reason()).contains(ReasonCode.CONNECTIONS_LOST);
    }
  }
}
