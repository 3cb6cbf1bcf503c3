package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Publish;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Schedule;
import echoladder.client.SlowReaders;
import echoladder.client.Verdict;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.PushServer.Fault;
import echoladder.openloop.testserver.PushServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that are published, against servers that push them rightly, late, or in one way wrongly. */
class PublishTest {
  private static final int SUBSCRIBERS = 20;
  private static final Duration STEADY = Duration.ofSeconds(1);
  private static final double PUBLISHES_PER_S = 100;

  /** What tells of the server, whatever the host does meanwhile. */
  private static final Set<ReasonCode> OF_SERVER =
      EnumSet.of(
          ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST, ReasonCode.CONNECTIONS_SILENT, ReasonCode.ECHO_MISMATCH,
          ReasonCode.DELIVERIES_MISSING, ReasonCode.DELIVERIES_MIXED, ReasonCode.AUDIENCES_DIFFER, ReasonCode.UNANSWERED,
          ReasonCode.TOO_LITTLE_INTENDED);

  private static LoadPlan.Builder plan(PushServer server) {
    return Measured.plan(server.target(), SUBSCRIBERS, PUBLISHES_PER_S * SUBSCRIBERS, STEADY)
        .publish(Publish.ALL).drain(Duration.ofSeconds(2));
  }

  private static Measured faulty(Fault fault) throws Exception {
    return faulty(fault, plan -> plan);
  }

