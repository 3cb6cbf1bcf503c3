package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Invalidity;
import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.linux.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Signals at random moments to random processes of a run: SIGKILL, or SIGSTOP with SIGCONT or SIGKILL behind it. Whatever it hits,
 * nothing is left running, what was finished stays as it was, and the run can be taken to its end.
 *
 * <p>{@code -Dkills=200 -Dkills.seed=7} makes the long form, or another one.
 */
@Order(1)
class RandomKillsIT {
  private static final int KILLS = Integer.getInteger("kills", 6);
  private static final long SEED = Long.getLong("kills.seed", 20_260_101);
  private static final int MOST_RUNS = 20 + 2 * KILLS;
  private static final int LATEST_MS = 5_000;
  private static final int LONGEST_STOP_MS = 1_500;

  private static final String STUDY =
      """
      name: killed
      question: Is anything lost?
      servers: [fake]
      rungs: [20]
      repeats: 3
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 30s, warm_up_echoes: 10, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      thresholds: {achieved_share_least: 0.01, hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0,
                   steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
      """;

  @TempDir private Path dir;

  private final Random random = new Random(SEED);
  private final List<String> done = new ArrayList<>();
  private final Set<ProcessHandle> started = new LinkedHashSet<>();

  /** Of the run that is under way: what was finished of it at any time. */
  private final Map<RungKey, Finished> finished = new HashMap<>();

  private record Finished(JsonNode record, String log) {}

  @AfterEach
  void nothingIsLeft() {
    started.stream().filter(ProcessTree::runs).forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void whateverASignalHitsTheRunIsTakenToItsEnd() throws Exception {
    Path home = new TestCheckout(dir.resolve("home")).study("killed", STUDY).checkout().root();
    LadderProcess ladder = null;
    int runs = 0;
    try {
      while (done.size() < KILLS) {
        if (ladder == null) {
          assertThat(++runs).as("harnesses started for %d signals: %s", done.size(), done).isLessThan(MOST_RUNS);
          ladder = next(home);
        }
        if (!endsWithin(ladder, random.nextInt(LATEST_MS))) {
          hit(ladder);
        }
        if (!ladder.alive()) {
          over(ladder);
          ladder = null;
        }
      }
      for (int i = 0; ladder != null || !complete(); i++) {
        assertThat(i).as("harnesses that it took to the end: %s", done).isLessThan(3);
        ladder = ladder == null ? next(home) : ladder;
        ladder.status();
        over(ladder);
        ladder = null;
      }
    } finally {
      if (ladder != null) {
        ladder.close();
      }
    }
  }

  /** Goes on with the run that is not complete; begins another one where there is none. */
  private LadderProcess next(Path home) throws IOException {
    if (complete()) {
      finished.clear();
      return LadderProcess.start(home, dir, "run", "killed", "--results", dir.resolve("results").toString());
    }
    return LadderProcess.start(home, dir, "run", "--resume", folder().dir().toString());
  }

  private RunFolder folder() throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("results/killed"))) {
      return new RunFolder(folders.max(Path::compareTo).orElseThrow());
    }
  }

  /** Whether there is no run to go on with: none was begun, or not so far that it has a record. */
  private boolean complete() throws IOException {
    return !Files.isDirectory(dir.resolve("results/killed"))
        || !Files.exists(folder().file("run.json"))
        || folder().read().status() == RunRecord.Status.COMPLETE;
  }

  private static boolean endsWithin(LadderProcess ladder, long ms) {
    return ProcessHandle.of(ladder.pid()).map(process -> waited(process, ms)).orElse(true);
  }

  private static boolean waited(ProcessHandle process, long ms) {
    return process.onExit().completeOnTimeout(null, ms, TimeUnit.MILLISECONDS).join() != null;
  }

  private void hit(LadderProcess ladder) throws Exception {
    List<ProcessHandle> below = ladder.descendants();
    started.addAll(below);
    List<ProcessHandle> all = new ArrayList<>(below);
    ProcessHandle.of(ladder.pid()).ifPresent(all::addFirst);
    if (all.isEmpty()) {
      return;
    }
    ProcessHandle victim = all.get(random.nextInt(all.size()));
    String who = victim.pid() == ladder.pid() ? "harness" : victim.info().commandLine().map(RandomKillsIT::program).orElse("a process that has just ended");
    boolean stopped = random.nextInt(3) == 0;
    boolean continued = stopped && random.nextBoolean();
    done.add("%s %s%s".formatted(stopped ? "STOP" : "KILL", who, stopped ? continued ? ", then CONT" : ", then KILL" : ""));
    System.err.println("RandomKillsIT: signal " + done.size() + " of " + KILLS + ", seed " + SEED + ": " + done.getLast());
    signal(victim, stopped ? "STOP" : "KILL");
    if (stopped) {
      waited(victim, random.nextInt(LONGEST_STOP_MS));
      signal(victim, continued ? "CONT" : "KILL");
    }
    if (victim.pid() == ladder.pid() && !continued) {
      assertThat(ladder.status()).isEqualTo(137);
    }
  }

  private static String program(String commandLine) {
    return Stream.of(commandLine.split(" ", -1)).filter(word -> word.startsWith("echoladder.")).findFirst().orElse(commandLine);
  }

  private static void signal(ProcessHandle process, String name) throws IOException, InterruptedException {
    // It may have ended meanwhile; its pid is not another's so soon.
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).redirectErrorStream(true).start().waitFor();
  }

  /** After a harness has ended, by a signal or by itself. */
  private void over(LadderProcess ladder) throws Exception {
    int status = ladder.status();
    assertThat(status).as("%s%n%s", done, ladder.err()).isIn(0, 1, 137);
    assertThat(ladder.err()).as(done.toString()).doesNotContain("failed unexpectedly", "\tat ");
    Awaitility.await("what it had started is gone: " + done)
        .atMost(Duration.ofMinutes(2))
        .until(() -> started.stream().noneMatch(ProcessTree::runs));
    if (!Files.isDirectory(dir.resolve("results/killed")) || !Files.exists(folder().file("run.json"))) {
      return;
    }
    String json = Files.readString(folder().file("run.json"));
    assertThat(RunSchema.complaints(json)).as(done.toString()).isEmpty();
    RunRecord run = RunFolder.parse(json);
    Map<RungKey, Finished> now = new HashMap<>();
    for (RungRecord rung : run.rungs()) {
      if (rung.status() == RungRecord.Status.MEASURED && !rung.has(Invalidity.INTERRUPTED)) {
        now.put(rung.key(), new Finished(RunFolder.tree(rung), log(rung)));
      }
    }
    finished.forEach(
        (key, before) -> {
          Finished after = Objects.requireNonNull(now.get(key), () -> "a rung is gone: " + key + " " + done);
          assertThat(after.record()).as(done.toString()).isEqualTo(before.record());
          assertThat(after.log()).as(done.toString()).isEqualTo(before.log());
        });
    finished.putAll(now);
    if (run.status() == RunRecord.Status.COMPLETE) {
      try (LadderProcess report = LadderProcess.start(dir.resolve("home"), dir, "report", folder().dir().toString())) {
        assertThat(report.status()).as(report.err()).isIn(0, 1);
        assertThat(report.err()).doesNotContain("failed unexpectedly");
      }
      assertThat(folder().file("report.html")).isNotEmptyFile();
    }
  }

  /** A character per byte. */
  private String log(RungRecord rung) throws IOException {
    String name = rung.histograms();
    return name == null || !folder().files().has(name) ? "" : Files.readString(folder().file(name), StandardCharsets.ISO_8859_1);
  }
}
