package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.figures.Crowd;
import echoladder.harness.metric.StormMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bursts, churn and a restart of the server, from a study to its report, with real servers. */
@Tag("long")
class CrowdIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int CONNECTIONS = 60;

  private static final String STUDY =
      """
      name: crowds
      question: What becomes of connections that act at once, come and go, or lose their server?
      servers:
        - {name: floor, label: bursts, load: {rate: {per_connection: 2/s}, schedule: burst}}
        - {name: floor, label: churn, load: {rate: {total: 300/s}, churn: 40/s, lifetime: fixed}}
        - {name: go-echo, label: rush, load: {rate: {total: 300/s}, storm: rush}}
        - {name: virtual-threads, label: backoff, load: {rate: {total: 300/s}, storm: backoff}}
      rungs: [60]
      repeats: 1
      load: {rate: {total: 300/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 2s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private static RungRecord rung(RunRecord run, String label) {
    return run.rungs().stream().filter(rung -> rung.server().equals(label)).findFirst().orElseThrow();
  }

  private static Crowd crowd(RunRecord run, String label) {
    LoadResult load = Objects.requireNonNull(rung(run, label).load());
    assertThat(load.verdictReasons()).as(label).isEmpty();
    assertThat(load.connections().held()).as(label).isEqualTo(CONNECTIONS);
    return load.crowd();
  }

  @Test
  void eachKindOfCrowdIsMeasuredJudgedAndReported() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    Path folder = RunBelow.folder(results, "crowds");
    RunRecord run = RunBelow.record(folder);

    Crowd bursts = crowd(run, "bursts");
    assertThat(bursts.bursts()).isEqualTo(4);
    assertThat(bursts.burstAnswer().maxNs()).isGreaterThanOrEqualTo(Objects.requireNonNull(bursts.burstSend().maxNs()));

    Crowd churn = crowd(run, "churn");
    assertThat(churn.churned()).isBetween(80L - CONNECTIONS, 80L + CONNECTIONS);
    assertThat(churn.churnFailed()).isZero();

    for (String label : new String[] {"rush", "backoff"}) {
      Crowd.Reconnects storm = crowd(run, label).storm();
      assertThat(storm.back()).as(label).isEqualTo(storm.lost()).isGreaterThanOrEqualTo((long) CONNECTIONS);
      assertThat(StormMetrics.DOWN.value(rung(run, label))).as(label).isPositive();
      assertThat(StormMetrics.RECOVERY.value(rung(run, label))).as(label).isNotNegative();
      assertThat(StormMetrics.PEAK_RSS.value(rung(run, label))).as(label).isGreaterThan(1 << 20);
    }
    assertThat(StormMetrics.DOWN.value(rung(run, "bursts"))).isNull();

    assertThat(Files.readString(folder.resolve("results.csv"))).contains("burst_answer_time_max_ns", "reconnect_time_max_ns", "storm_down_seconds");
    assertThat(Files.readString(folder.resolve("REPORT.md")))
        .contains("burst (all at once) schedule", "40/s connections replaced (fixed lives)", "the server killed and restarted after the hold (rush)");
  }
}
