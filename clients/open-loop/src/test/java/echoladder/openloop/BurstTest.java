package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Schedule;
import echoladder.client.figures.Crowd;
import echoladder.client.schedule.Bursts;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Everyone at once, against servers that take a known time for each message of a crowd: no time can be shorter than theirs. */
class BurstTest {
  private static final long MS = 1_000_000;
  private static final int CONNECTIONS = 60;
  /** A burst every 400 ms. */
  private static final double PER_S = 150;
  private static final int BURSTS = 5;

  private static Measured burst(TestServer server, double activeShare, int loops) throws Exception {
    double perS = PER_S * activeShare;
    Measured load =
        Measured.run(
            Measured.plan(server.target(), CONNECTIONS, perS, Duration.ofMillis(400L * BURSTS))
                .schedule(Schedule.BURST).activeShare(activeShare).loops(loops));
    int senders = Bursts.senders(CONNECTIONS, activeShare);
    // Borders lie between bursts: what counts is whole bursts, and just the rate.
    assertThat(load.result().messages().scheduled()).isEqualTo((long) BURSTS * senders);
    assertThat(load.result().pace().offeredPerS()).isEqualTo(perS);
    assertThat(load.result().crowd().bursts()).isEqualTo((long) BURSTS * loops);
    assertThat(load.result().messages().unanswered()).isZero();
    return load;
  }

  /** One message after the other, 2 ms each: the last of a burst of n has waited for n times that. */
  @Test
  void whatQueuesBehindOthersOfTheBurstIsResponseTime() throws Exception {
    AtomicLong busyUntilNs = new AtomicLong();
    Answering oneByOne = arrivedNs -> busyUntilNs.updateAndGet(until -> Math.max(until, arrivedNs) + 2 * MS);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, oneByOne)) {
      Measured load = burst(server, 1, 1);
      long least = CONNECTIONS * 2 * MS;
      Histogram answers = load.times(TimeKind.BURST_ANSWER);
      assertThat(answers.getTotalCount()).isEqualTo(BURSTS);
      assertThat(answers.getMinValue()).isGreaterThanOrEqualTo(least * 999 / 1_000);
      Crowd crowd = load.result().crowd();
      assertThat(crowd.burstAnswer().maxNs()).isEqualTo(answers.getMaxValue());
      // What the client took to send is no backlog; both together are at most the whole.
      long send = load.times(TimeKind.BURST_SEND).getMinValue();
      assertThat(send).isPositive();
      assertThat(load.times(TimeKind.BURST_BACKLOG).getMinValue()).isLessThanOrEqualTo(answers.getMaxValue() - send);
      // Each message of a burst waits for those before it: of any burst one third waits for at least two thirds of it.
      assertThat(Measured.shareFrom(load.responses(), least * 2 / 3)).isGreaterThanOrEqualTo(0.3);
      assertThat(load.responses().getMaxValue()).isEqualTo(answers.getMaxValue());
    }
  }

  @Test
  void aServerThatTakesItsTimeWithEachIsSeenByEveryBurst() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofMillis(100)))) {
      Measured load = burst(server, 0.75, 2);
      assertThat(load.times(TimeKind.BURST_ANSWER).getMinValue()).isGreaterThanOrEqualTo(100 * MS * 999 / 1_000);
      assertThat(load.responses().getMinValue()).isGreaterThanOrEqualTo(100 * MS * 999 / 1_000);
    }
  }

  /** A server that falls behind by more than a period: the messages of the next burst wait, from their own instant. */
  @Test
  void aBurstThatFindsTheLastOneUnansweredWaits() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofMillis(600)))) {
      Measured load = burst(server, 1, 1);
      // One in flight per connection: burst k of 400 ms waits for the k before it, 600 ms each.
      assertThat(load.times(TimeKind.BURST_ANSWER).getMaxValue()).isGreaterThanOrEqualTo((600 * BURSTS - 400 * (BURSTS - 1)) * MS * 999 / 1_000);
      assertThat(load.times(TimeKind.SERVICE).getMaxValue()).isLessThan(load.responses().getMaxValue());
    }
  }
}
