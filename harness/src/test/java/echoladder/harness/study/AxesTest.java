package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import echoladder.client.Protocol;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.judgement.FloorComparison;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of a study with a list of values: the entries that come of them, and what is refused. */
class AxesTest {
  private static final String GOOD =
      """
      name: a
      question: What does this study ask, exactly?
      servers:
        - floor
        - {name: fake, label: other, options: {behaviour: good}}
      rungs: [10, 20]
      load: {rate: {total: 100/s}}
      phases: {steady: 2s}
      axes:
        servers:
          other: {level: [1, 2]}
        load:
          active_share: [1, 0.1]
      """;

  @TempDir private Path dir;

  private TestCheckout checkout(String study) {
    return new TestCheckout(dir).server("floor", "reference").study("a", study);
  }

  private Study read(String study, String... chosen) {
    return read(study, new Selection(null, List.of(chosen), List.of()));
  }

  private Study read(String study, Selection selection) {
    TestCheckout test = checkout(study);
    return new StudyReader(test.checkout(), test.servers()).read("a", selection);
  }

  private static List<String> labels(Study study) {
    return study.servers().stream().map(Study.Entry::label).toList();
  }

  @Test
  void eachServerStandsForEveryCombinationOfItsAxes() {
    Study study = read(GOOD);
    assertThat(labels(study))
        .containsExactly(
            "floor-active-share-1",
            "floor-active-share-0.1",
            "other-level-1-active-share-1",
            "other-level-1-active-share-0.1",
            "other-level-2-active-share-1",
            "other-level-2-active-share-0.1");
    Study.Entry last = study.servers().getLast();
    assertThat(last.server()).isEqualTo("fake");
    assertThat(last.base()).isEqualTo("other");
    assertThat(last.options()).isEqualTo(Map.of("behaviour", "good", "level", "2"));
    assertThat(study.load(last).activeShare()).isEqualTo(0.1);
    assertThat(study.load(last).totalPerS()).isEqualTo(100);
    assertThat(last.point()).isEqualTo(new AxisPoint("other", Map.of("level", "2", "active_share", "0.1")));
    assertThat(study.axes()).isEqualTo(Map.of("active_share", Set.of("1", "0.1"), "level", Set.of("1", "2")));
  }

  @Test
  void everyKindOfKeyReachesItsPlace() {
    String java = System.getProperty("java.home");
    Study study =
        read(
            GOOD.replaceFirst("(?s)axes:.*", "")
                + """
                axes:
                  servers: {other: {level: [7]}}
                  load: {rate: {per_connection: [2/s]}, message: [1KiB], schedule: [poisson], in_flight: [3], seed: [9]}
                  jdk: [%s]
                  sysctl: {net.core.somaxconn: [128], net.ipv4.ip_local_port_range: [20000 21249]}
                """
                    .formatted(java));
    Study.Entry entry = study.servers().getLast();
    StudyLoad load = study.load(entry);
    assertThat(entry.options()).containsEntry("level", "7");
    assertThat(load.totalPerS()).isNull();
    assertThat(load.perConnectionPerS()).isEqualTo(2);
    assertThat(load.messageBytes()).isEqualTo(1024);
    assertThat(load.inFlight()).isEqualTo(3);
    assertThat(load.seed()).isEqualTo(9);
    assertThat(entry.jdk()).isEqualTo(java);
    assertThat(entry.settings().sysctl())
        .isEqualTo(Map.of("net.core.somaxconn", "128", "net.ipv4.ip_local_port_range", "20000 21249"));
    assertThat(entry.label())
        .contains("-level-7-", "-2-s-", "-1kib-", "-poisson-", "-somaxconn-128-", "-ip-local-port-range-20000-21249");
  }

  @Test
  void wordsStandForThemselvesAndOtherValuesAfterTheirName() {
    Map<String, String> labels =
        Map.of("G1", "s-g1", "true", "s-track-true", "+", "s-track-on", "-", "s-track-off", "/opt/jdk-26.1/", "s-jdk-26.1", "64B",
            "s-track-64b");
    labels.forEach((value, label) -> assertThat(new AxisPoint("s", Map.of("track", value)).label()).isEqualTo(label));
  }

