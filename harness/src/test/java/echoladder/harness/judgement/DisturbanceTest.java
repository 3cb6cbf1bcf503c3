package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Verdict;
import echoladder.harness.Results;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Quoting;
import echoladder.harness.results.RungRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which rungs are measured again: never one for what the server did. */
class DisturbanceTest {
  private static RungRecord at(double speed) {
    return StopRuleTest.rung("a", 10, Results.good(10)).with(Figures.NONE.with(HostMetrics.HOST_SPEED, speed));
  }

  private static double weight(RungRecord rung) {
    return Disturbance.of(rung);
  }

  @Test
  void byTheSpeedOfTheHost() {
    assertThat(weight(at(1))).isZero();
    assertThat(weight(at(0.96))).isZero();
    assertThat(weight(at(1.08))).isCloseTo(0.08, within(1e-9));
    assertThat(weight(at(0.8))).as("CPU is not given").isCloseTo(1.2, within(1e-9));
    assertThat(Disturbance.lost(at(0.8))).isTrue();
    assertThat(Disturbance.lost(at(0.9))).as("given with a mark").isFalse();
  }

  @Test
  void byTheCpuThatOthersTook() {
    assertThat(weight(StopRuleTest.aside(at(1), ReasonCode.HOST_TOO_NOISY))).isEqualTo(Quoting.SPEED_MARKED);
    assertThat(weight(StopRuleTest.aside(at(1.08), ReasonCode.HOST_TOO_NOISY))).isCloseTo(0.08, within(1e-9));
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, StopRuleTest.aside(at(1), ReasonCode.HOST_TOO_NOISY))).isEqualTo(Quoting.Mark.DISTURBED);
    assertThat(Disturbance.lost(StopRuleTest.aside(at(1), ReasonCode.HOST_TOO_NOISY))).as("given with a mark").isFalse();
  }

  /** Where other programs took much, the speed at the two ends is chance: the figure is marked and given. */
  @Test
  void theSpeedLosesNothingWhereOtherProgramsRan() {
    RungRecord rung = noisy(0.5);
    assertThat(Disturbance.lost(rung)).isFalse();
    assertThat(LoadMetrics.SERVER_CPU.of(rung)).isNotNull();
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, rung)).isEqualTo(Quoting.Mark.DISTURBED);
    assertThat(Disturbance.lost(noisy(0.02))).as("noise of the hypervisor").isTrue();
  }

  private static RungRecord noisy(double foreign) {
    RungRecord rung = at(0.7);
    return StopRuleTest.aside(rung.with(rung.figures().with(HostMetrics.FOREIGN_SHARE, foreign)), ReasonCode.HOST_TOO_NOISY);
  }

  @Test
  void aServerThatHadNotSettledIsNotMeasuredAgain() {
    assertThat(weight(StopRuleTest.aside(at(1), ReasonCode.WARM_UP_INCOMPLETE, ReasonCode.DRIFT))).isZero();
  }

  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void noReasonByItself(ReasonCode reason) {
    boolean noise = Verdict.of(List.of(new Reason(reason, ""))) == Verdict.VALID;
    if (!noise) {
      assertThat(weight(StopRuleTest.invalid("a", 10, reason))).isZero();
    }
  }
}
