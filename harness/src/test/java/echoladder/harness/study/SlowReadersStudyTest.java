package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import echoladder.client.SlowReaders;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The forms of {@code slow_readers}, in a study and in its record, and what is refused. */
class SlowReadersStudyTest {
  private static final String GOOD =
      """
      name: a
      question: What does this study ask, exactly?
      servers: [fake]
      rungs: [100, 200]
      load: {rate: {per_connection: 4/s}, slow_readers: 0.1}
      phases: {steady: 10s}
      """;

  @TempDir private Path dir;
  private TestCheckout test = new TestCheckout(Path.of("target/never-used"));

  @BeforeEach
  void checkout() {
    test = new TestCheckout(dir).server("over-http", "contender", "http");
  }

  private Study read(String yaml) {
    test.study("a", yaml);
    return new StudyReader(test.checkout(), test.servers()).read("a");
  }

  private Study with(String slow) {
    return read(GOOD.replace("slow_readers: 0.1", "slow_readers: " + slow));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.01|0.01|0",
        "1%|0.01|0",
        "{share: 0.5}|0.5|0",
        "{share: 1%, rate: 1KiB/s}|0.01|1024",
        "{share: 0.25, rate: 0.5MiB/s}|0.25|524288",
        "{rate: 1B/s, share: 50%}|0.5|1",
      })
  void aShareAloneOrWithARate(String slow, double share, long bytesPerS) {
    Study study = with(slow);
    assertThat(study.load().slow()).isEqualTo(new SlowReaders(share, bytesPerS));
    // No rate counts them.
    assertThat(study.load().totalPerS(200)).isEqualTo(4.0 * (200 - Math.round(200 * share)));
    StudyAgain.check(study, test.servers());
  }

  /** Runs had a number where there was no rate, and have it still. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"0.1|0.1", "{share: 10%, rate: 2KiB/s}|{\"share\":0.1,\"bytes_per_s\":2048}"})
  void aRecordHasTheShareAloneWhereNothingIsRead(String slow, String recorded) {
    StudyLoad load = with(slow).load();
    JsonNode json = JsonMapper.shared().valueToTree(load);
    assertThat(json.get("slow_readers").toString()).isEqualTo(recorded);
    assertThat(JsonMapper.shared().treeToValue(json, StudyLoad.class)).isEqualTo(load);
  }

  @Test
  void anAxisMayHaveBothForms() {
    Study study =
        read(
            GOOD.replace(", slow_readers: 0.1", "")
                .replace("rungs:", "axes: {load: {slow_readers: [0.01, {share: 1%, rate: 1KiB/s}]}}\nrungs:"));
    assertThat(study.servers()).extracting(Study.Entry::label)
        .containsExactly("fake-slow-readers-0.01", "fake-slow-readers-1-at-1kib-s");
    assertThat(study.servers()).extracting(entry -> study.load(entry).slow())
        .containsExactly(SlowReaders.ofShare(0.01), new SlowReaders(0.01, 1_024));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "slow_readers: 0.1|slow_readers: 0.6|load.slow_readers: 0.6 is not allowed; part of the connections that send",
        "slow_readers: 0.1|slow_readers: 0|load.slow_readers: 0 is not allowed",
        "slow_readers: 0.1|slow_readers: 60%|load.slow_readers: '60%' is outside the range",
        "slow_readers: 0.1|slow_readers: many|load.slow_readers: 'many' is not allowed; a number with %",
        "slow_readers: 0.1|slow_readers: [0.1]|load.slow_readers: [0.1] is not allowed",
        "slow_readers: 0.1|slow_readers: {rate: 1KiB/s}|load.slow_readers: the key 'share' is missing",
        "slow_readers: 0.1|slow_readers: {share: 1%, speed: 1KiB/s}|load.slow_readers.speed: unknown key; known here: share, rate",
        "slow_readers: 0.1|slow_readers: {share: 1%, rate: 1KiB}|load.slow_readers.rate: '1KiB' is not allowed; a rate of bytes",
        "slow_readers: 0.1|slow_readers: {share: 1%, rate: 0B/s}|load.slow_readers.rate: '0B/s' is outside the range",
        "slow_readers: 0.1|slow_readers: {share: 1%, rate: 1024}|load.slow_readers.rate: 1024 is not allowed",
        "slow_readers: 0.1|slow_readers: 0.1, churn: 1/s|load.slow_readers: churn and storm are not allowed with slow_readers",
        "slow_readers: 0.1|slow_readers: 0.1, storm: rush|load.slow_readers: churn and storm are not allowed with slow_readers",
        "slow_readers: 0.1|slow_readers: 0.1, schedule: burst|load.slow_readers: the schedule 'burst' is not allowed with slow_readers",
        "slow_readers: 0.1|slow_readers: 0.1, active_share: 0.01|load.slow_readers: 100 connections come to one that sends",
        "servers: [fake]|servers: [over-http]|'over-http' speaks http; connections that send on without reading",
        "servers: [fake]|servers: [{name: fake, client: tcpkali}]|the client 'tcpkali' has no connections that do not read",
      })
  void whatDoesNotGoWithItIsRefusedWithItsReason(String part, String instead, String message) {
    assertThat(GOOD).contains(part);
    String yaml = GOOD.replace(part, instead);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(yaml));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains(message);
  }

  @Test
  void aServerThatAnAxisAsksForItInVainIsRefusedToo() {
    String yaml =
        GOOD.replace("[fake]", "[over-http]").replace(", slow_readers: 0.1", "")
            .replace("rungs:", "axes: {load: {slow_readers: [0.01, 0.1]}}\nrungs:");
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(yaml));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains("axes: 'over-http' speaks http; connections that send on without reading");
    assertThat(String.valueOf(refusal.getMessage()).lines().filter(line -> line.contains("over-http"))).hasSize(1);
  }
}
