package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Tls;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection is planned to take. */
class MemoryLimitsTest {
  private static long each(Role role, ClientTls tls) {
    return MemoryLimits.each(new Question(1_000, role, ServerModel.unnamed(), 0, null, tls));
  }

  /** Where the whole crowd shakes hands again, each holds a session of OpenSSL. */
  @ParameterizedTest
  @CsvSource({"1.3, false, 640", "1.3-resumption, false, 640", "1.2, false, 45000", "1.3, true, 50000", "1.2, true, 50000"})
  void tlsTakesMemoryOfTheClientByItsVersion(String word, boolean atOnce, long bytes) {
    ClientTls tls = ClientTls.of(Tls.ofWord(word, "localhost"), atOnce);
    assertThat(each(Role.CLIENT, tls) - each(Role.CLIENT, ClientTls.PLAIN)).isEqualTo(bytes);
    assertThat(each(Role.BOTH, tls) - each(Role.BOTH, ClientTls.PLAIN)).isEqualTo(bytes);
    assertThat(each(Role.SERVER, tls)).isEqualTo(each(Role.SERVER, ClientTls.PLAIN));
  }
}
