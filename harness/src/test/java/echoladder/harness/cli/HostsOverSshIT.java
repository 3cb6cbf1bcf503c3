package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.hosts.SshHosts;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cuts a host off that is reached by a real ssh; a whole run over such hosts is in the module deploy, with its playbooks. */
@Needs({Need.IP, Need.NAMESPACES, Need.VETH, Need.UNSHARE, Need.SSH, Need.SSHD, Need.ANSIBLE_INVENTORY})
class HostsOverSshIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** Whatever a busy host does to times spoils nothing; what is lost does. */
  private static final String STUDY =
      """
      name: afar
      question: What does a climb over three client hosts show?
      servers: [floor]
      rungs: [600]
      repeats: 1
      load: {rate: {total: 600/s}}
      phases: {connect_rate: 1000/s, connect_timeout: 20s, warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.thresholds(0.5);

  private static final List<String> NAMES = List.of("s1", "c1", "c2", "c3");

  @TempDir private Path dir;

  private LadderProcess climb(SshHosts hosts, Path inventory, String steady) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    return LadderProcess.startIn(
        hosts.controller(), HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString(), "--hosts", inventory.toString());
  }

  private SshHosts hosts() throws IOException {
    ladders();
    return SshHosts.start(Files.createDirectories(dir.resolve("hosts")), NAMES.toArray(String[]::new));
  }

  /** A ladder of this build's classes for each host, which has its temporary files beside it. */
  private void ladders() throws IOException {
    for (String name : NAMES) {
      Path there = Files.createDirectories(there(name));
      String script = FakeHosts.ladderScript(HOME, dir.toString(), "").replace(" -cp ", " -Djava.io.tmpdir=" + there + " -cp ");
      assertThat(Files.writeString(there.resolve("ladder"), script).toFile().setExecutable(true)).isTrue();
    }
  }

  /** The ladder's folder on a host. */
  private Path there(String name) {
    return dir.resolve("there").resolve(name);
  }

  private Path inventory(SshHosts hosts) throws IOException {
    String yaml =
        hosts.inventory(
            name -> {
              Map<String, String> more = new HashMap<>(Map.of("echo_ladder_dir", there(name).toString()));
              if (name.startsWith("c")) {
                more.put("echo_ladder_source_addresses", "[" + hosts.address(name) + "]");
              }
              return more;
            });
    return Files.writeString(dir.resolve("inventory.yml"), yaml);
  }

  /** What was started on them and still runs. */
  private List<ProcessHandle> left() {
    return FakeHosts.left(dir.toString());
  }

  private Path folder() throws IOException {
    return RunBelow.folder(dir.resolve("results"), "afar");
  }

  private RunRecord run() throws IOException {
    return RunBelow.record(folder());
  }

  private static LoadResult load(RungRecord rung) {
    return Objects.requireNonNull(rung.load());
  }

  @Test
  @Tag("long")
  void aHostWhoseLinkIsCutEndsItsRungByItsName() throws Exception {
    try (SshHosts hosts = hosts()) {
      try (LadderProcess ladder = climb(hosts, inventory(hosts), "120s")) {
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> ladder.err().contains("  steady"));
        hosts.cable("c2", false);
        long cutNs = System.nanoTime();
        Duration ended = HostsClimb.untilTheRungEnded(ladder, cutNs);
        assertThat(ended).isLessThan(HostsClimb.LOST_RUNG_MOST);
        assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
        Duration took = Duration.ofNanos(System.nanoTime() - cutNs);
        System.out.printf(
            "HostsOverSshIT: a link was cut: its rung ended %.1f s later, the run %.1f s%n", ended.toMillis() / 1e3, took.toMillis() / 1e3);
        assertThat(took).isLessThan(Duration.ofSeconds(100));
      }
      // Nobody can tell the host that was cut off: its control process ends by itself.
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> left().isEmpty());
    }
    RunRecord run = run();
    assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    Reason reason = load(run.rungs().getFirst()).verdictReasons().getFirst();
    assertThat(reason.reason()).isEqualTo(ReasonCode.HOST_LOST);
    assertThat(reason.detail()).contains("host c2");
  }

  /** As in a lab, whose kernel has no bridge; with further addresses of a network that is a client's own. */
  @Test
  @Tag("long")
  void hostsBetweenWhichTheControllerRoutesAreClimbedToo() throws Exception {
    ladders();
    try (SshHosts hosts = SshHosts.startRouted(Files.createDirectories(dir.resolve("hosts")), NAMES.toArray(String[]::new))) {
      hosts.ask("c1", "ip address add 10.78.1.7/32 dev " + SshHosts.INTERFACE);
      String own = "[" + hosts.address("c1") + "]";
      Path inventory = inventory(hosts);
      Files.writeString(inventory, Files.readString(inventory).replace(own, "[" + hosts.address("c1") + ", 10.78.1.7]"));
      try (LadderProcess ladder = climb(hosts, inventory, "2s")) {
        assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
      }
    }
    RungRecord rung = run().rungs().getFirst();
    assertThat(load(rung).connections().held()).as("%s", load(rung).verdictReasons()).isEqualTo(600);
    assertThat(load(rung).condition().sourceAddresses()).contains("10.78.1.7");
  }

  /** The ladder of that host lies on a file system of its own, of two megabytes, and what it writes goes there. */
  @ParameterizedTest
  @ValueSource(strings = {"c2", "s1"})
  @Tag("long")
  void aHostWhoseDiskFillsEndsItsRungByItsName(String full) throws Exception {
    try (SshHosts hosts = hosts()) {
      Path disk = there(full);
      hosts.ask(full, "cd / && cp %1$s/ladder %1$s.kept && mount -t tmpfs -o size=2m tmpfs %1$s && cp %1$s.kept %1$s/ladder".formatted(disk));
      Path inventory = inventory(hosts);
      try (LadderProcess ladder = climb(hosts, inventory, "20s")) {
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> ladder.err().contains("  steady"));
        hosts.ask(full, "head -c 3M /dev/zero >" + disk + "/fill; true");
        Duration ended = HostsClimb.untilTheRungEnded(ladder, System.nanoTime());
        System.out.printf("HostsOverSshIT: the disk of %s was full: its rung ended %.1f s later%n", full, ended.toMillis() / 1e3);
        assertThat(ended).isLessThan(HostsClimb.LOST_RUNG_MOST);
        assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
        assertThat(ladder.err()).contains("--resume").doesNotContain("\tat ");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> left().isEmpty());
      }
      RunRecord run = run();
      assertThat(run.status()).isEqualTo(RunRecord.Status.INTERRUPTED);
      Reason reason = load(run.rungs().getFirst()).verdictReasons().getFirst();
      assertThat(reason.reason()).isEqualTo(ReasonCode.HOST_LOST);
      assertThat(reason.detail()).contains("host " + full, "cannot write to " + disk, "No space left on device");

      String[] resume = {"run", "--resume", folder().toString(), "--hosts", inventory.toString()};
      try (LadderProcess stillFull = LadderProcess.startIn(hosts.controller(), HOME, dir, resume)) {
        assertThat(stillFull.status()).isEqualTo(3);
        assertThat(stillFull.err()).startsWith("ladder: host " + full).contains("cannot write to " + disk, "No space left on device");
        assertThat(stillFull.err().lines()).as(stillFull.err()).hasSize(1);
      }
      hosts.ask(full, "rm " + disk + "/fill");
      try (LadderProcess again = LadderProcess.startIn(hosts.controller(), HOME, dir, resume)) {
        assertThat(again.status()).as(again.err()).isLessThan(2);
      }
    }
    RungRecord rung = run().rungs().getFirst();
    assertThat(run().status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(load(rung).connections().held()).isEqualTo(600);
  }
}
