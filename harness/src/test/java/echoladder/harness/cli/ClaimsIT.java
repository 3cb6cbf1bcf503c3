package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.results.RunFolder;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real ledgers, as processes, of claims that take seconds. What a busy host measures is not looked at. */
class ClaimsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String CLAIMS =
      """
      memory_limit: 512M
      sources: {somebody: {author: A. Body, title: What threads do, kind: blog post, date: "2025", where: not stated}}
      sentences:
        - {about: whether sleepers wake, claims: [sleepers], met: "Sleepers wake, {sleepers}.", not_met: Sleepers do not wake.}
      claims:
        - id: sleepers
          said: a thousand virtual threads sleep
          topic: starting
          kind: host-bound
          source: somebody
          published: 1 s
          host: a laptop
          steps:
            - {name: virtual, run: java thread-ramp, args: --model virtual --tasks 1000 --sleep 10ms}
            - {name: go, run: go thread-ramp, env: {GOMEMLIMIT: 1GiB}, args: --tasks 10 --sleep 1ms}
          rules: [{step: virtual, ends: [done]}]
        - id: climb
          said: a floor carries forty connections
          topic: connections
          kind: os-bound
          source: somebody
          published: forty
          host: a laptop
          steps:
            - {name: floor, run: ladder tiny, args: --servers floor, line: floor}
          rules: [{step: floor, ends: [done]}, {take: floor.connections_established_at_40, least: 40, most: 40, by: own}]
          plots: [{figure: server_rss_bytes, across: connections}]
        - id: long
          said: one virtual thread sleeps for a minute
          topic: starting
          kind: host-bound
          source: somebody
          published: 60 s
          host: a laptop
          steps:
            - {name: virtual, run: java thread-ramp, args: --model virtual --tasks 1 --sleep 60s}
          rules: [{step: virtual, ends: [done]}]
        - id: last
          said: nobody ever comes to this
          topic: memory
          kind: host-bound
          source: somebody
          published: nothing
          host: a laptop
          needs: {descriptors: 4000000000}
          steps:
            - {name: virtual, run: java thread-ramp, args: --model virtual --tasks 1}
          rules: [{step: virtual, ends: [done]}]
      """;

  private static final String TINY =
      """
      name: tiny
      question: Does a floor carry forty connections?
      servers: [floor]
      rungs: [20, 40]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private LadderProcess ladder(String... more) throws IOException {
    Files.createDirectories(dir.resolve("some/climbs"));
    Files.writeString(dir.resolve("some/study.yaml"), "name: some\nkind: claims\nquestion: Which of them hold?\n");
    Files.writeString(dir.resolve("some/claims.yaml"), CLAIMS);
    Files.writeString(dir.resolve("some/climbs/tiny.yaml"), TINY);
    return LadderProcess.start(
        HOME,
        dir,
        Stream.concat(
                Stream.of("run", dir.resolve("some").toString(), "--results", dir.resolve("results").toString()),
                Arrays.stream(more))
            .toArray(String[]::new));
  }

  private RunFolder folder() throws IOException {
    return new RunFolder(RunBelow.folder(dir.resolve("results"), "claims"));
  }

  private JsonNode ledger() throws IOException {
    String json = Files.readString(folder().file("ledger.json"));
    assertThat(RunSchema.ofLedger(json)).isEmpty();
    assertThat(json).as("of no place of this host").doesNotContain(HOME + "/");
    return JsonMapper.shared().readTree(json);
  }

  private static void await(LadderProcess ladder, BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> {
              assertThat(ladder.alive()).as(ladder.err()).isTrue();
              return condition.getAsBoolean();
            });
  }

  private static String verdict(JsonNode ledger, int entry) {
    return ledger.get("entries").get(entry).get("outcome").get("verdict").asString();
  }

  @Test
  void measuresAWorkloadAndAClimbAndSaysWhatTheHostLacks() throws Exception {
    try (LadderProcess ladder = ladder("--only", "sleepers,climb,last", "--quick")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("sleepers", "reproduced", "3 claims: reproduced 1, ends so here 1, cannot be told here 1", "Sleepers wake, done.", "ledger.html");
    }
    JsonNode ledger = ledger();
    assertThat(ledger.get("status").asString()).isEqualTo("complete");
    assertThat(verdict(ledger, 0)).isEqualTo("holds");
    JsonNode go = ledger.get("entries").get(0).get("runs").get(1);
    assertThat(go.get("figures").get("gomemlimit_bytes").asLong()).isEqualTo(1L << 30);
    assertThat(go.get("command").get(0).asString()).isEqualTo("GOMEMLIMIT=1GiB");
    assertThat(verdict(ledger, 1)).as(ledger.toPrettyString()).isEqualTo("holds");
    assertThat(ledger.get("entries").get(2).get("outcome").get("reason").asString())
        .startsWith("it needs 4,000,000,000 descriptors in one process, the hard limit here is ");
    JsonNode climb = ledger.get("entries").get(1).get("runs").get(0);
    RunFolder run = new RunFolder(folder().dir().resolve(climb.get("folder").asString()));
    assertThat(run.file("report.html")).isRegularFile();
    assertThat(climb.get("figures").get("server_rss_bytes_at_40").asDouble())
        .isEqualTo(RunFolder.tree(run.read().rungs().getLast()).get("server_rss_bytes").asDouble());
    String page = Files.readString(folder().file("ledger.html"));
    try (LadderProcess report = LadderProcess.start(HOME, dir, "report", folder().dir().toString())) {
      assertThat(report.status()).as(report.err()).isZero();
      assertThat(report.out()).contains("3 claims: reproduced 1, ends so here 1, cannot be told here 1");
    }
    assertThat(folder().file("ledger.html")).content().isEqualTo(page);
  }

  @Test
  @Tag("long")
  void aSignalKeepsWhatIsMeasuredAndEndsWhatRuns() throws Exception {
    List<ProcessHandle> started;
    try (LadderProcess ladder = ladder("--only", "sleepers,long,last")) {
      await(ladder, () -> ladder.err().contains("claim 2 of 3, long"));
      await(ladder, () -> !ladder.descendants().isEmpty());
      started = ladder.descendants();
      ladder.signal("INT");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err()).contains("stopping; what was measured is kept");
      assertThat(ladder.out()).contains("sleepers", "reproduced", "not come to: last");
    }
    assertThat(started).noneMatch(ProcessHandle::isAlive);
    JsonNode ledger = ledger();
    assertThat(ledger.get("status").asString()).isEqualTo("interrupted");
    assertThat(verdict(ledger, 0)).isEqualTo("holds");
    assertThat(verdict(ledger, 1)).isEqualTo("cannot-be-told-here");
    assertThat(ledger.get("not_reached").get(0).asString()).isEqualTo("last");
    assertThat(folder().file("LEDGER.md")).content().contains("**Not complete:** it was stopped before last.");
  }

  @Test
  @Tag("long")
  void aSignalDuringAClimbLeavesNoServerBehind() throws Exception {
    List<ProcessHandle> started;
    try (LadderProcess ladder = ladder("--only", "climb")) {
      await(ladder, () -> ladder.descendants().size() >= 2);
      started = ladder.descendants();
      ladder.signal("TERM");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
    }
    assertThat(started).noneMatch(ProcessHandle::isAlive);
    JsonNode ledger = ledger();
    assertThat(verdict(ledger, 0)).as(ledger.toPrettyString()).isEqualTo("cannot-be-told-here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--only none|2|--only none: there is no such claim; known claims: sleepers, climb, long, last",
        "--topic weather|2|--topic weather: there is no such topic; known topics: memory, starting, connections",
        "--only last --topic memory|2|--only names claims, --topic all claims of a topic; leave one of them out",
        "--servers floor|2|--client and --servers are for studies that climb",
        "--watch 0|2|--watch, --quiet and --events are for studies that climb",
        "--jdk /nowhere|2|--jdk: '/nowhere' is not allowed; there is no program /nowhere/bin/java",
        "--set memory_limit=1|2|--set memory_limit=1: memory_limit: 1 is not allowed; what each workload may hold",
        "--results /dev/null/x|3|cannot create a run folder in /dev/null/x",
      })
  void whatCannotBeginIsSaidBeforeAnythingIsStarted(String options, int status, String said) throws Exception {
    String[] words = options.split(" ", -1);
    boolean elsewhere = options.startsWith("--results");
    try (LadderProcess ladder =
        elsewhere
            ? LadderProcess.start(HOME, dir, "run", "claims", words[0], words[1])
            : ladder(words)) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(status);
      assertThat(ladder.err()).contains(said);
    }
    assertThat(dir.resolve("results")).doesNotExist();
  }
}
