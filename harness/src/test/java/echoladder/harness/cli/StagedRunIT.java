package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.figures.StagedFigures.Span;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.RunSchema;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.HistogramLogReader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs of users in stages, in both loops, against a real server. */
class StagedRunIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: users
      question: What do users in stages see in either loop?
      servers: [{name: go-http, label: go-closed, client: closed-loop}, {name: go-http, label: go-open}]
      load:
        stages: [{users: 6, over: 20s}, {users: 6, over: 40s}, {users: 0, over: 20s}]
        requests:
          - {name: heavy, path: "/api/heavy?duration=50", answer: heavy, takes: 50ms}
          - {name: light, path: /api/light, answer: light}
        pause: 50ms
        answer_within: 5s
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m}
      thresholds: {hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0, steal_share_most: 0.99,
                   foreign_cpu_share_most: 0.999}
      """;

  @TempDir private Path dir;

  private LadderProcess run(String... more) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    return LadderProcess.start(
        HOME,
        dir,
        Stream.concat(
                Stream.of("run", study.toString(), "--results", dir.resolve("results").toString()), Arrays.stream(more))
            .toArray(String[]::new));
  }

  private Path folder() throws IOException {
    return RunBelow.folder(dir.resolve("results"), "users");
  }

  private static Set<String> tags(Path log) throws IOException {
    Set<String> tags = new HashSet<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toString())) {
      while (reader.hasNext()) {
        tags.add(reader.nextIntervalHistogram().getTag());
      }
    }
    return tags;
  }

  private static StagedFigures figures(RunRecord run, int rung) {
    return Objects.requireNonNull(run.rungs().get(rung).staged());
  }

  private static List<String> column(List<String> csv, String name) {
    int at = List.of(csv.getFirst().split(",", -1)).indexOf(name);
    assertThat(at).as(name).isNotNegative();
    return csv.stream().skip(1).map(line -> line.split(",", -1)[at]).filter(cell -> !cell.isEmpty()).toList();
  }

  @Test
  void measuresBothLoopsStageByStage() throws Exception {
    try (LadderProcess ladder = run("--set", "load.stage_scale=0.05", "--set", "load.answer_within=4s")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("go-closed", "closed", "service", "go-open", "open", "response", "ceiling per s", "report: ");
      assertThat(ladder.err()).contains("closed loop: ", "open loop: ");
    }
    Path folder = folder();
    String json = Files.readString(folder.resolve("run.json"));
    assertThat(RunSchema.complaints(json)).isEmpty();
    RunRecord run = new RunFolder(folder).read();
    assertThat(RunFolder.json(run)).isEqualTo(json);
    assertThat(run.reproduce()).endsWith(" --set load.stage_scale=0.05 --set load.answer_within=4s");
    assertThat(Objects.requireNonNull(run.study().load().staged()).answerWithinNs()).isEqualTo(4_000_000_000L);
    assertThat(run.rungs()).hasSize(2).allMatch(RungRecord::valid);

    StagedFigures closed = figures(run, 0);
    StagedFigures open = figures(run, 1);
    for (StagedFigures figures : List.of(closed, open)) {
      assertThat(figures.spans()).extracting(Span::stage).containsExactly(1, 2, 3, null);
      Span whole = Objects.requireNonNull(figures.whole());
      assertThat(whole.requests()).extracting(r -> r.request()).containsExactly("heavy", "light", "all");
      assertThat(whole.all().errors()).isZero();
      assertThat(whole.all().answered()).isEqualTo(whole.all().intended()).isPositive();
      assertThat(whole.requests().getFirst().serviceTime().p50Ns()).isGreaterThanOrEqualTo(50_000_000);
      // 6 users over 2 s and half of them over 2 s more: 18 user seconds, two requests in 0.1 s.
      assertThat(whole.ceilingPerS() * whole.seconds()).isBetween(359.0, 361.0);
    }
    assertThat(Objects.requireNonNull(closed.whole()).all().responseTime().count()).isZero();
    assertThat(Objects.requireNonNull(open.whole()).all().responseTime().count()).isPositive();
    assertThat(Objects.requireNonNull(open.whole()).all().intended()).isBetween(330L, 390L);

    assertThat(tags(folder.resolve("0000012-go-open.hlog"))).contains("response-heavy", "response-light", "service-light");
    assertThat(tags(folder.resolve("0000012-go-closed.hlog"))).contains("service-heavy").doesNotContain("response");
    List<String> samples = Files.readAllLines(folder.resolve("samples.csv"));
    assertThat(column(samples, "client_users")).contains("6");
    assertThat(column(samples, "client_achieved_per_s")).isNotEmpty();
    assertThat(column(samples, "client_time_p50_ns")).isNotEmpty();
    assertThat(column(samples, "client_time_max_ns")).isNotEmpty();
    assertThat(folder.resolve("REPORT.md")).content()
        .contains("## All stages together", "### go-closed, closed loop, service times", "### go-open, open loop, response times")
        .contains("## The client's own condition", "load.stage_scale=0.05")
        .doesNotContain("## The ladder", "{{");
  }

  @Test
  @Tag("long")
  void aSignalKeepsTheStagesThatWereBegun() throws Exception {
    try (LadderProcess ladder = run()) {
      Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> ladder.err().contains("steady"));
      Thread.sleep(1_500);
      ladder.signal("INT");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.out()).contains("INVALID: interrupted", "report: ");
    }
    RunRecord run = new RunFolder(folder()).read();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(figures(run, 0).spans()).extracting(Span::stage).containsExactly(1, null);
    assertThat(figures(run, 0).spans().getFirst().seconds()).isBetween(0.5, 20.0);
    assertThat(run.rungs().get(1).staged()).isNull();
    assertThat(folder().resolve("REPORT.md")).content().contains("did not come to its end", "go-open");
  }
}
