package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Schedule;
import echoladder.client.Target;
import echoladder.openloop.Measured;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.Timing;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A load whose rate rises: placed on the clock of the run, and run. */
class RampedLoadTest {
  private static final int CONNECTIONS = 50;
  private static final double PER_S = 500;
  private static final Duration STEADY = Duration.ofSeconds(2);

  private static LoadPlan.Builder plan(Target target) {
    return Measured.plan(target, CONNECTIONS, PER_S, STEADY).schedule(Schedule.RAMPED);
  }

  /** Three tenths of the messages are due in the first half: a fifth and nine fifths of the rate at the ends, the mean in the middle. */
  @Test
  void theRampBeginsWithTheSteadyState() {
    Timing timing = new Timing();
    Pacer pacer = Measured.loop(plan(new Target("127.0.0.1", 9)).build()).pacer(timing);
    long start = 7_000_000_000L;
    long steady = start + 1_234_567_890L;
    timing.scheduleStartNs = start;
    int[] due = new int[3];
    for (; pacer.dueNs() < start + 1_000_000_000L; pacer.take()) {
      due[0]++;
    }
    timing.steadyEndNs = steady + STEADY.toNanos();
    timing.steadyStartNs = steady;
    for (; pacer.dueNs() < steady; pacer.take()) {
      due[0]++;
    }
    for (; pacer.dueNs() != Timing.UNKNOWN; pacer.take()) {
      due[pacer.dueNs() < steady + STEADY.toNanos() / 2 ? 1 : 2]++;
    }
    assertThat(due[0]).as("warm-up").isBetween(617 - CONNECTIONS, 617 + CONNECTIONS);
    assertThat(due[1]).as("first half").isBetween(300 - CONNECTIONS, 300 + CONNECTIONS);
    assertThat(due[1] + due[2]).as("steady state").isEqualTo(1_000);
  }

  @Test
  void aRunIntendsTheRateAndIsNotJudgedForDrift() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadResult result = Measured.run(plan(server.target()).loops(2)).result();
      assertThat(result.messages().scheduled()).isEqualTo(1_000);
      assertThat(result.messages().answered()).isEqualTo(1_000);
      assertThat(result.pace().offeredPerS()).isEqualTo(PER_S);
      assertThat(result.drift()).isEqualTo(LoadResult.Drift.UNKNOWN);
    }
  }
}
