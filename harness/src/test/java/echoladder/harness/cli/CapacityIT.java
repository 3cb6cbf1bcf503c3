package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.results.CapacityRecord.End;
import echoladder.harness.results.CapacityRecord.Outcome;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A server that takes four milliseconds for each of eight messages at a time has no more than 2,000 per second in it. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class CapacityIT {
  private static final double MOST_OF_SERVER_PER_S = 2_000;

  /** Steady state of a try of length 1. */
  private static final int STEADY_S = 4;

  /** The share of a rate that has to be achieved. */
  private static final double ACHIEVED = 0.9;

  private static final String STUDY =
      """
      name: edge
      question: Is the edge found where it is known to be?
      servers: [floor, {name: fake, label: bounded, options: {behaviour: bounded}}]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 500/s}}
      capacity: {most: 4000/s, resolution: 0.5, tries: 12}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 4s, drain: 1s}
      bounds: {response_time_p99: 500ms, server_start: 2m}
      """
          + BusyHost.thresholds(ACHIEVED);

  @TempDir private Path dir;

  private Path home() {
    return dir.resolve("home");
  }

  private LadderProcess run(String... arguments) {
    return LadderProcess.start(home(), dir, arguments);
  }

  private RunFolder folder() throws IOException {
    return new RunFolder(RunBelow.folder(home().resolve("results"), "edge"));
  }

  private boolean tried(int least) {
    try {
      return Files.exists(home().resolve("results/edge")) && Files.exists(folder().file("run.json")) && folder().read().rungs().size() >= least;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void findsAKnownEdgeAlsoWhenTheLadderIsKilledOnTheWay() throws Exception {
    new TestCheckout(home()).server("floor", "reference").study("edge", STUDY);
    try (LadderProcess ladder = run("plan", "edge")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("500 to 4,000", "2 of 2 searches are within reach", "at most");
    }
    try (LadderProcess ladder = run("run", "edge")) {
      Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> tried(2) || !ladder.alive());
      ladder.signal("KILL");
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(137);
    }
    List<String> before = folder().read().rungs().stream().map(RungRecord::startedAt).toList();
    try (LadderProcess ladder = run("run", "--resume", folder().dir().toString())) {
      assertThat(ladder.status()).as(ladder.err()).isBetween(0, 1);
      // Which time it is depends on whether this host's kernel stamps arrivals.
      assertThat(ladder.out()).contains("held", "bounded").containsPattern("A rate is held where (response|server time) p99 is at most 500 ms");
      assertThat(ladder.err()).as(ladder.out()).contains(before.size() + " tries are kept").contains("[held ").doesNotContain("\tat ");
    }
    RunRecord run = folder().read();
    assertThat(run.rungs().stream().map(RungRecord::startedAt).limit(before.size())).isEqualTo(before);
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(run.capacity()).extracting(CapacityRecord::server).containsExactly("floor", "bounded");
    edge(run);
    files(run);
  }

  /** What the server cannot do by its own clock is not held; how much less it does on a busy host is not asked. */
  private static void edge(RunRecord run) {
    CapacityRecord floor = run.capacity().getFirst();
    CapacityRecord bounded = run.capacity().getLast();
    assertThat(bounded.end()).as("%s", bounded).isEqualTo(End.FOUND);
    double held = Objects.requireNonNull(bounded.capacityHeldPerS());
    double notHeld = Objects.requireNonNull(bounded.capacityNotHeldPerS());
    assertThat(held).isBetween(500.0, MOST_OF_SERVER_PER_S / ACHIEVED);
    assertThat(notHeld).isGreaterThan(held).isLessThanOrEqualTo(1.5 * held);
    assertThat(bounded.confirmed()).isTrue();
    assertThat(bounded.gaveWay()).isNotEmpty();
    assertThat(bounded.tries().getLast()).satisfies(last -> {
      assertThat(last.ratePerS()).isEqualTo(held);
      assertThat(last.length()).isEqualTo(3);
      assertThat(last.outcome()).isEqualTo(Outcome.HELD);
    });
    assertThat(bounded.atLeast() == null).isEqualTo(notHeld < 0.8 * Objects.requireNonNull(floor.capacityHeldPerS()));
    assertThat(floor.atLeast()).isEqualTo("it is the client's ceiling");
    // Every try is a rung of that rate, and all of a server's tries are of one process while it lives.
    for (CapacityRecord row : run.capacity()) {
      List<RungRecord> rungs = run.rungs().stream().filter(rung -> rung.server().equals(row.server())).toList();
      assertThat(rungs).hasSameSizeAs(row.tries());
      for (int i = 0; i < rungs.size(); i++) {
        assertThat(row.tries().get(i).isOf(rungs.get(i))).isTrue();
        assertThat(Objects.requireNonNull(rungs.get(i).load()).pace().steadySeconds())
            .isBetween(STEADY_S * row.tries().get(i).length() - 0.1, STEADY_S * row.tries().get(i).length() + 0.5);
      }
    }
  }

  private void files(RunRecord run) throws IOException {
    RunFolder folder = folder();
    assertThat(folder.file("REPORT.md")).content().contains("## Capacity", "## Tries", "(capacity.svg)");
    assertThat(folder.file("report.html")).content().contains("Capacity").doesNotContain("What could not be read of this run's folder");
    assertThat(folder.file("capacity.svg")).isNotEmptyFile();
    List<String> csv = Files.readAllLines(folder.file("results.csv"));
    assertThat(csv).filteredOn(line -> line.contains(",capacity_held_per_s,")).hasSize(2);
    assertThat(csv).filteredOn(line -> line.contains(",capacity_not_held_per_s,")).hasSize(2);
    for (RungRecord rung : run.rungs()) {
      assertThat(folder.file(Objects.requireNonNull(rung.histograms()))).isNotEmptyFile();
    }
    assertThat(run.rungs().stream().map(RungRecord::histograms).distinct()).hasSameSizeAs(run.rungs());
  }
}
