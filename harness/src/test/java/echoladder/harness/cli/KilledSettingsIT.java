package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A harness gets a SIGKILL while a study's settings are in force: nothing is measured under them afterwards. */
@Needs({Need.IP, Need.NSENTER, Need.UNSHARE, Need.MOUNT, Need.NAMESPACES, Need.CGROUP_PIDS})
@Tag("long")
class KilledSettingsIT {
  private static final String STUDY =
      """
      name: killed
      question: Is anything left?
      servers: [{name: floor, settings: {sysctl: {net.core.somaxconn: 77}, server: {tasks: 500}}}]
      rungs: [20]
      repeats: 2
      load: {rate: {total: 400/s}}
      phases: {warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;
  @TempDir private Path journals;

  private OwnNamespace namespace;
  private String before = "";

  @BeforeEach
  void namespace() throws Exception {
    namespace = new OwnNamespace("ladkill", journals);
    before = somaxconn();
    assertThat(before).isNotEqualTo("77");
  }

  @AfterEach
  void nothing() throws Exception {
    namespace.remove();
  }

  private String somaxconn() throws Exception {
    return namespace.read("net.core.somaxconn");
  }

  private LadderProcess ladder(String... arguments) {
    return namespace.ladder(dir, arguments);
  }

  private LadderProcess begin(String steady) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    return ladder("run", study.toString(), "--results", dir.resolve("results").toString());
  }

  private static List<Path> groups(long harness) throws IOException {
    try (Stream<Path> all = Files.walk(Path.of("/sys/fs/cgroup"), 2)) {
      return all.filter(path -> String.valueOf(path.getFileName()).startsWith("echo-ladder-" + harness + "-")).toList();
    }
  }

  /** Gives the groups that are left. */
  private List<Path> killedInForce(LadderProcess ladder) throws Exception {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              assertThat(ladder.alive()).as(ladder.err()).isTrue();
              return ladder.err().contains("steady");
            });
    try (LadderProcess beside = ladder("tune", "restore")) {
      assertThat(beside.status()).as(beside.err()).isEqualTo(3);
      assertThat(beside.err()).contains("a run of process " + ladder.pid() + " has kernel settings of its own in force here", "nothing was put back");
      assertThat(somaxconn()).isEqualTo("77");
    }
    // The wrapper becomes the harness, so their process ids are one.
    ladder.signal("KILL");
    assertThat(ladder.status()).isEqualTo(137);
    assertThat(somaxconn()).isEqualTo("77");
    List<Path> left = groups(ladder.pid());
    assertThat(left).isNotEmpty();
    return left;
  }

  private void assertGone(List<Path> groups) throws Exception {
    assertThat(somaxconn()).isEqualTo(before);
    assertThat(groups).noneMatch(Files::exists);
  }

  @Test
  void restoreAndResumeAndTheNextRunPutThemBack() throws Exception {
    List<Path> groups;
    try (LadderProcess ladder = begin("10m")) {
      groups = killedInForce(ladder);
    }
    try (LadderProcess shown = ladder("tune", "restore", "--dry-run")) {
      assertThat(shown.status()).as(shown.err()).isZero();
      assertThat(shown.out()).contains("net.core.somaxconn = " + before + " (now '77')", "nothing was changed");
      assertThat(somaxconn()).isEqualTo("77");
    }
    try (LadderProcess restore = ladder("tune", "restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
      assertThat(restore.out()).contains("net.core.somaxconn = " + before, groups.getFirst() + " is removed");
    }
    assertGone(groups);

    Path run;
    try (LadderProcess ladder = begin("10m")) {
      groups = killedInForce(ladder);
      try (Stream<Path> runs = Files.list(dir.resolve("results/killed"))) {
        run = runs.max(Path::compareTo).orElseThrow();
      }
    }
    try (LadderProcess resumed = ladder("run", "--resume", run.toString())) {
      Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> resumed.err().contains("is resumed") || !resumed.alive());
      assertThat(resumed.err()).contains("a killed run has left this, put back: net.core.somaxconn = " + before);
      assertThat(groups).noneMatch(Files::exists);
      // And its own are in force, with old values that are the host's.
      groups = killedInForce(resumed);
    }

    try (LadderProcess next = begin("1s")) {
      assertThat(next.status()).as(next.err()).isZero();
      assertThat(next.err()).contains("a killed run has left this, put back: net.core.somaxconn = " + before);
    }
    assertGone(groups);
  }
}
