package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.knobs.LoopbackSetting;
import echoladder.harness.probe.Figure;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.KnobLevel;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study of knobs, really climbed: where settings are made, that they are in force, and that nothing of them is left. */
@Needs({Need.IP, Need.UNSHARE, Need.MOUNT, Need.NAMESPACES, Need.TC})
@Tag("long")
class TuningIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: tiny
      question: Are the settings in force, and gone afterwards?
      servers: [floor]
      tuning: {catalogue: CATALOGUE}
      rungs: [200]
      repeats: 2
      load: {rate: {total: 1000/s}}
      phases: {warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  private static final String ROWS =
      """
      knobs:
        - {name: rmem, kind: sysctl, key: net.ipv4.tcp_rmem, scope: namespace, phases: [steady], default: 4096 131072 6291456,
           profile: 4096 1048576 33554432, lifts: receive buffers, stands: '4096 131072 6291456', counter: ss -tn, costs: memory}
        - {name: stat, kind: sysctl, key: vm.stat_interval, scope: host, phases: [steady], default: '7', profile: '9',
           lifts: nothing that a run looks at, stands: '1', counter: none of it, costs: nothing}
      """;

  /** The row that is added. */
  private static final String CORK =
      """
        - {name: cork, kind: sysctl, key: net.ipv4.tcp_autocorking, scope: namespace, phases: [steady], default: '1', profile: '0',
           lifts: small writes, stands: '1', counter: TcpExtTCPAutoCorking of nstat -az, costs: more packets}
      """;

  /** A knob of the namespace's own loopback, which only the run sees. */
  private static final String RPS =
      """
        - {name: rps, kind: device, key: /sys/class/net/lo/queues/rx-0/rps_cpus, scope: namespace, phases: [steady], default: '0', profile: all,
           lifts: another processor for packets, stands: '0', counter: softnet_stat, figures: [softnet_steered], costs: interrupts}
      """;

  /** A knob of that loopback's queueing discipline. */
  private static final String QDISC =
      """
        - {name: queue, kind: device, key: tc qdisc of lo, scope: namespace, phases: [steady], default: noqueue, profile: pfifo,
           lifts: a queue, stands: noqueue, counter: tc -s, costs: a lock}
      """;

  @TempDir private Path dir;
  @TempDir private Path journals;

  private static Map<String, String> host() throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (String key : List.of("net/ipv4/tcp_rmem", "net/ipv4/tcp_autocorking", "vm/stat_interval")) {
      values.put(key, Files.readString(Path.of("/proc/sys", key)).trim());
    }
    values.put("rps", Files.readString(Path.of(LoopbackSetting.RPS.key())).trim());
    return values;
  }

  private LadderProcess ladder(String... arguments) {
    // With a folder of journals of its own: any other run of this host would put back what is left, too.
    List<String> inside =
        List.of(
            "unshare", "--mount", "--propagation", "private", "sh", "-c",
            "mkdir -p /var/lib/echo-ladder && mount --bind \"$0\" /var/lib/echo-ladder && exec \"$@\"", journals.toString());
    return LadderProcess.startWith(inside, HOME, dir, arguments);
  }

  private LadderProcess run(String rows, String steady, String... more) throws IOException {
    Path catalogue = Files.writeString(dir.resolve("knobs.yaml"), rows);
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("CATALOGUE", catalogue.toString()).replace("STEADY", steady));
    List<String> arguments = new ArrayList<>(List.of("run", study.toString(), "--servers", "floor", "--results", dir.resolve("results").toString()));
    arguments.addAll(List.of(more));
    return ladder(arguments.toArray(String[]::new));
  }

  private RunFolder folder() throws IOException {
    try (Stream<Path> runs = Files.list(dir.resolve("results/tiny"))) {
      return RunFolder.open(runs.max(Path::compareTo).orElseThrow());
    }
  }

  private List<Path> journals() throws IOException {
    try (Stream<Path> files = Files.list(journals)) {
      return files.filter(file -> file.toString().endsWith(".jsonl")).toList();
    }
  }

  @Test
  void settingsAreInForceInEachEntryAndGoneAfterwards() throws Exception {
    Map<String, String> before = host();
    try (LadderProcess ladder = run(ROWS + CORK + RPS + QDISC, "1s")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("cork", "1 → 0", "cannot be told: fewer than 6 valid pairs", "cannot be told here: vm.stat_interval");
    }
    assertThat(host()).isEqualTo(before);
    assertThat(journals()).isEmpty();
    RunFolder folder = folder();
    assertThat(RunSchema.complaints(Files.readString(folder.file("run.json")))).isEmpty();
    RunRecord run = folder.read();
    assertThat(run.study().servers()).extracting(entry -> Objects.requireNonNull(entry.knob()).name()).containsExactly("rmem", "rmem", "cork", "cork", "rps", "rps", "queue", "queue");
    assertThat(run.rungs()).hasSize(16);
    for (RungRecord rung : run.rungs()) {
      KnobLevel knob = Objects.requireNonNull(run.study().entry(rung.server()).orElseThrow().knob());
      assertThat(rung.valid()).as(rung.server()).isTrue();
      Map<String, String> inForce = Objects.requireNonNull(rung.process()).sysctl();
      String rps = LoopbackSetting.RPS.key();
      if (knob.name().equals("rps")) {
        assertThat(inForce).as(rung.server()).containsOnlyKeys(rps);
        assertThat(Long.parseLong(Objects.requireNonNull(inForce.get(rps)).replace(",", ""), 16) != 0).as(rung.server()).isEqualTo(knob.changed());
      } else if (knob.name().equals("queue")) {
        assertThat(inForce).as(rung.server()).isEqualTo(Map.of(LoopbackSetting.QDISC.key(), knob.value()));
      } else {
        assertThat(inForce).as(rung.server()).isEqualTo(Map.of(knob.name().equals("cork") ? "net.ipv4.tcp_autocorking" : "net.ipv4.tcp_rmem", knob.value()));
      }
    }
    assertThat(folder.file("REPORT.md")).content().contains("## Knobs", "| cork: `net.ipv4.tcp_autocorking` | 1 → 0 | small writes |");
    assertThat(folder.file("pairs.csv")).content().contains("floor-cork-profile,floor-cork-default").doesNotContain("floor-cork-profile,floor-rmem");
  }

  @Test
  void aQdiscThatTheKernelDoesNotKnowIsRefusedBeforeAnythingStarts() throws Exception {
    try (LadderProcess ladder = run(ROWS + QDISC.replace("pfifo", "nosuch"), "1s", "--knobs", "queue")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err())
          .contains("nothing was changed or started", "queue: the qdisc 'nosuch' cannot be set for lo", "qdisc kind is unknown", "modprobe sch_nosuch");
    }
    assertThat(dir.resolve("results")).doesNotExist();
  }

  /** A burst against a server that SIGSTOP holds: where the queue is too short, the kernel drops handshakes, and they come again. */
  @Test
  void aBurstAgainstAStalledServerShowsTheQueueThatIsTooShort() throws Exception {
    String rows =
        """
        knobs:
          - {name: queue, kind: sysctl, key: net.core.somaxconn, scope: namespace, phases: [connecting], limit: net.core.somaxconn,
             default: '32', profile: '4096', lifts: the accept queue, stands: '4096', counter: nstat, costs: memory}
        """;
    Path catalogue = Files.writeString(dir.resolve("knobs.yaml"), rows);
    String text =
        STUDY.replace("CATALOGUE", catalogue + ", phase: connecting").replace("STEADY", "1s").replace("[200]", "[400]").replace("repeats: 2", "repeats: 1")
            .replace("phases: {", "phases: {connect_rate: 100000/s, connect_timeout: 60s, accept_stall: 1s, ");
    Path study = Files.writeString(dir.resolve("study.yaml"), text);
    try (LadderProcess ladder = ladder("run", study.toString(), "--servers", "floor", "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
    }
    RunFolder folder = folder();
    RunRecord run = folder.read();
    Map<String, Long> overflows = new TreeMap<>();
    Map<String, Long> again = new TreeMap<>();
    for (RungRecord rung : run.rungs()) {
      assertThat(rung.valid()).as(rung.server()).isTrue();
      overflows.put(rung.server(), grown(rung, Figure.LISTEN_OVERFLOWS));
      again.put(rung.server(), grown(rung, Figure.SYN_RETRANSMITS));
    }
    assertThat(overflows).containsEntry("floor-queue-profile", 0L);
    assertThat(again).containsEntry("floor-queue-profile", 0L);
    assertThat(overflows.get("floor-queue-default")).as("400 connects, and room for 33").isGreaterThan(100);
    assertThat(again.get("floor-queue-default")).isPositive();
    assertThat(folder.file("REPORT.md")).content().contains("listen_overflows %,d → 0".formatted(overflows.get("floor-queue-default")));
  }

  private static long grown(RungRecord rung, Figure figure) {
    LimitsRecord.Count count = Objects.requireNonNull(rung.limits()).kernel().get(figure.column());
    return count == null ? 0 : count.most() - Objects.requireNonNullElse(count.before(), 0L);
  }

  /** A row more is seen everywhere: by the plan, the choice of knobs, the entries. */
  @Test
  void aRowMoreShowsUpEverywhere() throws Exception {
    try (LadderProcess without = run(ROWS, "1s", "--knobs", "cork")) {
      assertThat(without.status()).isEqualTo(2);
      assertThat(without.err()).contains("there is no knob 'cork'; those that matter in the steady state: rmem, stat");
    }
    assertThat(dir.resolve("results")).doesNotExist();
    Path study = dir.resolve("study.yaml");
    Files.writeString(dir.resolve("knobs.yaml"), ROWS + CORK);
    try (LadderProcess plan = ladder("plan", study.toString(), "--servers", "floor")) {
      assertThat(plan.status()).as(plan.err()).isZero();
      assertThat(plan.out()).contains("floor-cork-profile", "floor-cork-default", "floor-rmem-profile");
      assertThat(plan.err()).contains("stat cannot be told here: vm.stat_interval has one value for the whole host");
    }
  }

  @Test
  void whatCannotBeSetHereIsRefusedBeforeAnythingIsChanged() throws Exception {
    Map<String, String> before = host();
    try (LadderProcess host = run(ROWS, "1s", "--knobs", "stat")) {
      assertThat(host.status()).isEqualTo(3);
      assertThat(host.err()).contains("nothing was changed or started", "--on-this-host sets it there");
    }
    try (LadderProcess outside = run(ROWS.replace("profile: '9'", "least: 1, most: 8, profile: '9'"), "1s")) {
      assertThat(outside.status()).isEqualTo(2);
      assertThat(outside.err()).contains("'9' is outside the range; 1 to 8");
    }
    try (LadderProcess other = ladder("run", "smoke", "--on-this-host")) {
      assertThat(other.status()).isEqualTo(2);
      assertThat(other.err()).contains("--on-this-host: study 'smoke' sets no knobs");
    }
    assertThat(host()).isEqualTo(before);
    assertThat(dir.resolve("results")).doesNotExist();
  }

  private static void awaitSteady(LadderProcess ladder) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              assertThat(ladder.alive()).as(ladder.err()).isTrue();
              return ladder.err().contains("steady");
            });
  }

  /** In the run's own namespace the kernel itself takes back what was set; the next restore drops the journal. */
  @Test
  void aKilledRunLeavesNothing() throws Exception {
    Map<String, String> before = host();
    try (LadderProcess ladder = run(ROWS, "10m")) {
      awaitSteady(ladder);
      ladder.signal("KILL");
      assertThat(ladder.status()).isEqualTo(137);
    }
    assertThat(host()).isEqualTo(before);
    assertThat(journals()).isNotEmpty();
    try (LadderProcess restore = ladder("tune", "restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
    }
    assertThat(journals()).isEmpty();
    assertThat(host()).isEqualTo(before);
  }

  /** On the host itself the journal puts it back. The setting is one that no run looks at, as others may run beside. */
  @Test
  @Needs(Need.HOST_SETTINGS)
  void onTheHostItselfAKilledRunIsPutBackByRestore() throws Exception {
    Map<String, String> before = host();
    String rows = "knobs:\n" + ROWS.substring(ROWS.indexOf("  - {name: stat"));
    try (LadderProcess ladder = run(rows, "10m", "--on-this-host")) {
      awaitSteady(ladder);
      assertThat(host().get("vm/stat_interval")).isIn("7", "9");
      ladder.signal("KILL");
      assertThat(ladder.status()).isEqualTo(137);
    }
    assertThat(host()).isNotEqualTo(before);
    try (LadderProcess restore = ladder("tune", "restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
      assertThat(restore.out()).contains("vm.stat_interval = " + before.get("vm/stat_interval"));
    }
    assertThat(host()).isEqualTo(before);
    assertThat(journals()).isEmpty();
  }
}
