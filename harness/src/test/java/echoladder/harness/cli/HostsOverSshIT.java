package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadResult;
import echoladder.harness.RunSchema;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run over hosts with networks of their own, by a real ssh and Ansible's own reader of the inventory. */
@Needs({Need.IP, Need.NAMESPACES, Need.VETH, Need.UNSHARE, Need.SSH, Need.SSHD, Need.ANSIBLE_INVENTORY})
class HostsOverSshIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** Whatever a busy host does to times spoils nothing; what is lost does. */
  private static final String STUDY =
      """
      name: afar
      question: What does a climb over three client hosts show?
      servers: [floor, virtual-threads]
      rungs: [600]
      repeats: 2
      load: {rate: {total: 600/s}}
      phases: {connect_rate: 1000/s, connect_timeout: 20s, warm_up_min: 0s, warm_up_max: 30s, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h}
      thresholds: {achieved_share_least: 0.5, hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0,
                   steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
      """;

  @TempDir private Path dir;

  private LadderProcess climb(NetHosts hosts, String steady, Path inventory, String... more) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    List<String> arguments =
        new ArrayList<>(
            List.of("run", study.toString(), "--results", dir.resolve("results").toString(), "--hosts", inventory.toString()));
    arguments.addAll(List.of(more));
    return LadderProcess.startIn(hosts.hub, HOME, dir, arguments.toArray(String[]::new));
  }

  private RunRecord run() throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("results/afar"))) {
      String json = Files.readString(folders.findFirst().orElseThrow().resolve("run.json"));
      assertThat(RunSchema.complaints(json)).isEmpty();
      return RunFolder.parse(json);
    }
  }

  private static LoadResult load(RungRecord rung) {
    return Objects.requireNonNull(rung.load());
  }

  @Test
  void threeClientHostsClimbTwoServersTwice() throws Exception {
    try (NetHosts hosts = NetHosts.up(Files.createDirectories(dir.resolve("hosts")), HOME, 3)) {
      try (LadderProcess wrong = climb(hosts, "2s", hosts.inventory("wrong"))) {
        assertThat(wrong.status()).isEqualTo(3);
        assertThat(wrong.err().lines())
            .hasSize(4)
            .allMatch(line -> line.matches("ladder: host (s1|c[123]) cannot be reached by ssh as 10\\.79\\.0\\.\\d: .*Permission denied.*"));
      }
      try (LadderProcess ladder = climb(hosts, "2s", hosts.inventory())) {
        assertThat(ladder.status()).as(ladder.err()).isZero();
        assertThat(ladder.err()).doesNotContain("\tat ");
        System.out.println(ladder.out());
      }
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> hosts.left().isEmpty());
    }
    RunRecord run = run();
    assertThat(run.rungs()).hasSize(4).allMatch(RungRecord::valid);
    assertThat(run.rungs()).extracting(rung -> Objects.requireNonNull(rung.process()).pid()).doesNotHaveDuplicates();
    for (RungRecord rung : run.rungs()) {
      assertThat(load(rung).connections().established()).isEqualTo(600);
      assertThat(load(rung).connections().held()).isEqualTo(600);
      assertThat(load(rung).condition().sourceAddresses()).containsExactly("10.79.0.2", "10.79.0.3", "10.79.0.4");
      assertThat(load(rung).cost().serverCpuUsPerEcho()).isPositive();
      assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isEqualTo(600);
      assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(rung)).isNotNull();
      List<RungHost> each = Objects.requireNonNull(rung.hosts());
      assertThat(each).extracting(RungHost::name).containsExactly("s1", "c1", "c2", "c3");
      assertThat(each).extracting(RungHost::connectionsEstablished).containsExactly(null, 200, 200, 200);
      assertThat(each).allSatisfy(host -> assertThat(host.clockUncertaintyNs()).isLessThan(5_000_000));
    }
  }

  @Test
  @Tag("faults")
  void aHostWhoseLinkIsCutEndsItsRungByItsName() throws Exception {
    try (NetHosts hosts = NetHosts.up(Files.createDirectories(dir.resolve("hosts")), HOME, 3)) {
      try (LadderProcess ladder = climb(hosts, "120s", hosts.inventory(), "--servers", "floor")) {
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> ladder.err().contains("  steady"));
        hosts.cut("c2");
        long cutNs = System.nanoTime();
        assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
        Duration took = Duration.ofNanos(System.nanoTime() - cutNs);
        System.out.printf("HostsOverSshIT: a link was cut: the run ended %.1f s later%n", took.toMillis() / 1e3);
        assertThat(took).isLessThan(Duration.ofSeconds(100));
      }
      // Nobody can tell the host that was cut off: its control process ends by itself.
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hosts.left().isEmpty());
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    Doubt reason = load(run.rungs().getFirst()).verdictReasons().getFirst();
    assertThat(reason.reason()).isEqualTo(Invalidity.HOST_LOST);
    assertThat(reason.detail()).contains("host c2");
  }
}
