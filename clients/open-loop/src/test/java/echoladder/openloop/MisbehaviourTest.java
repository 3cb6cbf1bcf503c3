package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.Verdict;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.ClosedPort;
import echoladder.openloop.testserver.Fate;
import echoladder.openloop.testserver.Shape;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Each way in which a server can fail is counted under its own name, and none is taken for a measurement. */
class MisbehaviourTest {
  private static final int CONNECTIONS = 40;

  private static LoadPlan.Builder plan(Target target) {
    return Measured.plan(target, CONNECTIONS, 400, Duration.ofSeconds(1)).drain(Duration.ofMillis(500));
  }

  @Test
  void aCorruptByteIsAMismatch() throws Exception {
    AtomicLong which = new AtomicLong(Long.MAX_VALUE);
    Shape corrupt = new Shape.Corrupt(which::get, Measured.MESSAGE_BYTES - 1);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, corrupt)) {
      Measured load =
          Measured.run(
              plan(server.target()),
              phase -> {
                if (phase == Phase.STEADY) {
                  // One for each connection may still be on its way from the warm-up.
                  which.set(server.record().received() + CONNECTIONS);
                }
              });
      assertThat(load.result().messages().echoMismatches()).isEqualTo(1);
      assertThat(load.result().messages().failed()).isEqualTo(1);
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled() - 1);
      assertThat(load.reasons()).contains(ReasonCode.ECHO_MISMATCH);
      assertThat(load.result().valid()).isFalse();
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
    }
  }

  @Test
  void aConnectionWithoutRightFirstEchoIsNotEstablished() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Shape.Corrupt(() -> 0, 0))) {
      Measured load = Measured.run(plan(server.target()));
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS - 1);
      assertThat(load.result().messages().echoMismatches()).isEqualTo(1);
      assertThat(load.result().errors()).containsEntry("first echo wrong", 1L);
      assertThat(load.reasons()).contains(ReasonCode.ECHO_MISMATCH, ReasonCode.CONNECTIONS_MISSING);
    }
  }

  @Test
  void surplusBytesAreAMismatch() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Shape.Surplus(CONNECTIONS + 200, 3))) {
      Measured load = Measured.run(plan(server.target()));
      assertThat(load.result().messages().echoMismatches()).isEqualTo(1);
      assertThat(load.result().errors()).containsEntry("surplus bytes from the server", 1L);
      // The client ended it, and the server did not.
      assertThat(load.result().connections().dropped()).isEqualTo(1);
      assertThat(load.result().connections().lost() + load.result().connections().reset()).isZero();
      assertThat(load.result().verdictReasons()).extracting(Reason::detail)
          .anyMatch(detail -> detail.startsWith(
              "1 connections ended before the load did: 0 by FIN, 0 by error, 1 given up by the client for what came on them"));
      assertThat(load.reasons()).contains(ReasonCode.ECHO_MISMATCH);
    }
  }

  @Test
  void anAnswerInSingleBytesIsAnAnswer() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Shape.ByteByByte())) {
      Measured load = Measured.run(plan(server.target()).drain(Duration.ofSeconds(20)));
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled()).isPositive();
      assertThat(load.result().messages().echoMismatches()).isZero();
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
    }
  }

  @Test
  void refusedConnectsAreRefused() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      LoadResult result = Measured.run(plan(port.target())).result();
      assertThat(result.connections().refused()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().established()).isZero();
      assertThat(result.errors()).isEqualTo(Map.of("connect ECONNREFUSED", (long) CONNECTIONS));
      assertThat(result.messages().scheduled()).isZero();
      assertThat(result.valid()).isFalse();
      assertThat(result.times().response().maxNs()).isNull();
    }
  }

  /** Nobody waits for the end of a ramp of which nothing can come. */
  @Test
  void aRampToWhereNothingAcceptsIsGivenUp() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      LoadResult result = Measured.run(Measured.plan(port.target(), 5_000, 500, Duration.ofSeconds(1)).connectsPerSecond(1_000)).result();
      assertThat(result.connections().refused()).isBetween(64, 1_000);
      assertThat(result.errors())
          .containsEntry("not begun, as none of the first connects could be made", 5_000L - result.connections().refused());
      assertThat(result.verdictReasons()).extracting(Reason::reason).containsExactly(ReasonCode.CONNECTIONS_MISSING);
    }
  }

  /** An error that came before the server had a part in it is the client's. */
  @Test
  void aSourceAddressThatIsNotHereIsTheClientsFault() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load = Measured.run(plan(server.target()).sourceAddresses(List.of("192.0.2.77")));
      assertThat(load.result().errors()).isEqualTo(Map.of("bind EADDRNOTAVAIL", (long) CONNECTIONS));
      assertThat(load.result().verdictReasons())
          .contains(
              new Reason(
                  ReasonCode.CLIENT_CALL_FAILED, "40 x bind EADDRNOTAVAIL (the source address is no address of this host)"));
      assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
      assertThat(server.record().accepted()).isZero();
    }
  }

  @Test
  void aResetBeforeTheFirstEchoIsNeitherEstablishedNorRefused() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.ResetAfter(0))) {
      LoadResult result = Measured.run(plan(server.target())).result();
      assertThat(result.connections().established()).isZero();
      assertThat(result.connections().refused() + result.connections().timedOut()).isZero();
      assertThat(result.errors().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(CONNECTIONS);
      assertThat(result.errors().keySet()).allMatch(cause -> cause.matches(".* (ECONNRESET|EPIPE)"));
      assertThat(server.record().accepted()).isEqualTo(CONNECTIONS);
    }
  }

  @Test
  void aResetOfAnEstablishedConnectionIsAReset() throws Exception {
    // The first echo and seven more, at 10/s, and in the middle of the ninth message the end.
    Fate fate = new Fate.ResetAfter(8 * Measured.MESSAGE_BYTES + 1);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, fate)) {
      Measured load = Measured.run(plan(server.target()));
      LoadResult result = load.result();
      assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().reset()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().lost()).isZero();
      // A lost connection's later sends are failed ones: nothing that was intended drops out of the account.
      assertThat(result.messages().answered() + result.messages().failed()).isEqualTo(result.messages().scheduled());
      assertThat(result.messages().failed()).isPositive();
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_LOST);
    }
  }

  @Test
  void aServerThatAcceptsAndNeverReadsHoldsNoConnection() throws Exception {
    Duration timeout = Duration.ofMillis(700);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.NeverRead())) {
      Measured load = Measured.run(plan(server.target()).connectTimeout(timeout));
      assertThat(load.result().connections().timedOut()).isEqualTo(CONNECTIONS);
      assertThat(load.result().connections().established()).isZero();
      assertThat(load.result().pace().rampSeconds()).isGreaterThanOrEqualTo(timeout.toMillis() / 1e3);
      assertThat(load.result().messages().scheduled()).isZero();
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_MISSING);
      // The handshake was the kernel's: connect times are there, and prove nothing.
      assertThat(load.times(TimeKind.CONNECT).getTotalCount()).isEqualTo(CONNECTIONS);
      assertThat(load.times(TimeKind.FIRST_ECHO).getTotalCount()).isZero();
    }
  }

  @Test
  void aRampThatFallsBehindItsRateIsSlowAndNothingElse() throws Exception {
    // 1,024 connects are under way at most, and each takes a second: the last is begun 4 s after its intended time.
    Duration timeout = Duration.ofSeconds(3);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofSeconds(1)))) {
      LoadResult result =
          Measured.run(
                  Measured.plan(server.target(), 5_000, 500, Duration.ofSeconds(1))
                      .connectsPerSecond(1_000_000)
                      .connectTimeout(timeout))
              .result();
      assertThat(result.connections().established()).isEqualTo(5_000);
      assertThat(result.pace().rampSeconds()).isGreaterThan((double) timeout.toSeconds());
    }
  }

  @Test
  void aRampIsGivenUpOnceAsManyTimedOutAsMayBeUnderWay() throws Exception {
    int connections = 5_000;
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.NeverRead())) {
      LoadResult result =
          Measured.run(
                  Measured.plan(server.target(), connections, 500, Duration.ofSeconds(1))
                      .connectsPerSecond(1_000_000)
                      .connectTimeout(Duration.ofMillis(700)))
              .result();
      assertThat(result.connections().established()).isZero();
      assertThat(result.connections().timedOut()).isBetween(1_024, connections - 1);
      assertThat(result.errors().get("not begun, as too many connects had timed out"))
          .isEqualTo((long) connections - result.connections().timedOut());
    }
  }

  @Test
  void aCloseByTheServerIsALoss() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.CloseAfter(Duration.ofSeconds(1)))) {
      Measured load = Measured.run(plan(server.target()));
      LoadResult result = load.result();
      assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().lost() + result.connections().reset()).isEqualTo(CONNECTIONS);
      // A message that crosses the FIN is answered by RST; most connections are idle when it comes.
      assertThat(result.connections().lost()).isGreaterThan(CONNECTIONS / 2);
      assertThat(result.errors().get("closed by the server")).isEqualTo((long) result.connections().lost());
      assertThat(result.messages().answered() + result.messages().failed()).isEqualTo(result.messages().scheduled());
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_LOST);
    }
  }

  @Test
  void largeMessagesInPiecesAreVerifiedByteByByte() throws Exception {
    int messageBytes = 300_001;
    try (TestServer server = TestServer.start(messageBytes, Answering.atOnce())) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), 4, 20, Duration.ofSeconds(1)).messageBytes(messageBytes));
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled()).isPositive();
      assertThat(load.result().messages().echoMismatches()).isZero();
    }
    // The last byte of the last piece counts as much as the first.
    try (TestServer server = TestServer.start(messageBytes, new Shape.Corrupt(() -> 12, messageBytes - 1))) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), 4, 20, Duration.ofSeconds(1)).messageBytes(messageBytes));
      assertThat(load.result().messages().echoMismatches()).isEqualTo(1);
    }
  }

  @Test
  void severalMessagesInFlightAreAnsweredInOrder() throws Exception {
    Answering slow = Answering.after(Duration.ofMillis(100));
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, slow)) {
      // 10 connections at 40/s each with 100 ms delay: four in flight, where one would fall ever further behind.
      LoadPlan.Builder plan = Measured.plan(server.target(), 10, 400, Duration.ofSeconds(1)).inFlight(16);
      Measured load = Measured.run(plan.drain(Duration.ofSeconds(10)));
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled()).isPositive();
      assertThat(load.result().messages().echoMismatches()).isZero();
      assertThat(load.responses().getMinValue()).isGreaterThan(99_900_000);
    }
  }

  @Test
  void onlyTheActiveShareSends() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load = Measured.run(plan(server.target()).activeShare(0.1));
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled());
      // The rate is that of the whole load all the same: 400/s for 1 s, to a message per active connection.
      assertThat(load.result().messages().scheduled()).isBetween(396L, 404L);
    }
  }
}
