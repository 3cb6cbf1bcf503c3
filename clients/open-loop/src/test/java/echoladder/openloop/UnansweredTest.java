package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.ReasonCode;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** A server that stops answering: what it leaves unanswered is in the count and in the times. */
class UnansweredTest {
  private static final Duration STEADY = Duration.ofSeconds(3);
  private static final Duration DRAIN = Duration.ofMillis(500);
  private static final int CONNECTIONS = 100;
  private static final double RATE_PER_S = 1_000;

  @Test
  void isCountedAndRecordedAtItsAge() throws Exception {
    AtomicLong stoppedNs = new AtomicLong(Answering.NEVER);
    AtomicLong drainNs = new AtomicLong();
    Answering answering = Answering.until(() -> System.nanoTime() >= stoppedNs.get());
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, answering)) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), CONNECTIONS, RATE_PER_S, STEADY).drain(DRAIN).connectTimeout(Duration.ofSeconds(3)),
              phase -> {
                if (phase == Phase.STEADY) {
                  CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)
                      .execute(() -> stoppedNs.set(System.nanoTime()));
                } else if (phase == Phase.DRAIN) {
                  drainNs.set(System.nanoTime());
                }
              });
      LoadResult result = load.result();

      // One message of each connection is on its way for good, the later ones wait behind it.
      long heldByServer = server.record().received() - server.record().answered();
      assertThat(heldByServer).isEqualTo(CONNECTIONS);
      assertThat(result.messages().sent() - result.messages().answered()).isEqualTo(heldByServer);
      assertThat(result.messages().failed()).isZero();
      assertThat(result.messages().unanswered()).isEqualTo(result.messages().scheduled() - result.messages().answered());
      // What was intended after the stop is unanswered, all of it; the constant schedule is even to a message per
      // connection.
      double intendedAfter = (drainNs.get() - stoppedNs.get()) / 1e9 * RATE_PER_S;
      assertThat((double) result.messages().unanswered()).isGreaterThan(intendedAfter * 0.9 - CONNECTIONS);

      Histogram responses = load.responses();
      assertThat(responses.getTotalCount()).isEqualTo(result.messages().scheduled());
      // The oldest is as old as the stop, the youngest as old as the drain is long.
      long atLeastMax = (long) (0.999 * (drainNs.get() - stoppedNs.get()));
      assertThat(responses.getMaxValue()).isGreaterThan(atLeastMax);
      assertThat(responses.getCountBetweenValues((long) (0.95 * DRAIN.toNanos()), Recorders.HIGHEST_NS))
          .isGreaterThanOrEqualTo(result.messages().unanswered());

      // Beyond the share that was answered, percentiles are lower bounds.
      double answeredPercent = 100.0 * result.messages().answered() / result.messages().scheduled();
      assertThat(result.responseTimeLowerBoundBeyond()).isNotNull().isLessThanOrEqualTo(answeredPercent + 1e-9);
      assertThat(result.responseTimeLowerBoundBeyond()).isGreaterThan(answeredPercent / 2);
      assertThat(load.reasons()).contains(ReasonCode.UNANSWERED, ReasonCode.OFFERED_RATE_NOT_REACHED);
      assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().lost() + result.connections().reset()).isZero();
      assertThat(result.connections().held()).isZero();
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_SILENT);
    }
  }

  @Test
  void nothingIsFlaggedWhereAllWasAnswered() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load = Measured.run(Measured.plan(server.target(), 50, 500, Duration.ofSeconds(1)));
      assertThat(load.result().responseTimeLowerBoundBeyond()).isNull();
      assertThat(load.result().messages().unanswered()).isZero();
      assertThat(load.reasons()).doesNotContain(ReasonCode.UNANSWERED);
    }
  }
}
