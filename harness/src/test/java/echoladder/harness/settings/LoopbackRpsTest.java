package echoladder.harness.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopbackRpsTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"1 | 1", "2 | 3", "5 | 1f", "32 | ffffffff", "33 | 1,ffffffff", "72 | ff,ffffffff,ffffffff"})
  void theMaskIsAsTheKernelReadsIt(int processors, String mask) {
    assertThat(LoopbackRps.mask(processors)).isEqualTo(mask);
  }
}
