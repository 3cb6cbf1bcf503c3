package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.Phase;
import echoladder.client.Schedule;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The client sees the delays that the server made: never less than the server's own record says. */
class DelayTest {
  private static final Duration STEADY = Duration.ofSeconds(2);
  // Three significant digits of a histogram: a value may stand up to this much below what was recorded.
  private static final double PRECISION = 1 - 1e-3;

  @ParameterizedTest
  @EnumSource(Schedule.class)
  void noResponseIsShorterThanAFixedDelay(Schedule schedule) throws Exception {
    Duration delay = Duration.ofMillis(20);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(delay))) {
      AtomicReference<long[]> made = new AtomicReference<>();
      Measured load = run(Measured.plan(server.target(), 100, 1_000, STEADY).schedule(schedule), server, made);

      assertThat(load.result().messages().unanswered()).isZero();
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled());
      assertThat(load.responses().getTotalCount()).isEqualTo(load.result().messages().scheduled());
      assertThat(load.responses().getMinValue()).isGreaterThanOrEqualTo((long) (delay.toNanos() * PRECISION));
      assertThat(load.times(TimeKind.SERVICE).getMinValue())
          .isGreaterThanOrEqualTo((long) (delay.toNanos() * PRECISION));
      // Connects are not delayed by this server: what is recorded as connect time must not contain the echo.
      assertThat(load.times(TimeKind.FIRST_ECHO).getMinValue())
          .isGreaterThanOrEqualTo((long) (delay.toNanos() * PRECISION));
      assertDominates(load, made.get());
    }
  }

  @Test
  void aKnownDistributionIsFoundAgain() throws Exception {
    Answering answering = Answering.twoPoint(Duration.ofMillis(2), 0.1, Duration.ofMillis(50), 7);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, answering)) {
      AtomicReference<long[]> made = new AtomicReference<>();
      Measured load = run(Measured.plan(server.target(), 200, 1_000, STEADY), server, made);

      assertThat(load.result().messages().unanswered()).isZero();
      assertThat(load.responses().getMinValue()).isGreaterThanOrEqualTo((long) (2_000_000 * PRECISION));
      // 2,000 draws of 10 %: the share of slow ones lies within 7 % but for once in 100,000 runs, and the seed is fixed.
      assertThat(Measured.shareFrom(load.responses(), 50_000_000)).isGreaterThan(0.07);
      assertDominates(load, made.get());
    }
  }

  /** Runs a load; {@code made} is of all that the server had read by the time of the hold, before the roll call. */
  private static Measured run(LoadPlan.Builder plan, TestServer server, AtomicReference<long[]> made) throws Exception {
    return Measured.run(
        plan,
        phase -> {
          if (phase == Phase.HOLD) {
            made.set(server.record().sortedDelaysNs());
            assertThat(made.get()).hasSize((int) server.record().received());
          }
        });
  }

  /** At least as many responses beyond any time as the server made delays beyond it. */
  private static void assertDominates(Measured load, long[] made) {
    Histogram seen = load.allResponses();
    assertThat(seen.getTotalCount()).isEqualTo(made.length);
    for (int i = 0; i < made.length; i++) {
      long atLeast = (long) (made[i] * PRECISION);
      long seenBeyond = seen.getCountBetweenValues(atLeast, Recorders.HIGHEST_NS);
      assertThat(seenBeyond)
          .as("responses of %,d ns or more, where the server made %,d such delays", atLeast, made.length - i)
          .isGreaterThanOrEqualTo(made.length - i);
    }
  }
}
