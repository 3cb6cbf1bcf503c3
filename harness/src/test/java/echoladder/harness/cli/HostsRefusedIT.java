package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run over several hosts cannot be is refused before anything starts. */
class HostsRefusedIT {
  @TempDir private Path dir;
  private HostsClimb over;

  @BeforeEach
  void hosts() throws IOException {
    over = new HostsClimb(dir);
  }

  @AfterEach
  void nothingIsLeft() {
    over.leavesNothing();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c1=shut|3|host c1 cannot be reached by ssh as shut: ssh: connect to host shut port 22: Connection refused",
        "c1=locked|3|host c1 cannot be reached by ssh as locked: load@locked: Permission denied (publickey).",
        "c1=c1=empty|3|host c1 has no ladder at ",
        "c1=c1=other|3|host c1 has another version of the ladder at ",
        "c1=c1=older|3|host c1 has another version of the ladder at ",
        "c1=chatty|3|host c1 said something else than an answer, as a login shell does that prints on stdout: Welcome to chatty",
        "s1=s1|2|--hosts INVENTORY: a host twice: s1 is in both groups: each host has one part",
        "c1=s1|2|--hosts INVENTORY: a host twice: s1 port 22 is reached under two names"
      })
  @Tag("long")
  void whatCannotBeBegunIsRefusedInALineBeforeAnythingStarts(String client, int status, String said) throws Exception {
    Path inventory = over.hosts.inventory(client);
    try (LadderProcess ladder = over.climb("2s", inventory)) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      assertThat(ladder.err()).startsWith("ladder: " + said.replace("INVENTORY", inventory.toString()));
      assertThat(ladder.err().lines()).as(ladder.err()).hasSize(1);
    }
    assertThat(dir.resolve("results/hosts")).doesNotExist();
  }

  /** What is done on the host of the ladder alone is refused in one line, which says what to do instead. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "load.storm=rush|3|fake: load.storm kills the server and starts it again, which is done on the host of the ladder alone: leave --hosts out",
        "load.cpus=server=0 client=0|3|fake: load.cpus names processors of one host: with --hosts leave it out",
        "servers=[{name: fake, settings: {sysctl: {net.core.somaxconn: '100'}}}]|3|(net.core.somaxconn = 100) are made on the host of the ladder alone",
        "servers=[{name: fake, settings: {client: {source_addresses: [127.0.0.9]}}}]|3|(echo_ladder_source_addresses)",
        "servers=[{name: fake, settings: {client: {target_addresses: [127.0.0.9]}}}]|3|fake: its target 127.0.0.9 is not in the inventory: with --hosts leave",
        "servers=[{name: fake, client: tcpkali}]|3|fake: tcpkali runs on one host alone: with --hosts take the open-loop client",
      })
  @Tag("long")
  void whatOneHostAloneDoesIsRefusedBeforeAnythingStarts(String setting, int status, String said) throws Exception {
    try (LadderProcess ladder = over.climb("2s", over.hosts.inventory("c1"), "--set", setting)) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      assertThat(ladder.err()).startsWith("ladder: ").contains(said);
      assertThat(ladder.err().lines().filter(line -> line.contains("fake"))).as(ladder.err()).hasSize(1);
    }
    assertThat(dir.resolve("results/hosts")).doesNotExist();
  }

  @Test
  @Tag("long")
  void usersInStagesAndALabAreRefused() throws Exception {
    Path inventory = over.hosts.inventory("c1");
    String staged =
        """
        name: users
        question: What do users in stages see?
        servers: [http]
        load:
          stages: [{users: 2, over: 2s}]
          requests: [{name: light, path: /api/light, answer: light}]
          pause: 50ms
          answer_within: 5s
        """;
    refused(inventory, "staged.yaml", staged, 3, "http: users in stages (load.stages) are driven by one client process, on the host of the ladder");
    String lab = HostsClimb.STUDY.replace("STEADY", "2s") + "lab: {memory: 1G, timeout: 10m}\n";
    refused(inventory, "lab.yaml", lab, 2, "--hosts cannot be given with a study of a lab, as '");
  }

  private void refused(Path inventory, String file, String study, int status, String said) throws Exception {
    String path = Files.writeString(dir.resolve(file), study).toString();
    try (LadderProcess ladder = LadderProcess.start(over.home, dir, over.hosts.environment(), "run", path, "--hosts", inventory.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      // Lines before it are of what killed runs have left on this machine.
      assertThat(ladder.err().lines().toList().getLast()).as(ladder.err()).startsWith("ladder: " + said);
      assertThat(ladder.err()).doesNotContain("\tat ");
    }
  }

  @Test
  @Tag("long")
  void whatDoesNotGoWithHostsIsRefused() throws Exception {
    Path inventory = over.hosts.inventory("c1");
    try (LadderProcess ladder =
        over.climb("2s", inventory, "--attach", "127.0.0.1:9", "--server-metrics", "http://127.0.0.1:9/metrics", "--servers", "fake")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--hosts cannot be given with --attach: a run on hosts starts its servers itself");
    }
    try (LadderProcess ladder = over.climb("2s", dir.resolve("none.yml"))) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("none.yml: there is no such file");
    }
    Map<String, String> without = over.hosts.withoutAnsible();
    try (LadderProcess ladder =
        LadderProcess.start(over.home, dir, without, "run", dir.resolve("study.yaml").toString(), "--hosts", inventory.toString())) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("ansible-inventory is not on PATH; it comes with ansible-core");
    }
  }
}
