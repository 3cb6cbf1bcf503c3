package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import echoladder.client.Tls;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Studies over TLS: what becomes of their servers' options, and what is refused. */
class TlsStudyTest {
  private static final String GOOD =
      """
      name: a
      question: What does this study ask, exactly?
      servers: [sealing]
      rungs: [100]
      load: {rate: {total: 100/s}, tls: true}
      phases: {steady: 10s}
      """;

  @TempDir private Path dir;
  private TestCheckout test = new TestCheckout(Path.of("target/never-used"));

  @BeforeEach
  void checkout() {
    test = new TestCheckout(dir);
    sealing("sealing", "tcp");
    sealing("sealing-websocket", "websocket");
  }

  private void sealing(String name, String protocol) {
    test.write(
        "servers/" + name + "/server.yaml",
        """
        name: %s
        title: A server that can speak TLS
        protocol: %s
        role: contender
        runtime: native
        command: ["{dir}/server"]
        options:
          tls: {default: "off", values: ["on", "off"], why: "whether it speaks TLS"}
          traffic: {default: echo, values: [echo, push], why: "whether it echoes or pushes"}
        """
            .formatted(name, protocol));
  }

  private Study read(String yaml, String... settings) {
    test.study("a", yaml);
    Selection selection = new Selection(null, List.of(), List.of(settings).stream().map(YamlSetting::parse).toList());
    return new StudyReader(test.checkout(), test.servers()).read("a", selection);
  }

  @ParameterizedTest
  @CsvSource({"sealing, true, 1.3", "sealing-websocket, true, 1.3", "sealing, 1.3, 1.3", "sealing, 1.2, 1.2", "sealing, '\"1.2\"', 1.2"})
  void aServerIsToldToSpeakIt(String server, String said, String version) {
    Study study = read(GOOD.replace("[sealing]", "[" + server + "]").replace("tls: true", "tls: " + said));
    assertThat(study.servers().getFirst().options()).isEqualTo(Map.of("tls", "on"));
    assertThat(study.load().tls()).isEqualTo(version);
    assertThat(study.load().overTls()).isEqualTo(new Tls(version, "localhost", null));
    // What a run has recorded is read as it was written.
    StudyAgain.check(study, test.servers());
  }

  @ParameterizedTest
  @CsvSource({"resumption, 1.3", "1.3-resumption, 1.3", "1.2-resumption, 1.2"})
  void sessionsAreResumedWhereALoadSaysSo(String said, String version) {
    Study study = read(GOOD.replace("tls: true", "tls: " + said));
    assertThat(study.servers().getFirst().options()).isEqualTo(Map.of("tls", "on"));
    assertThat(study.load().tls()).isEqualTo(version + "-resumption");
    assertThat(study.load().overTls()).isEqualTo(new Tls(version, "localhost", null, true));
    StudyAgain.check(study, test.servers());
  }

  @Test
  void withoutItAServerIsAsItIs() {
    for (String load : new String[] {"", ", tls: false"}) {
      Study study = read(GOOD.replace(", tls: true", load));
      assertThat(study.servers().getFirst().options()).isEmpty();
      assertThat(study.load().tls()).isNull();
      assertThat(study.load().overTls()).isNull();
    }
  }

