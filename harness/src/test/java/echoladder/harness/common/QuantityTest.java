package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, 500000000",
    "20s, 20000000000",
    "1.5s, 1500000000",
    "5m, 300000000000",
    "2 h, 7200000000000",
    "0s, 0"
  })
  void timesAreNanoseconds(String text, long ns) {
    assertThat(Quantity.ns(text)).isEqualTo(ns);
  }

  @ParameterizedTest
  @CsvSource({"64B, 64", "16KiB, 16384", "1MiB, 1048576"})
  void sizesAreBytes(String text, long bytes) {
    assertThat(Quantity.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"5000/s, 5000", "0.5/s, 0.5"})
  void ratesArePerSecond(String text, double perSecond) {
    assertThat(Quantity.perSecond(text)).isEqualTo(perSecond);
  }

  @ParameterizedTest
  @CsvSource({"1B/s, 1", "512 B/s, 512", "1KiB/s, 1024", "0.5MiB/s, 524288"})
  void ratesOfBytesAreBytesPerSecond(String text, long bytes) {
    assertThat(Quantity.BYTES_PER_S.parse(text).longValue()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1KiB", "1024", "1024/s", "1kB/s", "-1B/s", "1KiB/m", "1GiB/s"})
  void anythingElseIsNoRateOfBytes(String text) {
    assertThatThrownBy(() -> Quantity.BYTES_PER_S.parse(text)).hasMessageContaining("a rate of bytes, as in 512B/s, 1KiB/s or 2MiB/s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "20", "s", "20 seconds", "-1s", "1e3s", "20S", "20us", "64B", "5/s", "1s2", "١s"})
  void anythingElseIsNoTime(String text) {
    assertThatThrownBy(() -> Quantity.ns(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a time with its unit ms, s, m or h");
  }

  @ParameterizedTest
  @ValueSource(strings = {"64", "64b", "64KB", "1GiB", "64 bytes", "-64B"})
  void anythingElseIsNoSize(String text) {
    assertThatThrownBy(() -> Quantity.bytes(text)).hasMessageContaining("a size with its unit B, KiB or MiB");
  }
}
