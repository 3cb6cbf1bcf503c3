package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.ReasonCode;
import echoladder.client.Verdict;
import echoladder.client.figures.Deliveries;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.EventServer.Fault;
import echoladder.openloop.testserver.EventServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are posted, against servers that push them as events, rightly or in one way wrongly. */
class PublishOverHttpTest {
  /** It ends with the last delivery: a busy host may take long for 200 KB to each of them. */
  private static final Duration LONG_DRAIN = Duration.ofMinutes(1);

  private static final int SUBSCRIBERS = 20;
  private static final double PUBLISHES_PER_S = 100;

  /** What tells of the server, whatever the host does meanwhile. */
  private static final Set<ReasonCode> OF_SERVER =
      EnumSet.of(
          ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST, ReasonCode.CONNECTIONS_SILENT, ReasonCode.ECHO_MISMATCH,
          ReasonCode.DELIVERIES_MISSING, ReasonCode.DELIVERIES_MIXED, ReasonCode.AUDIENCES_DIFFER, ReasonCode.UNANSWERED,
          ReasonCode.ERROR_RESPONSES, ReasonCode.TOO_LITTLE_INTENDED);

  private static LoadPlan.Builder plan(EventServer server, double rate) {
    return Measured.plan(server.target(), SUBSCRIBERS, rate, Duration.ofSeconds(1))
        .protocol(Protocol.HTTP).publish(Publish.ALL).drain(Duration.ofSeconds(2));
  }

  private static Measured faulty(Fault fault) throws Exception {
    try (EventServer server = EventServer.start(fault)) {
      return Measured.run(plan(server, PUBLISHES_PER_S * SUBSCRIBERS));
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
  @CsvSource({"all, 1, 1, 64", "all, 0.5, 2, 55", "topics-of-7, 1, 2, 64", "all, 1, 1, 200000"})
  void everySubscriberGetsEveryMessageOnceAndInOrder(String to, double share, int loops, int bytes) throws Exception {
    Publish publish = Objects.requireNonNull(Publish.ofText(to));
    int subscribers = (int) (SUBSCRIBERS * share);
    double publishesPerS = bytes > 1_000 ? 20 : PUBLISHES_PER_S;
    double rate = publishesPerS * subscribers / publish.topics(subscribers);
    try (EventServer server = EventServer.start(Fault.NONE)) {
      Measured load = Measured.run(plan(server, rate).publish(publish).activeShare(share).loops(loops).messageBytes(bytes).drain(LONG_DRAIN));
      assertThat(ofServer(load)).isEmpty();
      Deliveries all = deliveries(load);
      assertThat(all.publishes()).isBetween((long) publishesPerS - 1, (long) publishesPerS + 1);
      assertThat(all.reach()).isEqualTo(1);
      assertThat(all.deliveriesDone()).isEqualTo(all.deliveriesDue()).isEqualTo(load.result().messages().answered());
      assertThat(load.times(TimeKind.FIRST_DELIVERY).getTotalCount())
          .isEqualTo(load.times(TimeKind.LAST_DELIVERY).getTotalCount()).isEqualTo(all.publishes());
      LoadResult.Connections connections = load.result().connections();
      assertThat(connections.established()).isEqualTo(SUBSCRIBERS);
      assertThat(connections.held()).as("a subscriber over HTTP has nothing more to ask").isNull();
    }
  }

  /** Comments, other fields and other types are no messages, and a server need not say how many it reached. */
  @ParameterizedTest
  @EnumSource(value = Fault.class, names = {"CHATTY", "NO_COUNT"})
  void whatAServerMayDoIsNoFault(Fault fault) throws Exception {
    Measured load = faulty(fault);
    assertThat(ofServer(load)).isEmpty();
    assertThat(deliveries(load).reach()).isEqualTo(1);
  }

  /** The connection that publishes has nothing to ask before the ramp is over. */
  @ParameterizedTest
  @EnumSource(value = Fault.class, names = {"IMPATIENT", "REFUSES_IDLE"})
  void anIdleConnectionThatTheServerEndsIsOpenedAnewAndNoLoss(Fault fault) throws Exception {
    try (EventServer server = EventServer.start(fault)) {
      Measured load = Measured.run(plan(server, PUBLISHES_PER_S * SUBSCRIBERS).connectsPerSecond(8).drain(LONG_DRAIN));
      assertThat(load.result().errors()).isEmpty();
      assertThat(ofServer(load)).isEmpty();
      assertThat(deliveries(load).reach()).isEqualTo(1);
    }
  }

  @Test
  void aMessageThatNeverComesIsMissing() throws Exception {
    Measured load = faulty(Fault.SKIP);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MISSING);
    assertThat(deliveries(load).reach()).isBetween(0.98, 0.999);
  }

  @Test
  void aMessageThatComesTwiceIsTold() throws Exception {
    Measured load = faulty(Fault.TWICE);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MIXED);
    assertThat(deliveries(load).deliveriesDuplicate()).isPositive();
  }

  @Test
  void aWrongLetterIsSeen() throws Exception {
    Measured load = faulty(Fault.WRONG_LETTER);
    assertThat(ofServer(load)).contains(ReasonCode.ECHO_MISMATCH);
    assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void aStreamThatTheServerEndsIsALostConnection() throws Exception {
    Measured load = faulty(Fault.END_STREAM);
    assertThat(ofServer(load)).containsExactly(ReasonCode.CONNECTIONS_LOST);
    assertThat(load.result().errors().keySet()).anyMatch(cause -> cause.startsWith("event stream ended by the server"));
  }

  @Test
  void whoIsRefusedIsNoSubscriber() throws Exception {
    Measured load = faulty(Fault.NO_STREAM);
    assertThat(ofServer(load)).contains(ReasonCode.CONNECTIONS_MISSING, ReasonCode.ERROR_RESPONSES);
    assertThat(load.result().errors().keySet()).anyMatch(cause -> cause.startsWith("HTTP status 503 to the subscription"));
  }

  @Test
  void aPublishThatIsRefusedReachesNobody() throws Exception {
    Measured load = faulty(Fault.REFUSE);
    assertThat(ofServer(load))
        .contains(ReasonCode.ERROR_RESPONSES, ReasonCode.AUDIENCES_DIFFER, ReasonCode.DELIVERIES_MISSING);
    assertThat(load.result().errors()).containsKey("HTTP status 500");
  }

  @Test
  void aPlanSaysWhatDoesNotGoWithIt() throws Exception {
    try (EventServer server = EventServer.start(Fault.NONE)) {
      PushPaths one = new PushPaths("/events", "/send");
      HttpAsk ask = HttpAsk.ECHO.with(one);
      assertThatThrownBy(() -> plan(server, 2_000).messageBytes(54).build()).hasMessageContaining("55 to 1048576 with publish");
      assertThatThrownBy(() -> plan(server, 2_000).http(ask).activeShare(0.5).build()).hasMessageContaining("do not name {topic}");
      assertThatThrownBy(() -> plan(server, 2_000).http(ask).publish(Publish.ofText("topics-of-5")).build())
          .hasMessageContaining("do not name {topic}");
      assertThat(plan(server, 2_000).http(ask).build().http().pushPaths()).isEqualTo(one);
      assertThatThrownBy(() -> new PushPaths("events", "/send")).hasMessageContaining("subscribe-path");
    }
  }
}
