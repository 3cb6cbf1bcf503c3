package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Invalidity;
import echoladder.harness.Results;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.study.Study;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which rungs are measured again: never one for what the server did. */
class DisturbanceTest {
  private static final Study.Thresholds BOUNDS = Study.Thresholds.DEFAULT;

  private static boolean alone(Invalidity... reasons) {
    return Disturbance.alone(EndsTest.invalid("a", 10, reasons), BOUNDS);
  }

  @Test
  void stealOrForeignCpuAlone() {
    assertThat(alone(Invalidity.HOST_TOO_NOISY)).isTrue();
    assertThat(alone(Invalidity.HOST_TOO_NOISY, Invalidity.HOST_TOO_NOISY)).isTrue();
    assertThat(Disturbance.alone(EndsTest.rung("a", 10, Results.good(10)), BOUNDS)).as("a valid one").isFalse();
  }

  @ParameterizedTest
  @EnumSource(Invalidity.class)
  void noOtherReasonByItself(Invalidity reason) {
    assertThat(alone(reason)).isEqualTo(reason == Invalidity.HOST_TOO_NOISY);
  }

  @ParameterizedTest
  @EnumSource(value = Invalidity.class, mode = EnumSource.Mode.EXCLUDE, names = {
      "HOST_TOO_NOISY", "HOST_SATURATED", "SERVER_SATURATED", "CLIENT_SATURATED", "WARM_UP_INCOMPLETE"})
  void norAnyOutcomeBesideIt(Invalidity reason) {
    assertThat(alone(Invalidity.HOST_TOO_NOISY, reason)).isFalse();
  }

  @Test
  void compilersAreNotDoneBecauseOfOthers() {
    assertThat(alone(Invalidity.HOST_TOO_NOISY, Invalidity.WARM_UP_INCOMPLETE)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    // idle, steal, foreign: whether 5 % would have been idle without the others
    "0, 0, 0.9, true", "0.01, 0.04, 0, true", "0.01, 0.035, 0, false", "0, 0, 0.04, false"
  })
  void aHostIsFullBecauseOfOthersWhereItWereNotWithoutThem(double idle, double steal, double foreign, boolean again) {
    var figures =
        JudgeTest.host(idle, steal, foreign)
            .with(HostMetrics.SERVER_CPUS_IDLE_SHARE, idle)
            .with(HostMetrics.SERVER_CPUS_STEAL_SHARE, steal)
            .with(HostMetrics.CLIENT_CPUS_IDLE_SHARE, idle)
            .with(HostMetrics.CLIENT_CPUS_STEAL_SHARE, steal);
    for (Invalidity full : Arrays.asList(Invalidity.HOST_SATURATED, Invalidity.SERVER_SATURATED, Invalidity.CLIENT_SATURATED)) {
      assertThat(Disturbance.alone(EndsTest.invalid("a", 10, Invalidity.HOST_TOO_NOISY, full).with(figures), BOUNDS)).as("%s", full).isEqualTo(again);
    }
  }
}
