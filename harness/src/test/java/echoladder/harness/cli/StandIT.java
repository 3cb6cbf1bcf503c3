package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import echoladder.harness.RunSchema;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study of several rates: one server process for all rates of a connection count and repeat, killed in the middle of one. */
@Tag("long")
class StandIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int RATES = 2;
  private static final int STAND = RATES + 1;

  private static final String STUDY =
      """
      name: rates
      question: Does a server keep its process over all rates?
      servers: [floor, netty]
      rungs: [50]
      repeats: 2
      load: {rate: {totals: [300/s, 900/s]}}
      phases: {connect_rate: 200/s, warm_up_min: 0s, warm_up_max: 2m, stand_warm_up: 1s, steady: 1s, drain: 2s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private Optional<RunFolder> begun() throws IOException {
    Path results = dir.resolve("results/rates");
    if (!Files.exists(results)) {
      return Optional.empty();
    }
    try (Stream<Path> folders = Files.list(results)) {
      return folders.findFirst().map(RunFolder::new).filter(folder -> Files.exists(folder.file("run.json")));
    }
  }

  private RunFolder folder() throws IOException {
    return begun().orElseThrow();
  }

  private int rungs() {
    try {
      Optional<RunFolder> folder = begun();
      return folder.isPresent() ? folder.get().read().rungs().size() : 0;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Long> pids(List<RungRecord> stand) {
    return stand.stream().filter(rung -> rung.process() != null).map(rung -> Objects.requireNonNull(rung.process()).pid()).distinct().toList();
  }

  @Test
  void oneProcessHasAllRatesOfAStandAndARunThatWasKilledInOneGoesOn() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString())) {
      Awaitility.await().atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(20)).until(() -> rungs() >= 1);
      ladder.signal("KILL");
      assertThat(ladder.status()).isEqualTo(137);
    }
    RunRecord killed = folder().read();
    int kept = killed.rungs().size();
    assertThat(kept).as("in the middle of the first stand").isEqualTo(1);
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", "--resume", folder().dir().toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("messages/s");
    }
    RunRecord run = folder().read();
    assertThat(RunSchema.complaints(Files.readString(folder().file("run.json")))).isEmpty();
    assertThat(run.rungs()).hasSize(2 * 2 * STAND);
    // The host's speed at a rung is known once others are measured, and a busy host may have it measured again.
    assertThat(run.rungs().subList(0, kept))
        .as("kept as they were")
        .extracting(rung -> rung.tries().getFirst())
        .extracting(RungRecord::startedAt, RungRecord::process, RungRecord::load)
        .containsExactlyElementsOf(
            killed.rungs().stream().map(rung -> tuple(rung.startedAt(), rung.process(), rung.load())).toList());
    stands(run);
    report(run);
  }

  private static void stands(RunRecord run) {
    List<RungRecord> all = run.rungs();
    for (int from = 0; from < all.size(); from += STAND) {
      List<RungRecord> stand = all.subList(from, from + STAND);
      RungRecord last = stand.getLast();
      assertThat(stand.stream().map(RungRecord::server).distinct()).hasSize(1);
      assertThat(stand.subList(0, RATES)).allMatch(RungRecord::valid).noneMatch(RungRecord::driftCheck);
      assertThat(stand.subList(0, RATES).stream().map(RungRecord::ratePerS)).containsExactlyInAnyOrder(300.0, 900.0);
      assertThat(stand.stream().filter(rung -> rung.load() != null))
          .allSatisfy(rung -> assertThat(Objects.requireNonNull(rung.load()).pace().offeredPerS()).isEqualTo(rung.ratePerS()));
      assertThat(last.driftCheck()).isTrue();
      assertThat(last.key().first()).isEqualTo(stand.getFirst().key());
      if (from == 0) {
        // The process that had the first rung was killed with the ladder, so there is nothing to check by another one.
        assertThat(pids(stand)).hasSize(2);
        assertThat(last.status()).isEqualTo(Status.NOT_ATTEMPTED);
      } else {
        assertThat(pids(stand)).hasSize(1);
        assertThat(last.valid()).isTrue();
        // What the process grew for its warm-up, or for the rung before, is not a rung's own.
        assertThat(stand).allMatch(rung -> MemoryMetrics.RSS_PER_CONNECTION.of(rung) == null);
      }
    }
    assertThat(all.subList(0, STAND).stream().map(RungRecord::ratePerS))
        .as("both servers of a repeat have one order")
        .containsExactlyElementsOf(all.subList(STAND, 2 * STAND).stream().map(RungRecord::ratePerS).toList());
    assertThat(pids(all)).as("a process of each stand, and that of the killed one").hasSize(5);
  }

  private void report(RunRecord run) throws IOException {
    String report = Files.readString(folder().file("REPORT.md"));
    assertThat(report).contains("| server | connections | messages/s |", "## Drift within a stand");
    for (String server : List.of("floor", "netty")) {
      for (String rate : List.of("300", "900")) {
        assertThat(report).contains("| " + server + " | 50 | " + rate + " |");
      }
    }
    assertThat(report.lines().filter(line -> line.matches("\\| (floor|netty) \\| 50 \\| \\d+ \\| [12] \\|.*"))).as("drift checks").hasSize(3);
    List<String> tidy = Files.readAllLines(folder().file("results.csv"));
    assertThat(tidy.getFirst()).endsWith(",rung_rate_per_s,drift_check");
    assertThat(tidy.stream().filter(row -> row.contains(",server_cpu_us_per_echo,"))).hasSize(run.rungs().size());
    List<String> samples = Files.readAllLines(folder().file("samples.csv"));
    assertThat(samples.stream().skip(1).map(row -> row.replaceFirst(".*,(\\d+,\\d+,[^,]*,[^,]*)$", "$1")).distinct().toList())
        .contains("2,1,300,false", "2,1,900,false");
    assertThat(Files.readString(folder().file("report.html"))).contains("50 connections, 300 messages/s");
  }
}
