package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value in a table says what it is in. */
class UnitTest {
  @ParameterizedTest
  @CsvSource({
    "cut_all_noticed_seconds, 17.9, 17.9 s", "storm_down_seconds, 0.45, 450 ms", "server_time_p99_ns, 1500000, 1.50 ms",
    "server_cpu_us_per_delivery, 4.2, 4.20 µs", "goodput_bytes_per_s, 2048, 2.00 KiB/s", "reach_share, 0.5, 50.0 %"
  })
  void aValueHasItsUnit(String name, double value, String text) {
    assertThat(Unit.ofName(name).text(value)).isEqualTo(text);
  }
}
