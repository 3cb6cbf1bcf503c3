package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The key {@code network} of a study: what it means, where it may stand, and what is refused. */
class NetworkTest {
  private static final Network PLAIN = new Network(20_000_000, 0, 0, null, 0, 1500);

  @TempDir private Path dir;

  private Study read(String study, String... settings) {
    TestCheckout test = new TestCheckout(dir).study("s", study);
    return new StudyReader(test.checkout(), test.servers())
        .read("s", new Selection(null, List.of(), Arrays.stream(settings).map(YamlSetting::parse).toList()));
  }

  private static @Nullable Network of(Study study, String label) {
    return study.entry(label).orElseThrow().settings().network();
  }

  @Test
  void isReadWithItsDefaults() {
    assertThat(of(read(TestCheckout.STUDY), "fake")).isNull();
    assertThat(read(TestCheckout.STUDY).networked()).isFalse();
    Study study = read(TestCheckout.STUDY + "network: {delay: 20ms}\n");
    assertThat(of(study, "fake")).isEqualTo(PLAIN);
    assertThat(study.networked()).isTrue();
    assertThat(of(read(TestCheckout.STUDY, "network.delay=20ms"), "fake")).isEqualTo(PLAIN);
    assertThat(of(read(TestCheckout.STUDY + "network: {delay: 20ms, jitter: 2ms, loss: 0.1%, rate: 1Gbit, reorder: 1%, mtu: 9000}\n"), "fake"))
        .isEqualTo(new Network(20_000_000, 2_000_000, 0.001, 1e9, 0.01, 9000));
  }

  @Test
  void anEntrySaysWhatItHasOtherwise() {
    String study =
        TestCheckout.STUDY.replace("[fake]", "[fake, {name: fake, label: far, network: {delay: 100ms}}]") + "network: {delay: 20ms, loss: 1%}\n";
    assertThat(of(read(study), "fake")).isEqualTo(new Network(20_000_000, 0, 0.01, null, 0, 1500));
    assertThat(of(read(study), "far")).isEqualTo(new Network(100_000_000, 0, 0.01, null, 0, 1500));
    // Times over another network are another ground.
    assertThat(read(study).alike("fake", "far")).isFalse();
  }

  @Test
  void itsLinkIsCutWhereThatIsAsked() {
    assertThat(of(read(TestCheckout.STUDY + "network: {delay: 20ms, cut: idle}\n"), "fake"))
        .isEqualTo(new Network(20_000_000, 0, 0, null, 0, 1500, Network.Cut.IDLE, 60_000_000_000L));
    assertThat(of(read(TestCheckout.STUDY + "network: {delay: 20ms, cut_most: 5s}\n"), "fake")).isEqualTo(PLAIN);
  }

  @Test
  void aCutIsOfTcpAlone() {
    String study = TestCheckout.STUDY.replace("[fake]", "[web]") + "network: {delay: 20ms, cut: idle}\n";
    TestCheckout test = new TestCheckout(dir).server("web", "contender", "http").study("s", study);
    assertThatThrownBy(() -> new StudyReader(test.checkout(), test.servers()).read("s"))
        .hasMessageContaining("cut is not allowed with 'web', which speaks http");
  }

  @Test
  void isAnAxis() {
    Study study = read(TestCheckout.STUDY + "network: {loss: 0.5%}\naxes: {network: {delay: [0ms, 20ms], mtu: [1500, 9000]}}\n");
    assertThat(study.servers()).extracting(Study.Entry::label)
        .containsExactly("fake-delay-0ms-mtu-1500", "fake-delay-0ms-mtu-9000", "fake-delay-20ms-mtu-1500", "fake-delay-20ms-mtu-9000");
    assertThat(of(study, "fake-delay-20ms-mtu-9000")).isEqualTo(new Network(20_000_000, 0, 0.005, null, 0, 9000));
    assertThat(study.axes()).isEqualTo(Map.of("network.delay", Set.of("0ms", "20ms"), "network.mtu", Set.of("1500", "9000")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delay: 20               | network.delay: 20 is not allowed; added to a round trip
          delay: 11s              | outside the range; a time with its unit ms, s, m or h, 0ms to 10s
          loss: 0.1               | network.loss: 0.1 is not allowed; part of the packets
          loss: 60%               | outside the range; a number with %, 0% to 50%
          rate: 1GB               | is not allowed; a rate of bits per second with its unit kbit, Mbit or Gbit
          mtu: 100                | network.mtu: 100 is not allowed; the largest packet in bytes, 576 to 65535
          latency: 20ms           | unknown key; known here: delay, jitter, loss, rate, reorder, mtu, cut, cut_most
          'delay: 5ms, jitter: 6ms' | a jitter of 6ms is not allowed; at most the delay, 5ms
          cut: all                | network.cut: 'all' is not allowed; after the load
          'cut: idle, cut_most: 2h' | outside the range; a time with its unit ms, s, m or h, 1s to 1h
          reorder: 1%             | reorder is not allowed without a delay
          """)
  void refusesWhatNetemCannotDo(String network, String message) {
    assertThatThrownBy(() -> read(TestCheckout.STUDY + "network: {" + network + "}\n"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatItsAxesComeToIsCheckedToo() {
    assertThatThrownBy(() -> read(TestCheckout.STUDY + "axes: {network: {delay: [1ms, 20ms], jitter: [0ms, 2ms]}}\n"))
        .hasMessageContaining("network: a jitter of 2ms is not allowed; at most the delay, 1ms");
  }

  @Test
  void routesNeedOne() {
    String study = TestCheckout.STUDY.replace("[fake]", "[{name: fake, settings: {route: {initcwnd: '40', rto_min: 50ms}}}]");
    assertThatThrownBy(() -> read(study)).hasMessageContaining("routes are those of a network (network), which this study has not: initcwnd, rto_min");
    assertThat(read(study, "network.delay=20ms").servers().getFirst().settings().route()).isEqualTo(Map.of("initcwnd", "40", "rto_min", "50ms"));
  }

  /** A resumed run checks its study as one from a file, and an old run has none. */
  @Test
  void isWrittenIntoTheRecordAndReadFromIt() {
    Study study = read(TestCheckout.STUDY + "network: {delay: 20ms, jitter: 1ms, loss: 0.0001%, rate: 10Mbit, reorder: 50%, cut: owed, cut_most: 90s}\n");
    JsonMapper json = JsonMapper.builder().build();
    assertThat(json.readValue(json.writeValueAsString(study), Study.class)).isEqualTo(study);
    TestCheckout test = new TestCheckout(dir);
    assertThatCode(() -> StudyAgain.check(study, test.servers())).doesNotThrowAnyException();
    assertThat(json.writeValueAsString(read(TestCheckout.STUDY))).doesNotContain("network", "route");
  }

  @Test
  void isSaidInWords() {
    assertThat(PLAIN.words()).isEqualTo("network of 20.0 ms, MTU 1500");
    assertThat(new Network(0, 0, 0.001, 1e7, 0, 9000).words()).isEqualTo("network of no delay, loss 0.1%, 10 Mbit/s, MTU 9000");
    assertThat(new Network(20_000_000, 2_000_000, 0, null, 0.25, 1500).words())
        .isEqualTo("network of 20.0 ms ± 2.00 ms, reorder 25%, MTU 1500");
    assertThat(new Network(20_000_000, 0, 0, null, 0, 1500, Network.Cut.OWED, 1L).words())
        .isEqualTo("network of 20.0 ms, MTU 1500, cut after the load (owed)");
  }
}
