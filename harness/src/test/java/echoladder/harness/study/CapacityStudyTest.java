package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.Studies;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Studies that search capacities. */
class CapacityStudyTest {
  private static final String GOOD =
      """
      name: a
      question: Which rate is held?
      servers: [fake]
      rungs: [10, 20]
      repeats: 1
      load: {rate: {total: 1000/s}}
      capacity: {most: 9000/s}
      phases: {steady: 2s}
      """;

  @TempDir private Path dir;

  private Study read(String yaml) {
    TestCheckout test = new TestCheckout(dir).study("a", yaml);
    return new StudyReader(test.checkout(), test.servers()).read("a");
  }

  @Test
  void hasItsDefaultsAndIsAcceptedFromARecord() {
    Study study = read(GOOD);
    assertThat(study.capacity()).isEqualTo(new Capacity(9_000, 0.05, 40));
    assertThat(read(GOOD.replace("9000/s", "9000/s, resolution: 0.1, tries: 7")).capacity()).isEqualTo(new Capacity(9_000, 0.1, 7));
    assertThat(read(GOOD.replace("capacity: {most: 9000/s}\n", "")).capacity()).isNull();
    assertThatCode(() -> StudyAgain.check(study, new TestCheckout(dir).servers())).doesNotThrowAnyException();
    Study wrong = Studies.with(study, new Capacity(9_000, 0.05, 1_000));
    assertThatThrownBy(() -> StudyAgain.check(wrong, new TestCheckout(dir).servers()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("capacity.tries: 1000 is not allowed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "repeats: 1|repeats: 3|repeats: 3 is not allowed; 1 with capacity",
        "repeats: 1|client: tcpkali|the client 'tcpkali' does not tell how late it sent",
        "most: 9000/s|most: 900/s|capacity.most: 900/s is below the first rate, 1,000/s at 10 connections",
        "most: 9000/s|resolution: 0.05|the key 'most' is missing",
        "most: 9000/s|most: 9000/s, resolution: 0.001|capacity.resolution: 0.001 is not allowed",
        "rate: {total: 1000/s}|rate: {per_connection: 50/s}|has fewer than 2,000 messages, which a p99 needs",
        "steady: 2s|steady: 1s|a try at the first rate, 1,000/s at 10 connections, has fewer than 2,000 messages",
        "total: 1000/s}|total: 1000/s}, schedule: ramped|load.schedule: 'ramped' is not allowed with capacity: its rate changes, so none is held",
        "total: 1000/s|totals: [1000/s, 2000/s]|load.rate.totals: several rates are not allowed; with capacity one, where each search begins",
      })
  void saysWhatIsWrong(String good, String bad, String message) {
    assertThatThrownBy(() -> read(GOOD.replace(good, bad))).isInstanceOf(Refusal.class).hasMessageContaining(message);
  }
}
