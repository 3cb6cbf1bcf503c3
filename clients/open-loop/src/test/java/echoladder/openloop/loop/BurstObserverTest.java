package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Schedule;
import echoladder.client.Target;
import echoladder.openloop.Measured;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A burst is recorded once, when nothing of it is owed any more, whatever order its answers come in. */
class BurstObserverTest {
  private static final long MS = 1_000_000;
  private final Recorders recorders = new Recorders(new Counters());
  private final BurstObserver observer = new BurstObserver(2, recorders);

  private Map<TimeKind, Histogram> recorded() {
    Map<TimeKind, Histogram> times = new EnumMap<>(TimeKind.class);
    recorders.addIntervalTo(times);
    return times;
  }

  private void send(long instant, long leftNs) {
    observer.intended(0, instant);
    if (leftNs > 0) {
      observer.leaves(instant, leftNs);
    }
  }

  private void answer(long instant, long nowNs) {
    observer.answered(0, Answer.RIGHT, times(instant, nowNs));
  }

  private static MessageTimes times(long instant, long nowNs) {
    MessageTimes times = new MessageTimes();
    times.answered(instant, MessageTimes.FREE, instant, MessageTimes.UNKNOWN, nowNs);
    return times;
  }

  private static void assertMs(@Nullable Histogram of, long... ms) {
    Histogram times = Objects.requireNonNull(of);
    assertThat(times.getTotalCount()).isEqualTo(ms.length);
    for (long each : ms) {
      assertThat(times.getCountAtValue(each * MS)).as("%d ms", each).isEqualTo(1);
    }
  }

  @Test
  void burstsThatOverlapAreToldApart() {
    send(1_000 * MS, 1_003 * MS);
    answer(1_000 * MS, 1_005 * MS);
    // All that was intended so far is answered, but not all of the burst is intended.
    assertThat(recorded()).isEmpty();
    send(1_000 * MS, 1_010 * MS);
    send(2_000 * MS, 2_001 * MS);
    // Its connection was busy.
    send(2_000 * MS, 0);
    answer(2_000 * MS, 2_100 * MS);
    answer(2_000 * MS, 2_150 * MS);
    answer(1_000 * MS, 2_200 * MS);
    Map<TimeKind, Histogram> times = recorded();
    assertMs(times.get(TimeKind.BURST_SEND), 10, 1);
    assertMs(times.get(TimeKind.BURST_ANSWER), 1_200, 150);
    assertMs(times.get(TimeKind.BURST_BACKLOG), 1_190, 149);
  }

  /** A crowd is sent one by one, which is no fault of the client; a gap between two sends is. */
  @Test
  void withinABurstASendIsLateAfterTheOneBeforeIt() {
    Timing timing = new Timing();
    timing.steadyStartNs = 0;
    timing.steadyEndNs = 10_000 * MS;
    for (boolean bursts : new boolean[] {true, false}) {
      Schedule schedule = bursts ? Schedule.BURST : Schedule.CONSTANT;
      LoopPlan plan =
          Measured.loop(Measured.plan(new Target("127.0.0.1", 9), 10, 10, Duration.ofSeconds(10)).schedule(schedule).build());
      Counters counters = new Counters();
      MessageStats stats = new MessageStats(timing, plan, counters, new Recorders(counters), MessageObserver.NONE);
      for (double ms : new double[] {0.5, 1.4, 2.3, 3.4, 4.3}) {
        stats.leaves(1_000 * MS, MessageTimes.FREE, 1_000 * MS + (long) (ms * MS));
      }
      assertThat(counters.get(Counters.Of.LATE)).as("bursts %s", bursts).isEqualTo(bursts ? 1 : 4);
      // What came before the instant is none of its sends.
      stats.leaves(2_000 * MS, MessageTimes.FREE, 2_001 * MS + MS / 2);
      assertThat(counters.get(Counters.Of.LATE)).as("bursts %s", bursts).isEqualTo(bursts ? 2 : 5);
    }
  }

  @Test
  void whatFellBehindByManyPeriodsIsKeptAndWhatCountsNoMoreIsForgotten() {
    for (int k = 1; k <= 100; k++) {
      send(k * MS, k * MS);
      send(k * MS, k * MS);
    }
    observer.anew();
    answer(1 * MS, 200 * MS);
    answer(1 * MS, 200 * MS);
    assertThat(recorded()).isEmpty();
    for (int k = 101; k <= 200; k++) {
      send(k * MS, k * MS);
      send(k * MS, k * MS);
    }
    for (int k = 101; k <= 200; k++) {
      answer(k * MS, 300 * MS);
      observer.unanswered(0, times(k * MS, 300 * MS));
    }
    Histogram answers = Objects.requireNonNull(recorded().get(TimeKind.BURST_ANSWER));
    assertThat(answers.getTotalCount()).isEqualTo(100);
    assertThat(answers.getMinValue()).isBetween(99 * MS, 101 * MS);
    assertThat(answers.getMaxValue()).isBetween(198 * MS, 200 * MS);
  }
}