  @Test
  void aSettingAndAnAxisMayAskForItToo() {
    String plain = GOOD.replace(", tls: true", "");
    assertThat(read(plain, "load.tls=true").servers().getFirst().options()).containsEntry("tls", "on");
    Study crossed = read(plain.replace("rungs:", "axes: {load: {tls: [false, true, 1.2, resumption]}}\nrungs:"));
    assertThat(crossed.servers())
        .extracting(Study.Entry::label)
        .containsExactly("sealing-plain", "sealing-tls", "sealing-tls-1.2", "sealing-tls-resumption");
    assertThat(crossed.servers()).extracting(entry -> crossed.load(entry).tls()).containsExactly(null, "1.3", "1.2", "1.3-resumption");
    assertThat(crossed.servers()).extracting(entry -> entry.options().get("tls")).containsExactly(null, "on", "on", "on");
    StudyAgain.check(crossed, test.servers());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tls: true|tls: 1.1|load.tls: 1.1 is not allowed; TLS under the protocol: true (TLS 1.3) or 1.2; false or none is plain",
        "servers: [sealing]|servers: [fake]|'fake' cannot speak TLS (load.tls): it has no option tls with the value on",
        "servers: [sealing]|servers: [{name: sealing, options: {tls: \"off\"}}]|'sealing' is told not to speak TLS, by its option tls",
        "servers: [sealing]|servers: [{name: sealing, client: tcpkali}]|the client 'tcpkali' is not asked for TLS here; load.tls needs open-loop",
        "tls: true|tls: true, publish: all|load.tls: TLS is not allowed with publish: no server pushes over it so far",
        "tls: true|tls: true, slow_readers: 0.1|load.tls: TLS is not allowed with slow_readers: the client sends on them without it so far",
      })
  void whatDoesNotGoWithItIsRefusedWithItsReason(String part, String instead, String message) {
    assertThat(GOOD).contains(part);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(GOOD.replace(part, instead)));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains(message);
  }

  @Test
  void aLinkIsNotCutUnderIt() {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(GOOD, "network.delay=1ms", "network.cut=idle"));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains("network: cut is not allowed with load.tls: the connections that are cut off are plain");
  }

  /** Else it would be found out when the rung of that value comes. */
  @Test
  void aServerThatAnAxisAsksForItInVainIsRefusedToo() {
    String crossed = GOOD.replace(", tls: true", "").replace("rungs:", "axes: {load: {tls: [false, 1.2]}}\nrungs:");
    for (String[] server :
        new String[][] {
          {"fake", "axes: 'fake' cannot speak TLS (load.tls)"},
          {"{name: sealing, options: {tls: \"off\"}}", "axes: 'sealing-tls-1.2' is told not to speak TLS"},
          {"{name: sealing, options: {tls: \"on\"}}", "axes: a server that speaks TLS needs a client that does"},
        }) {
      Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(crossed.replace("[sealing]", "[" + server[0] + "]")));
      assertThat(refusal).as(server[0]).isNotNull();
      assertThat(refusal.getMessage()).contains(server[1]);
    }
  }

  /** A record is checked as a file that would say the same. */
  @Test
  void anEntryThatIsPlainInAStudyOverTlsIsWrittenAsPlain() {
    Study study = read(GOOD.replace("[sealing]", "[sealing, {name: sealing, label: plain, load: {tls: false}}]"));
    Study.Entry plain = study.entry("plain").orElseThrow();
    assertThat(study.load(plain).tls()).isNull();
    assertThat(plain.options()).isEmpty();
    StudyAgain.check(study, test.servers());
    Study again = read(StudyAgain.yaml(study, plain).toString());
    assertThat(again.load().tls()).isEqualTo("1.3");
    assertThat(again.load(again.servers().getFirst())).isEqualTo(study.load(plain));
    assertThat(again.servers().getFirst().options()).isEmpty();
  }

  @Test
  void aServerThatSpeaksItIsLoadedByWhatDoesAlone() {
    String plain = GOOD.replace(", tls: true", "").replace("[sealing]", "[{name: sealing, options: {tls: \"on\"}}]");
    assertThat(catchThrowableOfType(Refusal.class, () -> read(plain)).getMessage()).contains("a server that speaks TLS needs a client that does");
  }

  /** The harness's own connections on a link that is cut would have no answer that they understand. */
  @Test
  void itIsNotOnALinkThatIsCut() {
    String cut = GOOD + "network: {delay: 20ms, cut: idle}\n";
    assertThat(catchThrowableOfType(Refusal.class, () -> read(cut)).getMessage()).contains("cut is not allowed with load.tls");
    assertThat(read(GOOD + "network: {delay: 20ms}\n").load()).isEqualTo(read(GOOD).load());
  }
}
