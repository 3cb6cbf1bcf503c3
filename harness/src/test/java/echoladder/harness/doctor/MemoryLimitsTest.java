package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection is planned to take. */
class MemoryLimitsTest {
  private static long each(Role role, @Nullable String tls) {
    return MemoryLimits.each(new Question(1_000, role, ServerModel.unnamed(), 0, null, tls));
  }

  @ParameterizedTest
  @CsvSource({"1.3, 640", "1.2, 45000"})
  void tlsTakesMemoryOfTheClientByItsVersion(String version, long bytes) {
    assertThat(each(Role.CLIENT, version) - each(Role.CLIENT, null)).isEqualTo(bytes);
    assertThat(each(Role.BOTH, version) - each(Role.BOTH, null)).isEqualTo(bytes);
    assertThat(each(Role.SERVER, version)).isEqualTo(each(Role.SERVER, null));
  }
}
