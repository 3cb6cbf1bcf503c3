package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run over a network gets a SIGKILL at random moments: of its namespace, cables and processes nothing is left. */
@Tag("long")
@Needs({Need.IP, Need.NSENTER, Need.UNSHARE, Need.MOUNT, Need.NAMESPACES, Need.VETH, Need.AWK})
class NetworkKilledIT {
  private static final int KILLS = Integer.getInteger("kills", 20);
  private static final long SEED = Long.getLong("kills.seed", System.nanoTime());

  private static final String STUDY =
      """
      name: far
      question: Is anything left?
      servers: [floor, {name: floor, label: other}]
      network: {delay: 0ms}
      rungs: [20]
      repeats: 9
      load: {rate: {total: 400/s}}
      phases: {warm_up_min: 0s, warm_up_max: 0s, steady: 1s, drain: 1s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;
  @TempDir private Path journals;
  private OwnNamespace namespace;

  @BeforeEach
  void make() throws Exception {
    namespace = new OwnNamespace("cable", journals);
  }

  @AfterEach
  void remove() throws Exception {
    namespace.remove();
  }

  /** The ladder takes the namespace of the test for its own, as it has loopback alone, so that what it leaves there would be seen. */
  @Test
  void nothingIsLeft() throws Exception {
    FakeTc tc = new FakeTc(dir.resolve("tools"));
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Random random = new Random(SEED);
    int over = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      Path results = dir.resolve("results-" + kill);
      try (LadderProcess ladder =
          namespace.ladder(dir, tc.environment(0), "run", study.toString(), "--results", results.toString())) {
        // From its start on the network comes and goes with each server: it is made 18 times.
        Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> !ladder.alive() || ladder.err().contains("start server"));
        assertThat(ladder.alive()).as(ladder.err()).isTrue();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(6_000)); // What is awaited is a random moment.
        List<ProcessHandle> started = new ArrayList<>(ladder.descendants());
        over += namespace.links().contains("link-client") ? 1 : 0;
        ladder.signal("KILL");
        assertThat(ladder.status()).isEqualTo(137);
        String which = "kill %d of seed %d".formatted(kill, SEED);
        Awaitility.await(which).atMost(Duration.ofMinutes(1)).until(() -> started.stream().noneMatch(ProcessHandle::isAlive));
        Awaitility.await(which).atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(namespace.links()).containsExactly("lo"));
      }
    }
    // Else nothing was shown.
    assertThat(over).as("kills while there was a network, of seed " + SEED).isPositive();
  }
}
