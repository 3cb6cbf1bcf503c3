package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.ReasonCode;
import echoladder.deploy.Commands.Ended;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord;
import echoladder.hosts.SshHosts;
import echoladder.needs.BusyHost;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A run over prepared hosts, by the ladder of the tarball: 200 connections of each client, two servers, twice. */
final class HostsRun {
  /** Whatever a busy host does to times spoils nothing; what is lost does. */
  private static final String STUDY =
      """
      name: afar
      question: What does a climb over client hosts show?
      servers: [floor, virtual-threads]
      rungs: [CONNECTIONS]
      repeats: 2
      load: {rate: {total: 600/s}}
      phases: {connect_rate: 1000/s, connect_timeout: 20s, warm_up_min: 0s, warm_up_max: 2m, steady: 2s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.thresholds(0.5);

  private static final int PER_CLIENT = 200;

  private final SshHosts hosts;
  private final String server;
  private final List<String> clients;
  private final Path dir;
  private final Path ladder;

  /**
   * By the driver's own ladder.
   *
   * @param dir for the study and the results
   */
  HostsRun(SshHosts hosts, String server, List<String> clients, Path dir) throws IOException, InterruptedException {
    this.hosts = hosts;
    this.server = server;
    this.clients = List.copyOf(clients);
    this.dir = dir;
    this.ladder = Tarball.unpacked().resolve("ladder");
  }

  private int connections() {
    return PER_CLIENT * clients.size();
  }

  private Ended ladder(String... arguments) throws IOException, InterruptedException {
    String[] command = Stream.concat(Stream.of(ladder.toString()), Stream.of(arguments)).toArray(String[]::new);
    return Commands.run(hosts.onController(command).directory(dir.toFile()));
  }

  /** A key that no host knows is said once per host, and nothing is started. */
  void isRefusedWithAnotherKey(Path inventory) throws Exception {
    Path key = dir.resolve("another-key");
    Ended made = Commands.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
    assertThat(made.status()).as(made.said()).isZero();
    String yaml = Files.readString(inventory).replaceFirst("(ansible_ssh_private_key_file: ).*", "$1" + key);
    Path wrong = Files.writeString(dir.resolve("another-key.yml"), yaml);
    Ended refused = ladder("run", "smoke", "--results", dir.resolve("refused").toString(), "--hosts", wrong.toString());
    assertThat(refused.status()).as(refused.said()).isEqualTo(3);
    assertThat(refused.err().lines())
        .hasSize(1 + clients.size())
        .allMatch(line -> line.matches("ladder: host \\S+ cannot be reached by ssh as [0-9.]+: .*Permission denied.*"));
  }

  /** Climbs, checks what the run's folder says, and gives the folder. */
  Path climbs(Path inventory, List<String> sourceAddresses) throws Exception {
    Path study = Files.writeString(dir.resolve("afar.yaml"), STUDY.replace("CONNECTIONS", String.valueOf(connections())));
    Ended climb =
        ladder("run", study.toString(), "--results", dir.resolve("results").toString(), "--hosts", inventory.toString());
    assertThat(climb.status()).as(climb.said()).isLessThan(2);
    assertThat(climb.err()).doesNotContain("\tat ");
    Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(left()).isEmpty());
    Path folder;
    try (Stream<Path> runs = Files.list(dir.resolve("results/afar"))) {
      folder = runs.findFirst().orElseThrow();
    }
    // Its schema is checked before anything is read from it.
    RunRecord run = new RunFolder(folder).read();
    assertThat(run.rungs()).hasSize(4);
    assertThat(run.rungs()).extracting(rung -> Objects.requireNonNull(rung.process()).pid()).doesNotHaveDuplicates();
    for (RungRecord rung : run.rungs()) {
      LoadResult load = Objects.requireNonNull(rung.load());
      // Where other tests keep both processors busy, hosts that share them answer at different times.
      assertThat(load.verdictReasons()).as(climb.said()).allMatch(doubt -> doubt.reason() == ReasonCode.HOSTS_DIFFER);
      assertThat(load.connections().established()).isEqualTo(connections());
      assertThat(load.connections().held()).isEqualTo(connections());
      assertThat(load.condition().sourceAddresses()).containsExactlyElementsOf(sourceAddresses);
      assertThat(load.cost().serverCpuUsPerEcho()).isPositive();
      assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isEqualTo(connections());
      assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(rung)).isNotNull();
      List<RungHost> each = Objects.requireNonNull(rung.hosts());
      assertThat(each).extracting(RungHost::name).containsExactlyElementsOf(Stream.concat(Stream.of(server), clients.stream()).toList());
      assertThat(each.getFirst().connectionsEstablished()).isNull();
      assertThat(each.subList(1, each.size())).extracting(RungHost::connectionsEstablished).containsOnly(PER_CLIENT);
      assertThat(each).allSatisfy(host -> assertThat(host.clockUncertaintyNs()).isBetween(0L, 1_000_000_000L));
    }
    return folder;
  }

  /** Programs of the hosts' ladders that still run. */
  private List<String> left() {
    return ProcessHandle.allProcesses()
        // sshd has its configuration there, and stays.
        .map(process -> CommandLines.of(process.pid()).replaceFirst(".*sshd_config.*", ""))
        .filter(command -> hosts(command).findAny().isPresent())
        .toList();
  }

  private Stream<String> hosts(String command) {
    return Stream.concat(Stream.of(server), clients.stream()).filter(host -> command.contains(dir.resolve(host) + "/"));
  }

  /** Writes its report again, with what was collected beside it. */
  void isReported(Path folder) throws Exception {
    Files.delete(folder.resolve("report.html"));
    Ended report = ladder("report", folder.toString());
    // It ends as the run did, which may have rungs in which the hosts differ.
    assertThat(report.status()).as(report.said()).isLessThan(2);
    assertThat(folder.resolve("report.html")).exists();
  }
}
