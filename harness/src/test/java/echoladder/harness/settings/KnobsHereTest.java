package echoladder.harness.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.knobs.LoopbackSetting;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which knobs can be told where a study is climbed; nothing is set. */
class KnobsHereTest {
  private static final String STUDY =
      """
      name: t
      question: What does each knob do?
      servers: [fake, other]
      tuning: {}
      rungs: [10]
      load: {rate: {total: 100/s}}
      phases: {steady: 1s}
      """;

  private static final String ROWS =
      """
      knobs:
        - {name: level, kind: option, key: level, servers: [fake, other], scope: server, phases: [steady], default: '3', profile: '5',
           lifts: a bound, stands: '3', counter: none of the kernel, costs: nothing}
        - {name: watches, kind: sysctl, key: fs.epoll.max_user_watches, scope: host, phases: [steady], default: '100000', profile: '200000',
           lifts: watches, stands: by memory, counter: ENOSPC, costs: memory}
        - {name: control, kind: sysctl, key: net.ipv4.tcp_congestion_control, scope: namespace, phases: [steady], default: none-such, profile: nor-this,
           lifts: a window, stands: cubic, counter: ss, costs: timers}
      """;

  @TempDir private Path root;

  private TestCheckout checkout() {
    return new TestCheckout(root).server("other", "contender").study("t", STUDY).write("sysctl/knobs.yaml", ROWS);
  }

  private Study read(String... labels) {
    TestCheckout checkout = checkout();
    return new StudyReader(checkout.checkout(), checkout.servers()).read("t", new Selection(null, List.of(labels), List.of()));
  }

  @Test
  void whatIsTheWholeHostsAndWhatTheKernelHasNotIsLeftOut() {
    Study told = KnobsHere.of(read("fake"), false, false);
    assertThat(told.servers()).extracting(Study.Entry::label).containsExactly("fake-level-profile", "fake-level-default");
    assertThat(told.tuned().get(0).untold()).isNull();
    assertThat(told.tuned().get(1).untold()).contains("fs.epoll.max_user_watches has one value for the whole host", "--on-this-host");
    assertThat(told.tuned().get(2).untold()).contains("is not among", "modprobe tcp_");
  }

  /** A namespace takes only what the host allows there, even of its root; the kernel says EPERM. */
  @Test
  void congestionControlOfANamespaceIsOneThatTheHostAllowsThere() {
    List<String> known = List.of("reno", "bbr", "cubic");
    assertThat(KnobsHere.congestion("cubic", known, List.of("reno", "bbr")))
        .isEqualTo("'cubic' is not among net.ipv4.tcp_allowed_congestion_control (reno bbr), and a network namespace takes no other; as root"
            + " on the host: sysctl -w net.ipv4.tcp_allowed_congestion_control='reno bbr cubic'");
    assertThat(KnobsHere.congestion("bbr", known, List.of("reno", "bbr"))).isNull();
    assertThat(KnobsHere.congestion("cubic", known, List.of())).isNull();
    assertThat(KnobsHere.congestion("vegas", known, List.of("reno", "bbr"))).contains("tcp_available_congestion_control (reno bbr cubic)", "modprobe tcp_vegas");
  }

  @Test
  void aKnobThatTheUserNamesIsRefusedInstead() {
    assertThatThrownBy(() -> KnobsHere.of(read("fake"), false, true))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("nothing was changed or started")
        .hasMessageContaining("watches: fs.epoll.max_user_watches has one value");
  }

  /** The host's own loopback is nobody's to steer for a run. */
  @Test
  void steeringOfLoopbackIsNotSetOnTheHost() {
    String row =
        "  - {name: rps, kind: device, key: /sys/class/net/lo/queues/rx-0/rps_cpus, scope: namespace, phases: [steady], default: '0', profile: all,\n"
            + "     lifts: packets, stands: '0', counter: softnet_stat, figures: [softnet_steered], costs: interrupts}\n";
    TestCheckout checkout = checkout().write("sysctl/knobs.yaml", ROWS + row);
    Study study = new StudyReader(checkout.checkout(), checkout.servers()).read("t", new Selection(null, List.of("fake"), List.of()));
    assertThat(study.entry("fake-rps-profile").orElseThrow().settings().loopback()).isEqualTo(Map.of(LoopbackSetting.RPS, "all"));
    assertThat(study.entry("fake-rps-default").orElseThrow().settings().words()).isEqualTo("rps_cpus of lo = 0");
    assertThat(KnobsHere.of(study, true, false).tuned().getLast().untold()).contains("only in a network namespace of their own", "without --on-this-host");
  }

  @Test
  void theQueueOfLoopbackIsNotSetOnTheHost() {
    String row =
        "  - {name: queue, kind: device, key: tc qdisc of lo, scope: namespace, phases: [steady], default: noqueue, profile: pfifo,\n"
            + "     lifts: a queue, stands: noqueue, counter: tc -s, costs: a lock}\n";
    TestCheckout checkout = checkout().write("sysctl/knobs.yaml", ROWS + row);
    Study study = new StudyReader(checkout.checkout(), checkout.servers()).read("t", new Selection(null, List.of("fake"), List.of()));
    assertThat(study.entry("fake-queue-profile").orElseThrow().settings().loopback()).isEqualTo(Map.of(LoopbackSetting.QDISC, "pfifo"));
    assertThat(study.entry("fake-queue-default").orElseThrow().settings().words()).isEqualTo("qdisc of lo = noqueue");
    assertThat(KnobsHere.of(study, true, false).tuned().getLast().untold()).contains("qdisc of lo is set by runs only", "tc qdisc replace dev lo root NAME");
  }

  /** The report has it in a column of its own, after hours. */
  @Test
  void aFigureThatNoRunHasIsRefused() {
    TestCheckout checkout = checkout().write("sysctl/knobs.yaml", ROWS.replace("counter: none of the kernel", "counter: none, figures: [server_gc_count, no_such]"));
    Study study = new StudyReader(checkout.checkout(), checkout.servers()).read("t", new Selection(null, List.of("fake"), List.of()));
    assertThatThrownBy(() -> KnobsHere.of(study, false, false)).isInstanceOf(Refusal.class).hasMessageContaining("the knob 'level' has the figure 'no_such'");
  }

  @Test
  void oneServerAndWholePairs() {
    assertThatThrownBy(() -> KnobsHere.of(read(), false, false)).hasMessageContaining("--servers with one of fake, other");
    assertThatThrownBy(() -> KnobsHere.of(read("fake-level-profile"), false, false))
        .hasMessageContaining("half of a pair tells nothing; --servers fake --knobs level climbs both");
  }
}
