package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of knobs.yaml as entries of a study. */
class KnobEntriesTest {
  private static final String STUDY =
      """
      name: t
      question: What does each knob do?
      servers: [fake, other]
      tuning: {}
      rungs: [10]
      repeats: 6
      load: {rate: {total: 100/s}}
      phases: {steady: 1s}
      """;

  private static final String ROWS =
      """
      knobs:
        - {name: cork, kind: sysctl, key: net.ipv4.tcp_autocorking, scope: namespace, phases: [steady], default: '1', profile: '0',
           lifts: small writes, stands: '1', counter: nstat, costs: more packets}
        - {name: level, kind: option, key: level, servers: [fake], scope: server, phases: [steady], default: '3', profile: '5', beyond: '9',
           lifts: a bound, stands: '3', counter: none of the kernel, costs: nothing}
        - {name: files, kind: rlimit, key: nofile, scope: process, phases: [wall], default: '1024', profile: '20000',
           lifts: descriptors, stands: '1024', counter: EMFILE, costs: nothing}
        - {name: queue, kind: device, key: tc qdisc of lo, scope: namespace, phases: [steady], default: noqueue, profile: fq,
           lifts: pacing, stands: noqueue, counter: tc -s, costs: a lock, elsewhere: tc qdisc replace dev lo root fq}
        - {name: accept, kind: sysctl, key: net.core.somaxconn, scope: namespace, phases: [connecting], default: '4096', profile: '16384',
           lifts: the accept queue, stands: '4096', counter: nstat, costs: memory}
        - {name: backlog, kind: argument, key: '--backlog', scope: server, phases: [connecting], default: '4096', profile: '16384',
           lifts: the accept queue, stands: '4096', counter: ss -ltn, costs: nothing}
        - {name: waits, kind: sysctl, key: net.ipv4.tcp_max_tw_buckets, scope: namespace, phases: [connecting], default: by memory,
           profile: '1100000', lifts: TIME-WAIT, stands: by memory, counter: nstat, costs: memory}
        - {name: packets, kind: sysctl, key: net.core.netdev_max_backlog, scope: host, phases: [connecting], default: '1000',
           profile: '20000', lifts: packets, stands: '1000', counter: softnet_stat, costs: memory}
        - {name: cookies, kind: sysctl, key: net.ipv4.tcp_syncookies, scope: namespace, phases: [connecting], default: '1', profile: '1',
           lifts: handshakes, stands: '1', counter: nstat, costs: options}
        - {name: idle, kind: sysctl, key: net.ipv4.tcp_slow_start_after_idle, scope: namespace, phases: [network], default: '1', profile: '0',
           lifts: the window, stands: '1', counter: ss -ti, costs: bursts}
        - {name: window, kind: route, key: initcwnd, scope: namespace, phases: [network], default: '10', profile: '40',
           lifts: round trips, stands: '10', counter: ss -ti, costs: bursts}
      """;

  @TempDir private Path root;

  private TestCheckout checkout() {
    return new TestCheckout(root).server("other", "reference").study("t", STUDY).write("sysctl/knobs.yaml", ROWS);
  }

  private Study read(String labels, String... settings) {
    TestCheckout checkout = checkout();
    return new StudyReader(checkout.checkout(), checkout.servers())
        .read("t", new Selection(null, labels.isEmpty() ? List.of() : List.of(labels), List.of(settings).stream().map(YamlSetting::parse).toList()));
  }

  @Test
  void eachKnobOfTheSteadyStateIsAPairOfEntries() {
    Study study = read("");
    assertThat(study.servers())
        .extracting(Study.Entry::label)
        .containsExactly(
            "fake-cork-profile", "fake-cork-default", "fake-level-profile", "fake-level-default", "other-cork-profile", "other-cork-default");
    assertThat(study.entry("fake-cork-profile").orElseThrow().settings().sysctl()).containsExactlyEntriesOf(Map.of("net.ipv4.tcp_autocorking", "0"));
    assertThat(study.entry("fake-cork-default").orElseThrow().settings().sysctl()).containsEntry("net.ipv4.tcp_autocorking", "1");
    assertThat(study.entry("fake-level-profile").orElseThrow().options()).containsEntry("level", "5");
    assertThat(study.entry("fake-level-default").orElseThrow().options()).containsEntry("level", "3");
    assertThat(study.entry("fake-level-default").orElseThrow().knob()).isEqualTo(new KnobLevel("fake", "level", "default", "3", false));
    assertThat(study.entry("fake-level-profile").orElseThrow().base()).isEqualTo("fake");
  }

