package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.schedule.ConstantSchedule;
import echoladder.client.schedule.Slice;
import echoladder.openloop.Measured;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.ScheduledPacer;
import echoladder.openloop.schedule.Timing;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** A client that has not come to the end of its schedule when the drain ends: what it did not reach was intended too. */
class BacklogTest {
  private static final int CONNECTIONS = 10;
  // More than any loop sends; what it does send costs no more than the bursts between two looks at its sockets.
  private static final double RATE_PER_S = 10_000_000;
  private static final Duration STEADY = Duration.ofMillis(200);
  private static final Duration DRAIN = Duration.ofMillis(100);

  @Test
  void countsWhatItDidNotReachAsUnansweredAtItsAge() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load =
          Measured.run(Measured.plan(server.target(), CONNECTIONS, RATE_PER_S, STEADY)
              .warmUp(Duration.ofMillis(50), Duration.ofMillis(50), 0).drain(DRAIN));
      LoadResult result = load.result();

      // A constant schedule is even to a message per connection.
      double intended = RATE_PER_S * STEADY.toNanos() / 1e9;
      assertThat((double) result.messages().scheduled()).isBetween(intended - CONNECTIONS, intended + CONNECTIONS);
      assertThat(result.messages().answered() + result.messages().unanswered() + result.messages().failed()).isEqualTo(result.messages().scheduled());
      assertThat(load.responses().getTotalCount()).isEqualTo(result.messages().answered() + result.messages().unanswered());
      assertThat(load.responses().getCountBetweenValues((long) (0.99 * DRAIN.toNanos()), Recorders.HIGHEST_NS))
          .isGreaterThanOrEqualTo(result.messages().unanswered());
      assertThat(load.reasons()).contains(ReasonCode.UNANSWERED, ReasonCode.OFFERED_RATE_NOT_REACHED);
    }
  }

  /** Told apart from a run that was stopped: what was to come after the stop was never due. */
  @Test
  void whatWasNotDueWhenItWasSettledDoesNotCount() {
    Counters counters = settled(2_000_000_000L);
    assertThat(counters.get(Counters.Of.SCHEDULED)).isEqualTo(1_000);
    assertThat(counters.get(Counters.Of.UNANSWERED)).isEqualTo(1_000);
    assertThat(counters.get(Counters.Of.YOUNGEST_UNANSWERED_NS)).isBetween(0L, 1_000_000L);
  }

  @Test
  void allOfTheSteadyStateCountsAfterIt() {
    Counters counters = settled(4_000_000_000L);
    assertThat(counters.get(Counters.Of.SCHEDULED)).isEqualTo(2_000);
    assertThat(counters.get(Counters.Of.UNANSWERED)).isEqualTo(2_000);
    assertThat(counters.get(Counters.Of.YOUNGEST_UNANSWERED_NS)).isBetween(1_000_000_000L, 1_001_000_000L);
  }

  /** The counts of a loop that took nothing off a schedule of 1,000/s, whose steady state is from 1 s to 3 s. */
  private static Counters settled(long nowNs) {
    LoopPlan plan = Measured.loop(Measured.plan(new Target("127.0.0.1", 9), 1, 1_000, STEADY).build());
    Connections conns = new Connections(1);
    conns.state[0] = Connections.OPEN;
    Timing timing = new Timing();
    timing.scheduleStartNs = 0;
    timing.steadyStartNs = 1_000_000_000L;
    timing.steadyEndNs = 3_000_000_000L;
    timing.finish = true;
    Counters counters = new Counters();
    Pacer pacer = new ScheduledPacer(new ConstantSchedule(new Slice(0, 1, 1, 1), 1_000, 1), timing);
    MessageStats stats = new MessageStats(timing, plan, counters, new Recorders(counters), MessageObserver.NONE);
    new DrainAccounting(conns, new Messages(64), pacer, stats, new BitSet()).account(timing, nowNs, counters);
    assertThat(pacer.nextNs()).isEqualTo(Timing.UNKNOWN);
    return counters;
  }
}