  @Test
  void aServerIsChosenWithAllItsEntriesOrByOneOfThem() {
    assertThat(labels(read(GOOD, "floor", "other-level-2-active-share-1")))
        .containsExactly("floor-active-share-1", "floor-active-share-0.1", "other-level-2-active-share-1");
    assertThatThrownBy(() -> read(GOOD, "other-level-3"))
        .hasMessageContaining("--servers other-level-3: study 'a' has no such server; it has floor, other, and entries made from them, such as floor-active-share-1");
  }

  @Test
  void anAxisMayBeSetFromTheCommandLine() {
    YamlSetting one = YamlSetting.parse("axes.load.active_share=[0.5]");
    assertThat(labels(read(GOOD, new Selection(null, List.of("floor"), List.of(one))))).containsExactly("floor-active-share-0.5");
    YamlSetting bad = YamlSetting.parse("axes.load.active_share=[2]");
    assertThatThrownBy(() -> read(GOOD, new Selection(null, List.of(), List.of(bad))))
        .hasMessageContaining("--set axes.load.active_share=[2]: axes.load.active_share[0]: 2 is not allowed; part of the");
  }

  @Test
  void eachIsComparedWithTheFloorUnderItsOwnLoad() {
    assertThat(FloorComparison.floors(read(GOOD), Set.of("floor-active-share-1", "floor-active-share-0.1"), label -> Protocol.TCP))
        .containsEntry("other-level-2-active-share-1", "floor-active-share-1")
        .containsEntry("other-level-2-active-share-0.1", "floor-active-share-0.1");
    assertThat(FloorComparison.floors(read(GOOD, "floor-active-share-1", "other"), Set.of("floor-active-share-1"), label -> Protocol.TCP))
        .containsKey("other-level-1-active-share-1")
        .doesNotContainKey("other-level-1-active-share-0.1");
  }

  @Test
  void eachIsComparedWithTheFloorOfItsProtocol() {
    String several = GOOD.replace("  - floor\n", "  - floor\n  - {name: floor, label: floor-websocket}\n  - {name: fake, label: websocket}\n");
    Set<String> floors = Set.of("floor-active-share-1", "floor-websocket-active-share-1");
    assertThat(FloorComparison.floors(read(several), floors, label -> label.contains("websocket") ? Protocol.WEBSOCKET : Protocol.TCP))
        .containsEntry("other-level-1-active-share-1", "floor-active-share-1")
        .containsEntry("websocket-active-share-1", "floor-websocket-active-share-1");
    assertThat(FloorComparison.floors(read(several), Set.of("floor-websocket-active-share-1"), label -> label.contains("websocket") ? Protocol.WEBSOCKET : Protocol.TCP))
        .as("the only one there is")
        .containsEntry("other-level-1-active-share-1", "floor-websocket-active-share-1");
  }