  /** Others matter there than over loopback; one of a route is set at both ends of the network. */
  @Test
  void overANetworkItsOwnKnobsAreAskedAbout() {
    Study study = read("fake", "network.delay=20ms");
    assertThat(study.servers())
        .extracting(Study.Entry::label)
        .containsExactly("fake-idle-profile", "fake-idle-default", "fake-window-profile", "fake-window-default");
    assertThat(study.entry("fake-window-profile").orElseThrow().settings().route()).isEqualTo(Map.of("initcwnd", "40"));
    assertThat(study.servers()).allSatisfy(entry -> assertThat(entry.settings().network()).isEqualTo(new Network(20_000_000, 0, 0, null, 0, 1500)));
    assertThatThrownBy(() -> read("fake", "network.delay=20ms", "tuning.knobs=[cork]"))
        .hasMessageContaining("'cork' does not matter over a network; those that do: idle, window");
    assertThatThrownBy(() -> read("fake", "tuning.knobs=[window]"))
        .hasMessageContaining("'window' does not matter in the steady state; those that do: cork, level, queue");
  }

  @Test
  void whatNoRunSetsIsInTheRecordWithTheWayToSetIt() {
    Study study = read("fake");
    assertThat(study.servers()).hasSize(4);
    assertThat(study.tuned()).extracting(TunedKnob::name).containsExactly("cork", "level", "queue");
    assertThat(study.tuned()).extracting(TunedKnob::untold).containsExactly(null, null, "no run sets it; by hand: tc qdisc replace dev lo root fq");
    assertThat(study.tuned()).extracting(knob -> knob.levels().beyond()).containsExactly(null, "9", null);
  }

  @Test
  void aLevelBeyondIsHeldAgainstTheProfilesValue() {
    Study study = read("fake", "tuning.compare=profile-beyond", "tuning.knobs=[level]");
    assertThat(study.servers()).extracting(Study.Entry::label).containsExactly("fake-level-beyond", "fake-level-profile");
    assertThat(study.entry("fake-level-beyond").orElseThrow().options()).containsEntry("level", "9");
    assertThat(study.tuned().getFirst().levels().from()).isEqualTo("5");
  }

  @Test
  void theProfileLessOneKnobHasAllOthers() {
    Study study = read("fake", "tuning.compare=less-all");
    assertThat(study.servers())
        .extracting(Study.Entry::label)
        .containsExactly("fake-cork-all", "fake-cork-less", "fake-level-all", "fake-level-less");
    Study.Entry less = study.entry("fake-cork-less").orElseThrow();
    assertThat(less.settings().sysctl()).containsEntry("net.ipv4.tcp_autocorking", "1");
    assertThat(less.options()).containsEntry("level", "5");
    assertThat(study.entry("fake-level-less").orElseThrow().options()).containsEntry("level", "3");
    assertThat(study.entry("fake-level-less").orElseThrow().settings().sysctl()).containsEntry("net.ipv4.tcp_autocorking", "0");
  }

