package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Units;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ns", "999, 999 ns", "1000, 1.00 µs", "9994, 9.99 µs", "9996, 10.0 µs", "99949, 99.9 µs", "99960, 100 µs",
    "142000, 142 µs", "999499, 999 µs", "999500, 1.00 ms", "1234567, 1.23 ms", "999499999, 999 ms",
    "999500000, 1.00 s", "65432000000, 65.4 s", "3600000000000, '3,600 s'"
  })
  void timesTakeTheUnitThatFits(long ns, String text) {
    assertThat(Units.time(ns)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B", "64, 64 B", "1023, 1023 B", "1024, 1.00 KiB", "4147, 4.05 KiB", "1048575, 1.00 MiB",
    "105906176, 101 MiB", "-2048, -2.00 KiB", "3221225472, 3.00 GiB"
  })
  void sizesTakeTheUnitThatFits(long bytes, String text) {
    assertThat(Units.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void nothingIsADash() {
    assertThat(Units.time(null)).isEqualTo("–");
    assertThat(Units.us(null)).isEqualTo("–");
    assertThat(Units.times(null)).isEqualTo("–");
    assertThat(Units.bytes((Long) null)).isEqualTo("–");
    assertThat(Units.percent(null)).isEqualTo("–");
  }

  @Test
  void others() {
    assertThat(Units.us(23.44)).isEqualTo("23.4 µs");
    assertThat(Units.times(1.516)).isEqualTo("1.52×");
    assertThat(Units.percent(0.1234)).isEqualTo("12.3 %");
    assertThat(Units.count(1_000_000)).isEqualTo("1,000,000");
    assertThat(Units.clock(Duration.ofMillis(247_900))).isEqualTo("4:07");
  }

  /** As the ticks of a logarithmic axis: two of them may not read the same. */
  @Test
  void aNumberHasAsManyDigitsAsItNeeds() {
    assertThat(Units.plain(0.000_001)).isEqualTo("0.000001");
    assertThat(Units.plain(0.0001)).isEqualTo("0.0001");
    assertThat(Units.plain(0)).isEqualTo("0");
    assertThat(Units.plain(1_234.5)).isEqualTo("1,234.5");
  }
}
