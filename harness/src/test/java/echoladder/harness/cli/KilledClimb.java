package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.ReasonCode;
import echoladder.harness.RunSchema;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A run of the study {@code killed} that is begun, and gone on with however often it takes; then another one.
 *
 * @param home the checkout
 * @param dir of its results
 * @param environment of each ladder
 * @param more arguments that each ladder gets
 * @param finished of the run that is under way: what was finished of it at any time
 */
record KilledClimb(Path home, Path dir, Map<String, String> environment, List<String> more, Map<RungKey, Finished> finished) {
  static final String STUDY =
      """
      name: killed
      question: Is anything lost?
      servers: [fake]
      rungs: [20]
      repeats: 3
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  /** A rung, and its histograms, a character per byte. */
  record Finished(JsonNode record, String log) {}

  KilledClimb(Path home, Path dir, Map<String, String> environment, List<String> more) {
    this(home, dir, environment, more, new HashMap<>());
  }

  private LadderProcess ladder(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(more);
    return LadderProcess.start(home, dir, environment, all.toArray(String[]::new));
  }

  /** Goes on with the run that is not complete; begins another one where there is none. */
  LadderProcess next() throws IOException {
    if (complete()) {
      finished.clear();
      return ladder("run", "killed", "--results", dir.resolve("results").toString());
    }
    return ladder("run", "--resume", folder().dir().toString());
  }

  /** Whether there is no run to go on with: none was begun, or not so far that it has a record. */
  boolean complete() throws IOException {
    return !begun() || folder().read().status() == RunRecord.Status.COMPLETE;
  }

  private boolean begun() throws IOException {
    return Files.isDirectory(dir.resolve("results/killed")) && Files.exists(folder().file("run.json"));
  }

  private RunFolder folder() throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("results/killed"))) {
      return new RunFolder(folders.max(Path::compareTo).orElseThrow());
    }
  }

  /** After a ladder has ended, by a signal or by itself. */
  void over(LadderProcess ladder, RandomSignals signals) throws Exception {
    int status = ladder.status();
    // Hosts that are lost while they are opened leave nothing to run on.
    assertThat(status).as("%s%n%s", signals, ladder.err()).isIn(more.isEmpty() ? List.of(0, 1, 137) : List.of(0, 1, 3, 137));
    assertThat(ladder.err()).as(signals.toString()).doesNotContain("failed unexpectedly", "\tat ");
    signals.nothingIsLeft();
    if (!begun()) {
      return;
    }
    String json = Files.readString(folder().file("run.json"));
    assertThat(RunSchema.complaints(json)).as(signals.toString()).isEmpty();
    RunRecord run = RunFolder.parse(json);
    Map<RungKey, Finished> now = new HashMap<>();
    for (RungRecord rung : run.rungs()) {
      if (rung.status() == RungRecord.Status.MEASURED && !rung.has(ReasonCode.INTERRUPTED) && !rung.has(ReasonCode.HOST_LOST)) {
        now.put(rung.key(), new Finished(RunFolder.tree(rung), log(rung)));
      }
    }
    finished.forEach(
        (key, before) -> {
          Finished after = Objects.requireNonNull(now.get(key), () -> "a rung is gone: " + key + " " + signals);
          assertThat(after.record()).as(signals.toString()).isEqualTo(before.record());
          assertThat(after.log()).as(signals.toString()).isEqualTo(before.log());
        });
    finished.putAll(now);
    if (run.status() == RunRecord.Status.COMPLETE) {
      try (LadderProcess report = LadderProcess.start(home, dir, "report", folder().dir().toString())) {
        assertThat(report.status()).as(report.err()).isIn(0, 1);
        assertThat(report.err()).doesNotContain("failed unexpectedly");
      }
      assertThat(folder().file("report.html")).isNotEmptyFile();
    }
  }

  private String log(RungRecord rung) throws IOException {
    String name = rung.histograms();
    return name == null || !folder().files().has(name) ? "" : Files.readString(folder().file(name), StandardCharsets.ISO_8859_1);
  }

  /** Takes the run that is under way to its end, undisturbed. */
  void end(RandomSignals signals) throws Exception {
    for (int i = 0; !complete(); i++) {
      assertThat(i).as("harnesses that it took to the end: %s", signals).isLessThan(3);
      try (LadderProcess ladder = next()) {
        ladder.status();
        over(ladder, signals);
      }
    }
  }
}