  /** One queue alone is behind the other: each is taken away from the whole profile of what a namespace or a server has. */
  @Test
  void whileConnectionsComeEachIsHeldAgainstTheWholeProfileLessIt() {
    Study study = read("fake", "tuning.phase=connecting", "phases.accept_stall=2s");
    assertThat(study.servers())
        .extracting(Study.Entry::label)
        .containsExactly(
            "fake-accept-profile", "fake-accept-default", "fake-backlog-profile", "fake-backlog-default", "fake-waits-profile",
            "fake-waits-default", "fake-packets-profile", "fake-packets-default");
    EntrySettings less = study.entry("fake-accept-default").orElseThrow().settings();
    assertThat(less.sysctl()).isEqualTo(Map.of("net.core.somaxconn", "4096", "net.ipv4.tcp_max_tw_buckets", "1100000", "net.ipv4.tcp_syncookies", "1"));
    assertThat(less.server().backlog()).isEqualTo(16_384);
    EntrySettings backlog = study.entry("fake-backlog-default").orElseThrow().settings();
    assertThat(backlog.server().backlog()).isEqualTo(4_096);
    assertThat(backlog.sysctl()).containsEntry("net.core.somaxconn", "16384");
    // 'By memory' is no value: what is there stays.
    assertThat(study.entry("fake-waits-default").orElseThrow().settings().sysctl()).doesNotContainKey("net.ipv4.tcp_max_tw_buckets");
    assertThat(study.tuned()).extracting(knob -> knob.levels().from()).containsExactly("4096", "4096", "as it is here", "1000");
    // What has one value for the whole host is set in its own pair alone.
    assertThat(study.entry("fake-packets-profile").orElseThrow().settings().sysctl()).containsEntry("net.core.netdev_max_backlog", "20000");
    assertThat(study.entry("fake-packets-default").orElseThrow().settings().sysctl()).containsEntry("net.core.netdev_max_backlog", "1000");
    assertThat(study.phases().acceptStallNs()).isEqualTo(2_000_000_000L);
  }

  /** Also where only some of them are asked about, as in the run that confirms. */
  @Test
  void someKnobsOfConnectingHaveTheWholeProfileBehindThemToo() {
    Study study = read("fake", "tuning={phase: connecting, knobs: [accept]}");
    assertThat(study.servers()).extracting(Study.Entry::label).containsExactly("fake-accept-profile", "fake-accept-default");
    assertThat(study.entry("fake-accept-default").orElseThrow().settings().server().backlog()).isEqualTo(16_384);
  }

  /** One row more, and there is a pair more. */
  @Test
  void aRowMoreIsAPairMore() {
    String row = ROWS.substring(ROWS.indexOf("  - "), ROWS.indexOf("  - {name: level")).replace("cork", "demux").replace("tcp_autodemuxing", "tcp_early_demux");
    checkout().write("sysctl/own.yaml", ROWS + row);
    assertThat(read("fake", "tuning.catalogue=sysctl/own.yaml").servers())
        .extracting(Study.Entry::label)
        .contains("fake-demux-profile", "fake-demux-default")
        .hasSize(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "fake  | tuning.knobs=[nothing]                                     | there is no knob 'nothing'; those that matter in the steady state: cork, level, queue",
        "fake  | tuning.knobs=[files]                                       | 'files' does not matter in the steady state; those that do: cork, level, queue",
        "fake  | tuning.knobs=[queue]                                       | no run sets 'queue'; by hand: tc qdisc replace dev lo root fq",
        "other | tuning.knobs=[level]                                       | 'level' is no knob of other; it is one of fake",
        "fake  | tuning={compare: profile-beyond, knobs: [cork]}            | 'cork' has no level beyond its profile's value",
        "fake  | tuning.compare=all                                         | one of default-profile",
        "fake  | tuning.catalogue=sysctl/none.yaml                          | sysctl/none.yaml: there is no such file",
        "fake  | capacity={most: 1000/s}                                    | not allowed in a study of knobs",
        "fake  | tuning={phase: connecting, knobs: [cork]}                  | 'cork' does not matter while connections come",
        "fake  | tuning={phase: connecting, knobs: [cookies]}               | 'cookies' has its default in the profile",
        "fake  | tuning={phase: connecting, compare: less-all}              | not allowed while connections come",
        "fake:tuned | tuning.knobs=[cork]                                   | --servers fake:tuned",
      })
  void refusesWhatItCannotTell(String labels, String setting, String said) {
    assertThatThrownBy(() -> read(labels, setting)).isInstanceOf(Refusal.class).hasMessageContaining(said);
  }

  @Test
  void whatIsLeftOutKeepsItsReason() {
    Study study = TunedKnob.leftOut(read("fake"), Map.of("cork", "it is not there"));
    assertThat(study.servers()).extracting(Study.Entry::label).containsExactly("fake-level-profile", "fake-level-default");
    assertThat(study.tuned().getFirst().untold()).isEqualTo("it is not there");
  }
}