  /** What is replaced in the good study | by what | what the message must contain. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "active_share: [1, 0.1]|active_share: 1|study.yaml:13: axes.load.active_share: 1 is not allowed; a list of 1 to 64 values",
        "active_share: [1, 0.1]|active_share: []|axes.load.active_share: [] is not allowed; a list of 1 to 64 values",
        "active_share: [1, 0.1]|active_share: [1, 1]|axes.load.active_share: [1,1] is not allowed; a list of 1 to 64 values of load.active_share, none twice",
        "active_share: [1, 0.1]|active_share: [1, 0]|study.yaml:13: axes.load.active_share[1]: 0 is not allowed; part of the connections",
        "active_share: [1, 0.1]|active: [1, 0.1]|study.yaml:13: axes.load.active: unknown key; known here: rate, message, schedule",
        "active_share: [1, 0.1]|message: [64B, 64]|axes.load.message[1]: 64 is not allowed; size of a message",
        "active_share: [1, 0.1]|message: [64B, 17MiB]|axes.load.message[1]: '17MiB' is outside the range; a size",
        "active_share: [1, 0.1]|rate: {total: [1/s, 0/s]}|axes.load.rate.total[1]: '0/s' is outside the range",
        "active_share: [1, 0.1]|rate: {total: [1/s], per_connection: [1/s]}|axes.load.rate: {",
        "other: {level|others: {level|study.yaml:11: axes.servers.others.level: the study has no server 'others'; it has floor, other",
        "level: [1, 2]|levels: [1]|axes.servers.other.levels[0]: 'fake' has no such option; it has behaviour, level",
        "level: [1, 2]|level: [1, 10]|study.yaml:11: axes.servers.other.level[1]: '10' is not allowed; a whole number from 0 to 9",
        "level: [1, 2]|level: {a: 1}|axes.servers.other.level: {\"a\":1} is not allowed; a list",
        "level: [1, 2]|behaviour: [good, silent]|study.yaml:5: servers[1]: 'options.behaviour' is an axis too, at studies/a/study.yaml:11: axes.servers.other.behaviour;",
        "servers:\\n    other|server:\\n    other|study.yaml:10: axes.server: unknown key; known here: servers, load, jdk, network, sysctl",
        "  load:\\n    active|  jdk: [/nowhere/jdk]\\n  load:\\n    active|axes.jdk[0]: '/nowhere/jdk' is not allowed; there is no program /nowhere/jdk/bin/java",
        "  load:\\n    active|  jdk: [jdk-25]\\n  load:\\n    active|axes.jdk[0]: 'jdk-25' is not allowed; the home of the JDK",
        "  load:\\n    active|  sysctl: {somaxconn: [1]}\\n  load:\\n    active|somaxconn",
        "  load:\\n    active|  sysctl: {net.core.somaxconn: [true]}\\n  load:\\n    active|axes.sysctl.net.core.somaxconn[0]: true is not allowed; a number, or a text",
        "level: [1, 2]|level: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]|study.yaml:9: axes: with every combination of their values the study has 66 entries; at most 64",
        "label: other, options|label: floor-active-share-1, options|the study has no server 'other'",
      })
  void saysWhatIsWrongAndWhatIsAllowed(String good, String bad, String message) {
    String from = good.replace("\\n", "\n");
    assertThat(GOOD).contains(from);
    String study = GOOD.replace(from, bad.replace("\\n", "\n"));
    if (message.endsWith("66 entries; at most 64")) {
      study = study.replace("[1, 0.1]", "[1, 0.5, 0.2, 0.1, 0.05, 0.01]");
    }
    String text = study;
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(text));
    assertThat(refusal).isNotNull().hasMessageContaining(message).hasMessageContaining("studies/a/study.yaml");
    assertThat(refusal.status()).isEqualTo(Refusal.BAD_USAGE);
  }

  @Test
  void aRateThatNoClientCanSendIsRefused() {
    String study = GOOD.replace("active_share: [1, 0.1]", "rate: {per_connection: [1/s, 100000/s]}").replace("[10, 20]", "[200]");
    assertThatThrownBy(() -> read(study))
        .hasMessageContaining("study.yaml:12: axes.load: 20,000,000/s in total at the rung of 200; at most 10,000,000/s");
  }

  @Test
  void aServerWithoutJvmHasNoJdk() {
    TestCheckout test = checkout(GOOD.replaceFirst("(?s)axes:.*", "axes: {jdk: [" + System.getProperty("java.home") + "]}\n"));
    test.write("servers/go/server.yaml", "name: go\ntitle: Go\nprotocol: tcp\nrole: contender\nruntime: go\ncommand: [\"{dir}/go\"]\n");
    test.write(
        "studies/b/study.yaml",
        """
        name: b
        question: What does this study ask, exactly?
        servers: [go, fake]
        rungs: [10]
        load: {rate: {total: 100/s}}
        phases: {steady: 2s}
        axes: {jdk: [%s]}
        """
            .formatted(System.getProperty("java.home")));
    StudyReader reader = new StudyReader(test.checkout(), test.servers());
    Study study = reader.read("b");
    assertThat(study.servers().getFirst()).isEqualTo(Study.Entry.plain("go", "go", "open-loop", Map.of()));
    assertThat(study.servers().getLast().jdk()).isNotNull();
    YamlSetting alone = YamlSetting.parse("servers=[go]");
    assertThatThrownBy(() -> reader.read("b", new Selection(null, List.of(), List.of(alone))))
        .hasMessageContaining("axes.jdk: none of the study's servers runs on a JVM");
    YamlSetting own = YamlSetting.parse("servers=[{name: go, jdk: /opt/jdk}, fake]");
    assertThatThrownBy(() -> reader.read("b", new Selection(null, List.of(), List.of(own))))
        .hasMessageContaining("servers[0].jdk: 'go' runs on no JVM");
  }
}