  private static Measured faulty(Fault fault, UnaryOperator<LoadPlan.Builder> with) throws Exception {
    try (PushServer server = PushServer.start(fault, Duration.ZERO)) {
      return Measured.run(with.apply(plan(server)));
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
  @CsvSource({"all, 1, 1, 100, 64", "all, 1, 2, 100, 64", "all, 0.5, 1, 100, 40", "topics-of-7, 1, 2, 300, 64", "all, 1, 1, 20, 200000"})
  void everySubscriberGetsEveryMessageOnceAndInOrder(String to, double share, int loops, double publishesPerS, int bytes) throws Exception {
    Publish publish = Objects.requireNonNull(Publish.ofText(to));
    int subscribers = (int) (SUBSCRIBERS * share);
    double rate = publishesPerS * subscribers / publish.topics(subscribers);
    try (PushServer server = PushServer.start(Fault.NONE, Duration.ZERO)) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), SUBSCRIBERS, rate, STEADY)
                  .publish(publish).activeShare(share).loops(loops).messageBytes(bytes).schedule(Schedule.JITTERED));
      assertThat(ofServer(load)).isEmpty();
      LoadResult result = load.result();
      assertThat(result.connections().held()).isEqualTo(SUBSCRIBERS);
      Deliveries all = deliveries(load);
      assertThat(all.publishes()).isBetween((long) publishesPerS - 1, (long) publishesPerS + 1);
      assertThat(server.published()).isGreaterThanOrEqualTo(Objects.requireNonNull(all.publishes()));
      assertThat(all.deliveriesDone()).isEqualTo(all.deliveriesDue()).isEqualTo(result.messages().answered());
      assertThat(all.reach()).isEqualTo(1);
      // Topics take turns, and their sizes differ by one at most.
      assertThat((double) Objects.requireNonNull(all.deliveriesDue()) / all.publishes())
          .isBetween(subscribers / (double) publish.topics(subscribers) - 1, subscribers / (double) publish.topics(subscribers) + 1);
      assertThat(new long[] {all.deliveriesMissing(), all.deliveriesDuplicate(), all.deliveriesOutOfOrder(), all.deliveriesMixed()})
          .containsOnly(0);
      for (TimeKind each : new TimeKind[] {TimeKind.DELIVERY, TimeKind.RESPONSE, TimeKind.SERVER, TimeKind.SERVICE}) {
        assertThat(load.times(each).getTotalCount()).as(each.tag).isEqualTo(all.deliveriesDone());
      }
      Histogram first = load.times(TimeKind.FIRST_DELIVERY);
      Histogram last = load.times(TimeKind.LAST_DELIVERY);
      assertThat(first.getTotalCount()).isEqualTo(last.getTotalCount()).isEqualTo(all.publishes());
      assertThat(load.times(TimeKind.LATENESS).getTotalCount()).isEqualTo(all.publishes());
      Histogram delivery = load.times(TimeKind.DELIVERY);
      assertThat(first.getMinValue()).isEqualTo(delivery.getMinValue());
      assertThat(last.getMaxValue()).isEqualTo(delivery.getMaxValue());
      assertThat(delivery.getMaxValue()).isLessThanOrEqualTo(load.responses().getMaxValue());
      assertThat(result.messages().echoesInSteady()).isPositive();
    }
  }

  @Test
  void whatTheServerWaitsIsInEachOfItsTimes() throws Exception {
    try (PushServer server = PushServer.start(Fault.NONE, Duration.ofMillis(50))) {
      Measured load = Measured.run(plan(server));
      assertThat(ofServer(load)).isEmpty();
      for (TimeKind kind : new TimeKind[] {TimeKind.DELIVERY, TimeKind.SERVER, TimeKind.FIRST_DELIVERY, TimeKind.LAST_DELIVERY}) {
        assertThat(load.times(kind).getMinValue()).as(kind.tag).isGreaterThanOrEqualTo(50_000_000L * 999 / 1_000);
      }
    }
  }

  /** A server that stands still: whatever was to be published meanwhile was published, and has what was left of it in its server time. */
  @Test
  void aStallIsInTheServerTimeOfEveryMessageThatWasIntendedInIt() throws Exception {
    Duration stall = Duration.ofMillis(500);
    try (PushServer server = PushServer.start(Fault.NONE, Duration.ZERO)) {
      AtomicLong begun = new AtomicLong();
      Measured load =
          Measured.run(
              plan(server),
              phase -> {
                if (phase == Phase.STEADY) {
                  begun.set(System.nanoTime());
                  Thread.ofPlatform().start(() -> stalled(server, stall));
                }
              });
      assertThat(ofServer(load)).isEmpty();
      assertThat(begun.get()).isPositive();
      // Of a second with a message every 10 ms, those of the first 250 ms or more of the stall have waited 250 ms.
      assertThat(Measured.shareFrom(load.times(TimeKind.SERVER), 250_000_000L)).isGreaterThanOrEqualTo(0.2);
      assertThat(Measured.shareFrom(load.times(TimeKind.LAST_DELIVERY), 250_000_000L)).isGreaterThanOrEqualTo(0.2);
    }
  }

  private static void stalled(PushServer server, Duration stall) {
    try {
      server.stall(stall);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aMessageThatNeverComesIsMissingAndCountsAtItsAge() throws Exception {
    Measured load = faulty(Fault.SKIP);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MISSING);
    Deliveries all = deliveries(load);
    assertThat(all.deliveriesMissing()).isPositive();
    assertThat(all.deliveriesDone()).isLessThan(Objects.requireNonNull(all.deliveriesDue()));
    assertThat(all.reach()).isBetween(0.98, 0.999);
    assertThat(load.times(TimeKind.DELIVERY).getTotalCount()).isEqualTo(all.deliveriesDue());
    // Those of the beginning are as old as the steady state.
    assertThat(load.times(TimeKind.LAST_DELIVERY).getMaxValue()).isGreaterThan(STEADY.toNanos() / 2);
    assertThat(load.result().responseTimeLowerBoundBeyond()).isBetween(98.0, 100.0);
    assertThat(load.result().verdict()).isNotEqualTo(Verdict.VALID);
  }

  /** Messages of the warm-up that a subscriber lacks are owed by nobody when the load ends. */
  @Test
  void whatIsOwedAtTheEndIsToldBesideWhatIsMissingOfAnyPhase() throws Exception {
    try (PushServer server = PushServer.start(Fault.FADE, Duration.ZERO)) {
      Measured load = Measured.run(plan(server));
      assertThat(ofServer(load)).containsExactlyInAnyOrder(ReasonCode.DELIVERIES_MISSING, ReasonCode.UNANSWERED);
      long owed = server.published() - PushServer.LAST + 1;
      long missing = Objects.requireNonNull(deliveries(load).deliveriesMissing());
      String said =
          load.result().verdictReasons().stream()
              .filter(doubt -> doubt.reason() == ReasonCode.UNANSWERED).map(Reason::detail).findFirst().orElseThrow();
      assertThat(Long.parseLong(said.replaceFirst(" of .*", "")))
          .isGreaterThan(load.result().messages().unanswered() - missing)
          .isLessThanOrEqualTo(owed);
    }
  }

  @Test
  void aMessageThatComesTwiceIsTold() throws Exception {
    Measured load = faulty(Fault.TWICE);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MIXED);
    assertThat(deliveries(load).deliveriesDuplicate()).isPositive();
    assertThat(deliveries(load).reach()).isEqualTo(1);
    assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void aMessageBehindALaterOneIsOutOfOrderAndNotMissing() throws Exception {
    Measured load = faulty(Fault.SWAP);
    assertThat(ofServer(load)).containsExactly(ReasonCode.DELIVERIES_MIXED);
    assertThat(deliveries(load).deliveriesOutOfOrder()).isPositive();
    assertThat(deliveries(load).deliveriesDuplicate()).isZero();
    assertThat(deliveries(load).reach()).isEqualTo(1);
  }

  @Test
  void aMessageOfAnotherTopicIsMixedUp() throws Exception {
    Measured load = faulty(Fault.OTHER_TOPIC);
    assertThat(ofServer(load)).containsExactlyInAnyOrder(ReasonCode.DELIVERIES_MIXED, ReasonCode.DELIVERIES_MISSING);
    assertThat(deliveries(load).deliveriesMixed()).isEqualTo(deliveries(load).deliveriesMissing()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"WRONG_BYTE", "SHORT"})
  void aWrongByteIsSeen(Fault fault) throws Exception {
    Measured load = faulty(fault);
    assertThat(ofServer(load)).contains(ReasonCode.ECHO_MISMATCH);
    assertThat(load.result().messages().echoMismatches()).isEqualTo(deliveries(load).deliveriesMissing());
    assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void aFrameThatNoSubscriberIsSentEndsTheConnection() throws Exception {
    Measured load = faulty(Fault.GARBAGE);
    assertThat(ofServer(load)).contains(ReasonCode.ECHO_MISMATCH, ReasonCode.CONNECTIONS_LOST);
    assertThat(load.result().connections().dropped()).isPositive();
  }

  @Test
  void anAudienceOfAnotherSizeIsTold() throws Exception {
    Measured load = faulty(Fault.COUNT);
    assertThat(ofServer(load)).containsExactly(ReasonCode.AUDIENCES_DIFFER);
    assertThat(deliveries(load).audiencesDiffer()).isPositive();
    assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
  }

  /** From the first answer that is missing on, every answer is of another message: only their number tells. */
  @Test
  void aPublishWithoutAnswerIsUnanswered() throws Exception {
    assertThat(ofServer(faulty(Fault.SILENT))).containsExactly(ReasonCode.UNANSWERED);
  }

  @Test
  void aSubscriberThatTheServerEndsIsLostAndTheAudienceMayShrinkByIt() throws Exception {
    Measured load = faulty(Fault.HANG_UP_SUBSCRIBER);
    assertThat(ofServer(load)).containsExactly(ReasonCode.CONNECTIONS_LOST);
    LoadResult.Messages messages = load.result().messages();
    assertThat(messages.failed()).isPositive();
    assertThat(messages.answered() + messages.failed() + messages.unanswered()).isEqualTo(messages.scheduled());
  }

  @Test
  void aPublisherThatTheServerEndsIsToldAndWhatItOwedIsUnanswered() throws Exception {
    Measured load = faulty(Fault.HANG_UP_PUBLISHER, plan -> plan.drain(Duration.ofMillis(200)));
    assertThat(ofServer(load)).contains(ReasonCode.CONNECTIONS_LOST, ReasonCode.UNANSWERED);
    assertThat(load.result().errors().keySet()).anyMatch(cause -> cause.startsWith("publisher: "));
    LoadResult.Messages messages = load.result().messages();
    assertThat(messages.answered() + messages.failed() + messages.unanswered()).isEqualTo(messages.scheduled());
  }

  /** The server writes to them all the same: it notices nothing before their sockets are full. */
  @Test
  void whoDoesNotReadIsDueNothingAndNoneOfTheOthersIsMissed() throws Exception {
    Measured load = faulty(Fault.NONE, plan -> plan.slowReaders(SlowReaders.ofShare(0.1)));
    assertThat(ofServer(load)).isEmpty();
    Deliveries all = deliveries(load);
    SlowReaderFigures slow = load.result().crowd().slow();
    assertThat(slow.slowReaders()).isEqualTo(slow.slowReadersOpen()).isEqualTo(2);
    assertThat(slow.slowReadersEnded()).isZero();
    assertThat(slow.slowReadersReadBytes()).isZero();
    assertThat(slow.slowReadersSentBytes()).isNull();
    // Each of them is published what each of the others is.
    assertThat(slow.slowReadersOwedBytes()).isEqualTo(2L * Measured.MESSAGE_BYTES * Objects.requireNonNull(all.publishes()));
    assertThat(slow.slowReadersClientBytes()).isPositive();
    assertThat(all.deliveriesDue()).isEqualTo(18 * Objects.requireNonNull(all.publishes()));
    assertThat(all.reach()).isEqualTo(1);
    assertThat(load.result().connections().held()).isEqualTo(18);
    assertThat(load.times(TimeKind.DELIVERY).getTotalCount()).isEqualTo(all.deliveriesDue());
  }

  /** Each of the two reads a quarter of its rate at a time, and lags behind what it is sent: 100 messages of 1 KiB a second. */
  @Test
  void whoReadsSlowlyReadsNoMoreThanItsRate() throws Exception {
    long perS = 20_000;
    long beginning = System.nanoTime();
    Measured load =
        faulty(Fault.NONE, plan -> plan.messageBytes(1_024).slowReaders(new SlowReaders(0.1, perS)));
    double seconds = (System.nanoTime() - beginning) / 1e9;
    assertThat(ofServer(load)).isEmpty();
    assertThat(deliveries(load).reach()).isEqualTo(1);
    SlowReaderFigures slow = load.result().crowd().slow();
    assertThat(slow.slowReadersOpen()).isEqualTo(2);
    assertThat(slow.slowReadersReadBytes()).isPositive().isLessThanOrEqualTo((long) (2 * perS * seconds));
    assertThat(slow.slowReadersReadBytes()).isLessThan(Objects.requireNonNull(slow.slowReadersOwedBytes()));
  }

  /** Who ends first is the first to have subscribed: with one reader in two it may be a slow one, whose end is no loss of the load's. */
  @Test
  void anEndOfOneThatDoesNotReadIsTimedAndNoLoss() throws Exception {
    Measured load = faulty(Fault.HANG_UP_SUBSCRIBER, plan -> plan.slowReaders(SlowReaders.ofShare(0.5)));
    SlowReaderFigures all = load.result().crowd().slow();
    LoadResult.Connections connections = load.result().connections();
    assertThat(all.slowReaders()).isEqualTo(10);
    assertThat(load.times(TimeKind.SLOW_READER_ENDED).getTotalCount()).isEqualTo(all.slowReadersEnded());
    // Ten ends come to the first hundred messages, and each is told once.
    assertThat(connections.lost() + connections.reset() + Objects.requireNonNull(all.slowReadersEnded())).isEqualTo(10);
    assertThat(ofServer(load)).isSubsetOf(ReasonCode.CONNECTIONS_LOST);
  }

  @Test
  void aPlanSaysWhatDoesNotGoWithIt() throws Exception {
    try (PushServer server = PushServer.start(Fault.NONE, Duration.ZERO)) {
      assertThatThrownBy(() -> plan(server).churn(new Churn(1, Churn.Lifetime.FIXED)).build()).hasMessageContaining("not with publish");
      assertThatThrownBy(() -> plan(server).messageBytes(39).build()).hasMessageContaining("40 to 1048576 with publish");
      assertThatThrownBy(() -> plan(server).schedule(Schedule.POISSON).build()).hasMessageContaining("constant or jittered with publish");
      assertThatThrownBy(() -> plan(server).inFlight(2).build()).hasMessageContaining("a subscriber sends nothing");
      assertThatThrownBy(() -> Publish.ofText("topics-of-0")).hasMessageContaining("all, or topics-of-N");
    }
  }
}
