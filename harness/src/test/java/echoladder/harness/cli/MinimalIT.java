package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tune minimal} on a small scale, in a network namespace: two lowered settings are needed there, three others are not. */
@Needs({Need.IP, Need.NSENTER, Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
@Tag("long")
class MinimalIT {
  private static final String RANGE = "net.ipv4.ip_local_port_range";
  private static final String NARROW = "20000 20399";

  @TempDir private Path dir;
  @TempDir private Path journals;
  private OwnNamespace namespace;

  @BeforeEach
  void lowered() throws Exception {
    namespace = new OwnNamespace("ladmin", journals);
    namespace.set(RANGE, NARROW);
    namespace.set("net.core.somaxconn", "128");
    Files.writeString(
        dir.resolve("blog.conf"),
        """
        # lifts:   ports
        # value:   many
        net.ipv4.ip_local_port_range = 10240 65535
        net.core.somaxconn = 4096
        net.ipv4.tcp_max_tw_buckets = 2000000
        net.ipv4.tcp_fin_timeout = 77
        """);
  }

  @AfterEach
  void nothing() throws Exception {
    namespace.remove();
  }

  private LadderProcess minimal(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "tune", "minimal", "--connections", "600", "--server", "floor", "--from", "nofile=300", "--source-address", "127.0.0.1",
                "--results", dir.resolve("results").toString()));
    arguments.addAll(Arrays.asList(more));
    return namespace.ladder(dir, arguments.toArray(String[]::new));
  }

  private List<Path> runs() throws IOException {
    try (Stream<Path> all = Files.walk(dir.resolve("results"))) {
      return all.filter(path -> path.endsWith("run.json")).map(Path::getParent).sorted().toList();
    }
  }

  private void await(LadderProcess ladder, String said) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              assertThat(ladder.alive()).as(ladder.err()).isTrue();
              return ladder.err().contains(said);
            });
  }

  @Test
  void exactlyWhatIsNeededIsLeftWithItsFailure() throws Exception {
    String[] asked = {"--profile", dir.resolve("blog.conf").toString(), "--out", dir.resolve("needed.conf").toString()};
    try (LadderProcess stopped = minimal(asked)) {
      await(stopped, "ladder: try 1 with none: ");
      stopped.signal("INT");
      assertThat(stopped.status()).as(stopped.err()).isEqualTo(1);
      assertThat(stopped.err()).contains("5 settings may be needed: nofile 300 -> 700, ", "the same command goes on");
      assertThat(stopped.out()).isEmpty();
    }
    assertThat(namespace.read(RANGE)).isEqualTo(NARROW);

    String text;
    try (LadderProcess found = minimal(asked)) {
      assertThat(found.status()).as(found.err()).isZero();
      assertThat(found.err())
          .contains("try 1 with none: ", "(tried before)", "with all 5: 600 held", "2 of 5 left: nofile, " + RANGE)
          .contains("2 of 5 settings are needed; without any one of them the climb ends");
      text = found.out();
    }
    assertThat(dir.resolve("needed.conf")).hasContent(text);
    assertThat(text)
        .contains("# before:  20000 20399\n# value:   many\n", "\n" + RANGE + " = 10240 65535\n")
        .containsPattern("# without: [34]\\d\\d of 600 connections; port tuples was met: the client counts [\\d,]+ x connect EADDRNOTAVAIL")
        .containsPattern("# without: 2\\d\\d of 600 connections; nofile hard, server was met: ")
        .contains("# no kernel setting: ulimit -Hn 700 for the server")
        .contains("# Not needed: net.core.somaxconn 128 -> 4096, net.ipv4.tcp_max_tw_buckets ", "net.ipv4.tcp_fin_timeout 60 -> 77.\n");
    assertThat(text.lines().filter(line -> !line.startsWith("#") && !line.isBlank())).containsExactly(RANGE + " = 10240 65535");
    assertThat(namespace.read(RANGE)).isEqualTo(NARROW);
    assertThat(namespace.read("net.ipv4.tcp_fin_timeout")).isEqualTo("60");

    // What stands there is what the runs say.
    List<Path> runs = runs();
    List<RunRecord> records = runs.stream().map(run -> new RunFolder(run).read()).toList();
    assertThat(records).anyMatch(run -> String.valueOf(run.climbs().getFirst().limit()).equals("PORTS"));
    assertThat(records).anyMatch(run -> String.valueOf(run.climbs().getFirst().limit()).equals("NOFILE_SERVER"));

    try (LadderProcess again = minimal("--profile", dir.resolve("blog.conf").toString())) {
      assertThat(again.status()).as(again.err()).isZero();
      assertThat(again.out().lines().skip(3).toList()).isEqualTo(text.lines().skip(3).toList());
    }
    assertThat(runs()).as("nothing is tried twice").isEqualTo(runs);
  }

  @Test
  void aKillInATryLeavesWhatRestorePutsBack() throws Exception {
    try (LadderProcess killed = minimal()) {
      await(killed, "ladder: try 1 with none: ");
      Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> namespace.read(RANGE).equals("10240 65535"));
      killed.signal("KILL");
      assertThat(killed.status()).isEqualTo(137);
    }
    assertThat(namespace.read(RANGE)).isEqualTo("10240 65535");
    try (LadderProcess restore = namespace.ladder(dir, "tune", "restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
      assertThat(restore.out()).contains(RANGE + " = " + NARROW);
    }
    assertThat(namespace.read(RANGE)).isEqualTo(NARROW);
    assertThat(namespace.read("net.core.somaxconn")).isEqualTo("128");
  }

  @Test
  void whatCannotBeSetHereIsRefusedBeforeAnythingIsChanged() throws Exception {
    try (LadderProcess host = minimal("--from", "fs.epoll.max_user_watches=100")) {
      assertThat(host.status()).isEqualTo(3);
      assertThat(host.err())
          .contains("nothing was changed", "fs.epoll.max_user_watches has one value for the whole host")
          .contains("./ladder lab --as-booted -- ./ladder tune minimal --connections 600", "--on-this-host");
    }
    try (LadderProcess beyond = namespace.ladder(dir, "tune", "minimal", "--connections", "10000001", "--server", "floor")) {
      assertThat(beyond.status()).isEqualTo(2);
    }
    try (LadderProcess unknown = namespace.ladder(dir, "tune", "minimal", "--connections", "600", "--server", "flor")) {
      assertThat(unknown.status()).isEqualTo(2);
      assertThat(unknown.err()).contains("there is no server 'flor'");
    }
    try (LadderProcess leave = minimal("--leave", "vm.swappiness")) {
      assertThat(leave.status()).isEqualTo(2);
      assertThat(leave.err()).contains("--leave vm.swappiness: it is none of the settings that may be needed: ");
    }
    assertThat(dir.resolve("results/tune-minimal")).doesNotExist();
    assertThat(namespace.read(RANGE)).isEqualTo(NARROW);
  }
}
