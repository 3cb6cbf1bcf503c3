package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.Verdict;
import echoladder.client.figures.Deliveries;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.EventServer.Fault;
import echoladder.openloop.testserver.EventServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that a server pushes as they are over WebSocket, rightly or in one way wrongly: posted, or sent on one more connection. */
class PublishTextOverWebSocketTest {
  /** It ends with the last delivery: a busy host may take long for 200 KB to each of them. */
  private static final Duration LONG_DRAIN = Duration.ofMinutes(1);

  private static final int SUBSCRIBERS = 20;
  private static final double PUBLISHES_PER_S = 100;
  private static final String POSTED = "/publish?topic={topic}";
  private static final String SENT = "ws:/send?topic={topic}";

  /** What tells of the server, whatever the host does meanwhile. */
  private static final Set<ReasonCode> OF_SERVER =
      EnumSet.of(
          ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST, ReasonCode.CONNECTIONS_SILENT, ReasonCode.ECHO_MISMATCH,
          ReasonCode.DELIVERIES_MISSING, ReasonCode.DELIVERIES_MIXED, ReasonCode.AUDIENCES_DIFFER, ReasonCode.UNANSWERED,
          ReasonCode.ERROR_RESPONSES, ReasonCode.TOO_LITTLE_INTENDED);

  private static LoadPlan.Builder plan(Target server, String publish, double rate) {
    return Measured.plan(server, SUBSCRIBERS, rate, Duration.ofSeconds(1))
        .protocol(Protocol.WEBSOCKET).http(HttpAsk.ECHO.with(new PushPaths("/subscribe?topic={topic}", publish))).publish(Publish.ALL)
        .drain(Duration.ofSeconds(2));
  }

  private static Measured faulty(Fault fault) throws Exception {
    return faulty(fault, POSTED);
  }

  private static Measured faulty(Fault fault, String publish) throws Exception {
    try (EventServer server = EventServer.start(fault)) {
      return Measured.run(plan(server.target(), publish, PUBLISHES_PER_S * SUBSCRIBERS));
    }
  }

  private static Set<ReasonCode> ofServer(Measured load) {
    Set<ReasonCode> reasons = load.reasons();
    reasons.retainAll(OF_SERVER);
    return reasons;
  }

  private static Deliveries deliveries(Measured load) {
    return load.result().crowd().deliveries();
  }

  @ParameterizedTest
  @CsvSource({
    "all, 1, 1, 64, " + POSTED, "all, 0.5, 2, 55, " + POSTED, "topics-of-7, 1, 2, 64, " + POSTED, "all, 1, 1, 200000, " + POSTED,
    "all, 1, 1, 64, " + SENT, "all, 0.5, 2, 55, " + SENT, "all, 1, 1, 200000, " + SENT
  })
  void everySubscriberGetsEveryMessageOnceAndInOrder(String to, double share, int loops, int bytes, String path) throws Exception {
    Publish publish = Objects.requireNonNull(Publish.ofText(to));
    int subscribers = (int) (SUBSCRIBERS * share);
    double publishesPerS = bytes > 1_000 ? 20 : PUBLISHES_PER_S;
    double rate = publishesPerS * subscribers / publish.topics(subscribers);
    try (EventServer server = EventServer.start(Fault.NONE)) {
      Measured load =
          Measured.run(
              plan(server.target(), path, rate).publish(publish).activeShare(share).loops(loops).messageBytes(bytes).drain(LONG_DRAIN));
      assertThat(load.result().errors()).isEmpty();
      assertThat(ofServer(load)).isEmpty();
      Deliveries all = deliveries(load);
      assertThat(all.publishes()).isBetween((long) publishesPerS - 1, (long) publishesPerS + 1);
      assertThat(all.reach()).isEqualTo(1);
      assertThat(all.deliveriesDone()).isEqualTo(all.deliveriesDue()).isEqualTo(load.result().messages().answered());
      assertThat(load.times(TimeKind.FIRST_DELIVERY).getTotalCount())
          .isEqualTo(load.times(TimeKind.LAST_DELIVERY).getTotalCount()).isEqualTo(all.publishes());
      assertThat(load.result().connections().established()).isEqualTo(SUBSCRIBERS);
      assertThat(load.result().connections().held()).as("such a subscriber has nothing more to ask").isNull();
    }
  }

