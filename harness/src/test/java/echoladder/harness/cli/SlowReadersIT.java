package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.harness.metric.SlowReaderMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that read nothing or little, against real servers, from a study to its report. */
class SlowReadersIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int CONNECTIONS = 40;
  private static final int SLOW = 4;

  /** A write of virtual-threads blocks; Netty stops to read at its water mark. */
  private static final String ECHO =
      """
      name: slow-echoes
      question: What does a server hold for clients that send and do not read?
      servers:
        - {name: virtual-threads, options: {buffer-bytes: 65536}}
        - netty
      rungs: [40]
      repeats: 1
      load: {rate: {per_connection: 30/s}, message: 32KiB, slow_readers: 0.1}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 2s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  private static final String PUSH =
      """
      name: slow-subscribers
      question: What does a server hold for subscribers that read a part of what they are sent?
      servers: [go-echo]
      rungs: [40]
      repeats: 1
      load: {rate: {per_connection: 30/s}, publish: all, message: 8KiB, slow_readers: {share: 10%, rate: 16KiB/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 2s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private Path run(String name, String yaml) throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), yaml);
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    return RunBelow.folder(results, name);
  }

  /** Every message of the others is answered, and the slow ones are still there. */
  private static SlowReaderFigures heldForTheOthers(RungRecord rung) {
    LoadResult load = Objects.requireNonNull(rung.load());
    assertThat(load.verdictReasons()).as(rung.server()).isEmpty();
    assertThat(load.connections().held()).as(rung.server()).isEqualTo(CONNECTIONS - SLOW);
    assertThat(load.messages().answered()).as(rung.server()).isEqualTo(load.messages().scheduled()).isPositive();
    SlowReaderFigures slow = load.crowd().slow();
    assertThat(slow.slowReaders()).as(rung.server()).isEqualTo(SLOW);
    assertThat(slow.slowReadersEnded()).as(rung.server()).isZero();
    assertThat(slow.slowReadersOpen()).as(rung.server()).isEqualTo(SLOW);
    assertThat(slow.slowReadersOwedBytes()).as(rung.server()).isPositive();
    assertThat(slow.slowReadersClientBytes()).as(rung.server()).isPositive();
    // The queues of the others are empty or nearly so at both ends of the steady state.
    assertThat(SlowReaderMetrics.BUFFERS_GROWN.value(rung)).as(rung.server()).isPositive();
    assertThat(SlowReaderMetrics.HELD.value(rung)).as(rung.server()).isNotNull();
    return slow;
  }

  @Test
  void anEchoThatNobodyReadsIsAFigureAndNoFailure() throws Exception {
    Path folder = run("slow-echoes", ECHO);
    RunRecord run = RunBelow.record(folder);
    assertThat(run.rungs()).hasSize(2);
    for (RungRecord rung : run.rungs()) {
      SlowReaderFigures slow = heldForTheOthers(rung);
      assertThat(slow.slowReadersReadBytes()).as(rung.server()).isZero();
      assertThat(slow.slowReadersSentBytes()).as(rung.server()).isPositive();
    }
    assertThat(Files.readString(folder.resolve("REPORT.md"))).contains("10.0 % of the connections that send read nothing");
    assertThat(Files.readString(folder.resolve("results.csv"))).contains("slow_reader_held_bytes", "slow_readers_sent_bytes");
  }

  @Test
  @Tag("long")
  void whoReadsAPartOfWhatIsPushedStays() throws Exception {
    Path folder = run("slow-subscribers", PUSH);
    SlowReaderFigures slow = heldForTheOthers(RunBelow.record(folder).rungs().getFirst());
    assertThat(slow.slowReadersSentBytes()).isNull();
    assertThat(slow.slowReadersReadBytes()).isPositive();
    assertThat(Files.readString(folder.resolve("REPORT.md"))).contains("10.0 % of the subscribers read at most 16.0 KiB/s");
  }
}
