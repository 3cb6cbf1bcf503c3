package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.linux.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ladder that gets SIGKILL leaves nothing running, whatever it does; {@link ResumeIT} shows that of a climb. */
class KilledLadderIT {
  private static final String CLAIMS =
      """
      memory_limit: 512M
      sources: {somebody: {author: A. Body, title: What threads do, kind: blog post, date: "2025", where: not stated}}
      claims:
        - id: climb
          said: a server carries forty connections
          topic: connections
          kind: order
          source: somebody
          published: forty
          host: a laptop
          steps:
            - {name: fake, run: ladder long, args: --servers fake, line: fake}
          rules: [{step: fake, ends: [done]}]
      """;

  private static final String LONG =
      """
      name: long
      question: Does it end?
      servers: [{name: fake, label: fake, options: {behaviour: deaf-to-stdin}}]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 30s, steady: 10m, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      thresholds: {achieved_share_least: 0.01, hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0,
                   steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
      """;

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
  void aLedgerLeavesNeitherItsInnerLadderNorThatOnesServerAndClient() throws Exception {
    Path home = new TestCheckout(dir.resolve("home")).checkout().root();
    Path some = dir.resolve("some");
    Files.createDirectories(some.resolve("climbs"));
    Files.writeString(some.resolve("study.yaml"), "name: some\nkind: claims\nquestion: Does it hold?\n");
    Files.writeString(some.resolve("claims.yaml"), CLAIMS);
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