  /** Fragments, bytes in place of text, pings between them, and what comes to whoever publishes are no faults. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {POSTED, SENT})
  void whatAServerMayDoIsNoFault(String publish) throws Exception {
    try (EventServer server = EventServer.start(Fault.CHATTY)) {
      Measured load = Measured.run(plan(server.target(), publish, PUBLISHES_PER_S * SUBSCRIBERS).drain(LONG_DRAIN));
      assertThat(load.result().errors()).isEmpty();
      assertThat(ofServer(load)).isEmpty();
      assertThat(deliveries(load).reach()).isEqualTo(1);
      assertThat(server.pongs()).isNotEmpty().containsOnly("hi");
    }
  }

  @Tag("long")
  @Test
  void aServerNeedNotSayHowManyItReached() throws Exception {
    Measured load = faulty(Fault.NO_COUNT);
    assertThat(ofServer(load)).isEmpty();
    assertThat(deliveries(load).reach()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTED, SENT})
  void aMessageThatNeverComesIsMissing(String publish) throws Exception {
    Measured load = faulty(Fault.SKIP, publish);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MISSING);
    assertThat(deliveries(load).reach()).isBetween(0.98, 0.999);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {POSTED, SENT})
  void aMessageThatComesTwiceIsTold(String publish) throws Exception {
    Measured load = faulty(Fault.TWICE, publish);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MIXED);
    assertThat(deliveries(load).deliveriesDuplicate()).isPositive();
  }

  @Tag("long")
  @Test
  void aWrongLetterIsSeen() throws Exception {
    Measured load = faulty(Fault.WRONG_LETTER);
    assertThat(ofServer(load)).contains(ReasonCode.ECHO_MISMATCH);
    assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
  }

  @Tag("long")
  @Test
  void aCloseIsALostConnection() throws Exception {
    Measured load = faulty(Fault.END_STREAM);
    assertThat(ofServer(load)).containsExactly(ReasonCode.CONNECTIONS_LOST);
    assertThat(load.result().errors()).containsKey("closed by the server with WebSocket code 1001");
  }

  @Tag("long")
  @Test
  void aFrameThatNoServerMaySendIsNamed() throws Exception {
    Measured load = faulty(Fault.MASKED);
    assertThat(ofServer(load)).contains(ReasonCode.ECHO_MISMATCH);
    assertThat(load.result().errors()).containsKey("WebSocket frame: a mask, which a server must not use");
  }

  @Test
  void whoIsRefusedIsNoSubscriber() throws Exception {
    Measured load = faulty(Fault.NO_STREAM);
    assertThat(ofServer(load)).contains(ReasonCode.CONNECTIONS_MISSING, ReasonCode.ERROR_RESPONSES);
    assertThat(load.result().errors().keySet()).anyMatch(cause -> cause.startsWith("HTTP status 503 to the upgrade"));
  }

  @Test
  void aWrongAnswerToTheUpgradeIsNamed() throws Exception {
    Measured load = faulty(Fault.WRONG_KEY);
    assertThat(ofServer(load)).contains(ReasonCode.CONNECTIONS_MISSING);
    assertThat(load.result().errors()).containsKey("WebSocket upgrade: a Sec-WebSocket-Accept that is not that of its key");
  }

  @Tag("long")
  @Test
  void aPublishThatIsRefusedReachesNobody() throws Exception {
    Measured load = faulty(Fault.REFUSE);
    assertThat(ofServer(load)).contains(ReasonCode.ERROR_RESPONSES, ReasonCode.AUDIENCES_DIFFER, ReasonCode.DELIVERIES_MISSING);
    assertThat(load.result().errors()).containsKey("HTTP status 500");
  }

  @Tag("long")
  @Test
  void whoIsNotUpgradedPublishesNothing() throws Exception {
    Measured load = faulty(Fault.NONE, "ws:/nowhere");
    assertThat(ofServer(load)).contains(ReasonCode.CONNECTIONS_LOST);
    assertThat(load.result().errors()).containsKeys("publisher: no upgrade to WebSocket", "HTTP status 404 to the upgrade");
  }

  @Test
  void aPlanSaysWhatDoesNotGoWithIt() {
    Target nobody = new Target("127.0.0.1", 9);
    Publish topics = Objects.requireNonNull(Publish.ofText("topics-of-5"));
    assertThatThrownBy(() -> plan(nobody, POSTED, 2_000).messageBytes(54).build()).hasMessageContaining("55 to 1048576 with publish");
    assertThatThrownBy(() -> plan(nobody, "ws:/send", 2_000).activeShare(0.5).build()).hasMessageContaining("do not name {topic}");
    assertThatThrownBy(() -> plan(nobody, SENT, 2_000).publish(topics).build()).hasMessageContaining("on one WebSocket connection (ws:)");
    assertThatThrownBy(() -> plan(nobody, SENT, 2_000).protocol(Protocol.HTTP).build())
        .hasMessageContaining("goes with protocol websocket");
    assertThatThrownBy(() -> new PushPaths("ws:/events", "/send")).hasMessageContaining("subscribe-path");
    assertThat(plan(nobody, SENT, 2_000).build().callsRoll()).isFalse();
    assertThat(plan(nobody, POSTED, 2_000).http(HttpAsk.ECHO).build().callsRoll()).as("frames of push").isTrue();
    assertThat(new PushPaths("/e", SENT).publishPath(7)).isEqualTo("/send?topic=7");
  }
}
