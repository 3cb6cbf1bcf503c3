package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.NetworkMetrics;
import echoladder.harness.results.RungRecord;
import echoladder.linux.ProcSys;
import echoladder.linux.sockets.NetworkNamespace;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs over a network that they make: real namespaces, cables and packets, and a tc that only says it has set netem, as this host's kernel
 * may have none. What netem does, NetworkInLabIT shows.
 */
@Needs({Need.IP, Need.NSENTER, Need.UNSHARE, Need.NAMESPACES, Need.VETH, Need.AWK})
class NetworkIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final String IDLE = "net.ipv4.tcp_slow_start_after_idle";

  private static final String STUDY =
      """
      name: far
      question: Does the load go over the network?
      servers: [{name: floor, settings: {sysctl: {net.ipv4.tcp_slow_start_after_idle: 0}, route: {initcwnd: '40', rto_min: 50ms}}}]
      network: {delay: 0ms, mtu: 1400}
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}, message: 4KiB}
      phases: {warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;
  @TempDir private Path tools;
  private FakeTc tc;

  @BeforeEach
  void hostIsAsItIs() throws IOException {
    tc = new FakeTc(tools);
    assertThat(setting()).isEqualTo("1");
  }

  private static String setting() {
    try {
      return ProcSys.read(IDLE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LadderProcess begin(int drops, String steady, String... more) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    String[] argv =
        Stream.concat(Stream.of("run", study.toString(), "--results", dir.resolve("results").toString()), Stream.of(more))
            .toArray(String[]::new);
    return LadderProcess.start(HOME, dir, tc.environment(drops), argv);
  }

  private RungRecord rung() throws IOException {
    return RunBelow.record(dir.resolve("results"), "far").rungs().getFirst();
  }

  private List<Reason> reasons() throws IOException {
    return Objects.requireNonNull(rung().load()).verdictReasons();
  }

  /** The settings are in force at both ends, and on the host at no time. */
  @Test
  void theLoadGoesOverTheCable() throws Exception {
    try (LadderProcess ladder = begin(0, "3s")) {
      Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> !ladder.alive() || ladder.err().contains("steady"));
      assertThat(ladder.alive()).as(ladder.err()).isTrue();
      long server = ladder.descendant("FloorEcho").pid();
      assertThat(NetworkNamespace.in(server, NetworkIT::setting)).isEqualTo("0");
      assertThat(NetworkNamespace.in(ladder.pid(), NetworkIT::setting)).isEqualTo("0");
      assertThat(setting()).isEqualTo("1");
      assertThat(ladder.status()).as(ladder.err()).isZero();
    }
    RungRecord rung = rung();
    assertThat(Objects.requireNonNull(rung.process()).sysctl())
        .containsEntry("netem at link-client", "limit 1000000")
        .containsEntry("netem at link-server", "limit 1000000")
        .containsEntry(IDLE, "0")
        .containsKey("round trip of the network");
    // 4 KiB are three packets of 1,400 bytes and more, each way, and none is lost.
    assertThat(rung.figures().value(NetworkMetrics.PACKETS)).isGreaterThan(6.0 * 400);
    assertThat(rung.figures().value(NetworkMetrics.DROPS)).isZero();
    assertThat(rung.figures().value(NetworkMetrics.GOODPUT)).isGreaterThan(400 * 4_096 / 2.0);
    Set<String> namespaces = Files.readAllLines(tc.log()).stream().map(line -> line.split(" ", 2)[0]).collect(Collectors.toSet());
    assertThat(namespaces).hasSizeGreaterThanOrEqualTo(2).doesNotContain(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
  }

  /** Connections that are silent when the link is cut are noticed where the kernel probes them, and nowhere else. */
  @Test
  void aCutLinkIsNoticedByProbesAlone() throws Exception {
    String entries =
        """
        servers:
          - {name: virtual-threads, label: silent}
          - name: virtual-threads
            label: probed
            options: {keep-alive: "on"}
            network: {cut_most: 2m}
            settings: {sysctl: {net.ipv4.tcp_keepalive_time: 1, net.ipv4.tcp_keepalive_intvl: 1, net.ipv4.tcp_keepalive_probes: 1}}
        network: {delay: 0ms, cut: idle, cut_most: 4s}
        """;
    String study = STUDY.lines().filter(line -> !line.startsWith("servers:") && !line.startsWith("network:")).collect(Collectors.joining("\n"));
    Path file = Files.writeString(dir.resolve("study.yaml"), study.replace("STEADY", "1s") + "\n" + entries);
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, tc.environment(0), "run", file.toString(), "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
    }
    for (RungRecord rung : RunBelow.record(dir.resolve("results"), "far").rungs()) {
      boolean probed = rung.server().equals("probed");
      assertThat(rung.figures().value(NetworkMetrics.CUT_CONNECTIONS)).isEqualTo(20);
      assertThat(rung.figures().value(NetworkMetrics.CUT_NOTICED)).as(rung.server()).isEqualTo(probed ? 20 : 0);
      if (probed) {
        assertThat(rung.figures().value(NetworkMetrics.CUT_ALL_NOTICED)).isPositive();
      } else {
        assertThat(rung.figures().get(NetworkMetrics.CUT_ALL_NOTICED)).isNull();
      }
      assertThat(rung.figures().value(NetworkMetrics.DROPS)).isZero();
    }
  }

  @Test
  @Tag("long")
  void aLossThatDidNotHappenIsAFinding() throws Exception {
    try (LadderProcess ladder = begin(0, "1s", "--set", "network.loss=5%")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    assertThat(reasons()).extracting(Reason::reason).contains(ReasonCode.NETWORK_NOT_AS_ASKED);
    assertThat(reasons()).extracting(Reason::detail).anySatisfy(
        detail -> assertThat(detail).contains("the loss that the study asks for did not happen (network.loss 5% of them is"));
  }

  /** A fake netem delays nothing, and a network that does not is not taken for one that does. */
  @Test
  @Tag("long")
  void aDelayThatIsNotThereStopsTheRung() throws Exception {
    try (LadderProcess ladder = begin(0, "1s", "--set", "network.delay=200ms")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    assertThat(reasons()).extracting(Reason::reason).containsExactly(ReasonCode.SERVER_NOT_READY);
    assertThat(reasons().getFirst().detail())
        .contains("its settings could not be made: the network was made with a delay of 200 ms, and a connect was answered after");
  }

  @Test
  void whatHasANetworkOfItsOwnIsRefused() throws Exception {
    for (List<String> beside :
        List.of(
            List.of("--hosts", "deploy/inventory.yml"), List.of("--attach", "127.0.0.1:9000"),
            List.of("--source-address", "127.0.0.1"),
            List.of("--own", "true", "--port", "9000"), List.of("--on-this-host"))) {
      try (LadderProcess ladder = begin(0, "1s", beside.toArray(String[]::new))) {
        assertThat(ladder.status()).as(ladder.err()).isEqualTo(2);
        assertThat(ladder.err()).startsWith("ladder: " + beside.getFirst() + ": ").contains("leave the study's 'network' out, or " + beside.getFirst());
      }
    }
  }
}
