package echoladder.harness.lab;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is made of a trial, however that ends. */
final class ConfinementTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void aTrialThatFailsRefusesWithWhatItSaid() {
    assertThatCode(() -> Confinement.refuseWhereFails(List.of("true"), LONG)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Confinement.refuseWhereFails(List.of("sh", "-c", "echo not permitted >&2; exit 1"), LONG))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("none can be made here (ended with exit status 1: not permitted); nothing was started");
    assertThatThrownBy(() -> Confinement.refuseWhereFails(List.of("no-such-program"), LONG))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no-such-program");
  }

  /** Its stdout is open until it ends. */
  @Test
  void aTrialThatDoesNotEndIsGivenUp() {
    assertThatThrownBy(() -> Confinement.refuseWhereFails(List.of("sleep", "600"), Duration.ofMillis(50)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("'sleep 600' did not end within 0 s");
  }
}
