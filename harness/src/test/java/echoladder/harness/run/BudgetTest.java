package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final Duration WHOLE = Duration.ofHours(7);

  private static Budget after(Duration elapsed) {
    return new Budget(WHOLE.toNanos(), System.nanoTime() - elapsed.toNanos());
  }

  @Test
  void whatIsTriedLeavesTimeForTheReports() {
    Budget hourLeft = after(WHOLE.minusHours(1));
    assertThat(hourLeft.fits(Duration.ofHours(1).minus(Budget.FOR_REPORTS).minusMinutes(5))).isTrue();
    assertThat(hourLeft.fits(Duration.ofHours(1).minus(Budget.FOR_REPORTS.dividedBy(2))))
        .as("it would end, and the reports would not")
        .isFalse();
  }

  @Test
  void aWarmUpGetsWhatIsSpareAndNeverLessThanItsLeast() {
    Duration least = Duration.ofSeconds(3);
    assertThat(after(WHOLE.minusHours(1)).warmUpMost(least, Duration.ofHours(9), Duration.ofMinutes(30), 1))
        .isBetween(Duration.ofMinutes(25), Duration.ofMinutes(30));
    assertThat(after(WHOLE).warmUpMost(least, Duration.ofHours(9), Duration.ofMinutes(30), 1)).isEqualTo(least);
  }

  @Test
  void withoutOneEverythingFits() {
    Budget none = new Budget(null, System.nanoTime());
    assertThat(none.ends()).isFalse();
    assertThat(none.fits(Duration.ofDays(9))).isTrue();
    assertThat(none.warmUpMost(Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofDays(9), 5)).isEqualTo(Duration.ofSeconds(10));
  }
}
