package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.cpu.CpuPlacement;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which processors a study has for server and client, and when the client polls. */
class CpusTest {
  @TempDir private Path dir = Path.of("");

  private static CpuPlacement placed(String said, Path sys, String allowed) {
    return Objects.requireNonNull(Cpus.placement(said, sys, CpuList.parse(allowed)));
  }

  @Test
  void sharedIsNoPlacement() {
    assertThat(Cpus.placement("shared", dir, CpuList.parse("0-3"))).isNull();
  }

  @Test
  void apartIsWholeCoresAndListsAreWhatTheySay() {
    assertThat(placed("apart", dir, "0-3").server()).hasToString("0-1");
    CpuPlacement lists = placed("server=0,3 client=1", dir, "0-3");
    assertThat(lists.server()).hasToString("0,3");
    assertThat(lists.client()).hasToString("1");
    assertThat(lists.helpers()).hasToString("2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"server=0 client=9", "server=9 client=0", "server=0", "alone", "server=3-1 client=0"})
  void whatIsNotThereIsRefused(String said) {
    assertThatThrownBy(() -> placed(said, dir, "0-3")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStudyMayHaveBothPlacementsAsAnAxis() {
    TestCheckout test =
        new TestCheckout(dir)
            .study(
                "a",
                """
                name: a
                question: What does this study ask, exactly?
                servers: [fake]
                rungs: [10]
                load: {rate: {total: 100/s}, spin: 0.2ms}
                phases: {steady: 2s}
                axes: {load: {cpus: [shared, apart, server=0 client=1]}}
                """);
    Study study = new StudyReader(test.checkout(), test.servers()).read("a");
    assertThat(study.load().spinNs()).isEqualTo(200_000);
    assertThat(study.servers()).extracting(entry -> study.load(entry).cpus()).containsExactly("shared", "apart", "server=0 client=1");
    assertThat(study.servers()).extracting(entry -> study.load(entry).spinNs()).containsOnly(200_000L);
    StudyAgain.check(study, test.servers());
  }

  @Test
  void anotherWordIsRefusedWithItsPlace() {
    TestCheckout test =
        new TestCheckout(dir)
            .study(
                "a",
                """
                name: a
                question: What does this study ask, exactly?
                servers: [fake]
                rungs: [10]
                load: {rate: {total: 100/s}, cpus: alone, spin: 2s}
                phases: {steady: 2s}
                """);
    assertThatThrownBy(() -> new StudyReader(test.checkout(), test.servers()).read("a"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("load.cpus")
        .hasMessageContaining("load.spin");
  }
}
