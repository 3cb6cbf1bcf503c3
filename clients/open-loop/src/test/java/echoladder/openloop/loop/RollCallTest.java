package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.openloop.Measured;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.schedule.Timing;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.Fate;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The last echo of every connection: what a load that most connections sleep through says of them. */
class RollCallTest {
  private static final int CONNECTIONS = 60;
  private static final int EACH = 10;
  private static final Duration BOUND = Duration.ofSeconds(3);

  /**
   * A plan in which one of each ten connections sends, and the others sleep; one loop, so that they are accepted in their order.
   */
  private static LoadPlan.Builder plan(TestServer server) {
    return Measured.plan(server.target(), CONNECTIONS, 300, Duration.ofSeconds(1))
        .activeShare(1.0 / EACH)
        .loops(1)
        .connectTimeout(BOUND);
  }

  @Test
  void everyConnectionIsAskedOnceMoreAndNoTimeOfItIsKept() throws Exception {
    List<Phase> phases = new ArrayList<>();
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load = Measured.run(plan(server), phases::add);
      LoadResult result = load.result();

      // No storm was asked for.
      assertThat(phases)
          .containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN, Phase.HOLD, Phase.ROLL_CALL);
      assertThat(result.connections().held()).isEqualTo(CONNECTIONS);
      assertThat(load.reasons()).doesNotContain(ReasonCode.CONNECTIONS_SILENT);
      // Beside the load each connection sent one message at the ramp and one at the end.
      assertThat(server.record().received()).isEqualTo(load.allResponses().getTotalCount() + CONNECTIONS);
      assertThat(load.responses().getTotalCount())
          .isEqualTo(result.messages().scheduled())
          .isEqualTo(result.messages().answered());
    }
  }

  /** One of each ten that sleep. */
  private static Set<Integer> sleepers() {
    return IntStream.of(new Slice(0, 1, CONNECTIONS, CONNECTIONS / EACH).senders())
        .mapToObj(sender -> sender / EACH * EACH + (sender + 3) % EACH)
        .collect(Collectors.toSet());
  }

  /** Nobody sends on them during the load and nobody ends them, so all else of this load is well. */
  @Test
  void connectionsThatTheServerForgotAreSeen() throws Exception {
    Fate fate = new Fate.Forget(sleepers()::contains);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, fate)) {
      Measured load = Measured.run(plan(server));
      LoadResult result = load.result();

      assertThat(result.connections().held()).isEqualTo(CONNECTIONS - CONNECTIONS / EACH);
      assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().lost() + result.connections().reset()).isZero();
      assertThat(result.messages().unanswered() + result.messages().failed()).isZero();
      assertThat(result.verdictReasons())
          .filteredOn(doubt -> doubt.reason() == ReasonCode.CONNECTIONS_SILENT)
          .extracting(Reason::detail)
          .singleElement()
          .asString()
          .startsWith("6 of 60 connections that were still open did not answer");
    }
  }

  /** What was unanswered when the drain ended stays so, whatever comes later. */
  @Test
  void anAnswerToTheLoadThatComesAfterwardsCountsForNothingMore() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    // From the middle of the steady state on, an answer takes longer than the drain and shorter than the roll call.
    Duration late = Duration.ofMillis(1_500);
    Answering answering = arrivedNs -> stopped.get() ? arrivedNs + late.toNanos() : arrivedNs;
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, answering)) {
      Measured load =
          Measured.run(
              plan(server).drain(Duration.ofMillis(100)).connectTimeout(Duration.ofSeconds(20)),
              phase -> stopped.set(phase == Phase.STEADY || phase == Phase.DRAIN));
      LoadResult.Messages messages = load.result().messages();

      assertThat(messages.unanswered()).isPositive();
      assertThat(messages.answered() + messages.unanswered() + messages.failed()).isEqualTo(messages.scheduled());
      assertThat(load.responses().getTotalCount()).isEqualTo(messages.scheduled());
      assertThat(load.result().connections().held()).isEqualTo(CONNECTIONS);
    }
  }

  /** Where a process was told too late, one that was told in time has asked its first connections: they have had their turn. */
  @Test
  void aRollCallThatIsAnnouncedAgainAsksNobodyTwice() {
    Timing timing = new Timing();
    LoadPlan plan = Measured.plan(new Target("127.0.0.1", 9), 4, 10, Duration.ofSeconds(1)).connectsPerSecond(1_000).build();
    RollCall roll = new RollCall(new LoopPlan(plan, new Slice(0, 1, 4, 4), new Addresses(List.of(), List.of())), timing);
    assertThat(roll.nextNs()).isEqualTo(Timing.UNKNOWN);
    assertThat(timing.ofRollCall(100)).isFalse();
    timing.callRoll(100);
    assertThat(roll.nextNs()).isEqualTo(100);
    assertThat(roll.take()).isZero();
    timing.callRoll(5_000_000);
    assertThat(timing.ofRollCall(100)).as("its answer counts").isTrue();
    for (int c = 1; c < 4; c++) {
      assertThat(roll.nextNs()).isEqualTo(5_000_000 + c * 1_000_000L);
      assertThat(roll.take()).isEqualTo(c);
    }
    assertThat(roll.nextNs()).isEqualTo(Timing.UNKNOWN);
  }
}
