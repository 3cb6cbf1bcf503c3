package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** How long lives and waits are, and what a plan refuses. */
class StormPlanTest {
  @ParameterizedTest
  @CsvSource({"0, 100", "1, 200", "2, 400", "6, 6400", "7, 10000", "8, 10000", "1000, 10000"})
  void theBoundOfTheWaitDoublesUpToTheMost(int tries, long boundMs) {
    Storm.BackOff backOff = Objects.requireNonNull(Storm.Kind.BACKOFF.storm().backOff());
    assertThat(backOff.waitNs(tries, 0)).isZero();
    assertThat(backOff.waitNs(tries, 0.5)).isEqualTo(boundMs * 500_000);
    assertThat(Storm.Kind.RUSH.storm().backOff()).isNull();
  }

  @Test
  void aMeanLifeFollowsFromConnectionsAndRate() {
    assertThat(new Churn(50, Churn.Lifetime.FIXED).lifeSeconds(10_000)).isCloseTo(200, within(1e-9));
    assertThat(new Churn(0.1, Churn.Lifetime.FIXED).timeWaitPorts(5)).isEqualTo(1);
  }

  @Test
  void aPlanIsTheSameBehindAPipe() {
    LoadPlan plan =
        LoadPlan.builder(new Target("127.0.0.1", 9), 10, 1, Duration.ofSeconds(1))
            .churn(new Churn(5, Churn.Lifetime.EXPONENTIAL))
            .storm(Storm.Kind.BACKOFF.storm())
            .build();
    assertThat(JsonMapper.shared().readValue(JsonMapper.shared().writeValueAsString(plan), LoadPlan.class)).isEqualTo(plan);
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    assertThatThrownBy(() -> new Churn(0, Churn.Lifetime.FIXED)).hasMessageContaining("churn: 0.0 is not allowed");
    assertThatThrownBy(() -> new Storm(null, Duration.ZERO)).hasMessageContaining("storm within: PT0S is not allowed; 1s to 1h");
    assertThatThrownBy(() -> new Storm.BackOff(Duration.ofSeconds(2), Duration.ofSeconds(1))).hasMessageContaining("back-off: PT2S");
  }
}
