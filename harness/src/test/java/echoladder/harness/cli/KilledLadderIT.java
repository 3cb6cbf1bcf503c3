package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.linux.process.ProcessTree;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ladder that gets SIGKILL leaves nothing running, whatever it does; {@link ResumeIT} shows that of a climb. */
class KilledLadderIT {
  private static final String LONG =
      """
      name: long
      question: Does it end?
      servers: [{name: fake, label: fake, options: {behaviour: deaf-to-stdin}}]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 10m, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private static void await(LadderProcess ladder, BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              assertThat(ladder.alive()).as(() -> "it ended: " + ladder.err()).isTrue();
              return condition.getAsBoolean();
            });
  }

  private static void killedLeavesNothing(LadderProcess ladder, int least) throws Exception {
    List<ProcessHandle> started = ladder.descendants();
    try {
      assertThat(started).hasSizeGreaterThanOrEqualTo(least).allMatch(ProcessTree::runs);
      ladder.signal("KILL");
      assertThat(ladder.status()).isEqualTo(137);
      Awaitility.await("what the killed ladder had started is gone")
          .atMost(Duration.ofMinutes(2))
          .until(() -> started.stream().noneMatch(ProcessTree::runs));
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void serveLeavesNoServer() throws Exception {
    Path home = new TestCheckout(dir.resolve("home")).checkout().root();
    try (LadderProcess ladder = LadderProcess.start(home, dir, "serve", "fake", "--behaviour", "deaf-to-stdin")) {
      await(ladder, () -> ladder.out().contains("\"ready\":true"));
      killedLeavesNothing(ladder, 1);
    }
  }

  @Test
  @Tag("long")
  void aLedgerLeavesNeitherItsInnerLadderNorThatOnesServerAndClient() throws Exception {
    Path home = new TestCheckout(dir.resolve("home")).checkout().root();
    Path some = ClaimsStudy.in(dir.resolve("some"), "512M", Map.of("climb", "run: ladder long, args: --servers fake, line: fake"));
    Files.createDirectory(some.resolve("climbs"));
    Files.writeString(some.resolve("climbs/long.yaml"), LONG);
    try (LadderProcess ladder =
        LadderProcess.start(home, dir, "run", some.toString(), "--results", dir.resolve("results").toString())) {
      await(ladder, () -> log().contains("  steady"));
      killedLeavesNothing(ladder, 3);
    }
  }

  /** What the inner ladder says. */
  private String log() {
    try (var files = Files.walk(dir.resolve("results"))) {
      Path log = files.filter(file -> file.endsWith("climb.log")).findFirst().orElse(null);
      return log == null ? "" : Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }
}
