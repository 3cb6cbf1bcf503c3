package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The period of bursts follows from connections and rate; a plan's steady state has whole periods. */
class BurstsTest {
  private static LoadPlan.Builder plan(int connections, double perS, Duration steady) {
    return LoadPlan.builder(new Target("127.0.0.1", 9), connections, perS, steady).schedule(Schedule.BURST);
  }

  @ParameterizedTest
  @CsvSource({
    "10000, 1,    10000, 10000, 10000", "10000, 1,    10000, 10001, 11000", "10000, 0.1,  1000, 2500, 3000",
    "3,     1,    1,     1000,  3000",  "10000, 1,    5000,  5000,  6000",
  })
  void aSteadyStateIsRoundedUpToWholePeriods(int connections, double share, double perS, long asked, long steady) {
    LoadPlan plan = plan(connections, perS, Duration.ofMillis(asked)).activeShare(share).build();
    assertThat(plan.steady()).isEqualTo(Duration.ofMillis(steady));
    // A plan that has been through a pipe is the same.
    assertThat(plan(connections, perS, plan.steady()).activeShare(share).build().steady()).isEqualTo(plan.steady());
  }

  @Test
  void anotherScheduleKeepsItsSteadyState() {
    LoadPlan plan = plan(3, 1, Duration.ofSeconds(1)).schedule(Schedule.CONSTANT).build();
    assertThat(plan.steady()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void burstsThatFollowTooSoonAreRefused() {
    assertThatThrownBy(() -> plan(10, 2_000, Duration.ofSeconds(1)).build())
        .hasMessageContaining("rate: 2000.0 is not allowed; a burst every 10 ms at most");
  }
}
