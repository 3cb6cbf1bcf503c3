package echoladder.harness.published;

import static echoladder.harness.published.PageTables.table;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.metric.SlowReaderMetrics;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the studies of clients that do not read say of them: each cell is of the published run, as its report has it. */
class SlowReaderPagesTest {
  private static final Metric DELIVERY = PushMetrics.DELIVERY.at(Percentile.P99);
  private static final Metric SERVER_TIME = LoadMetrics.SERVER_TIME.at(Percentile.P99);
  private static final String BEHIND = "-slow-readers-";
  private static final String FEW = "0.01";
  private static final String MANY = "0.1";
  private static final String AT_A_RATE = "10-at-16kib-s";

  private static final Table PUSHED =
      new Table(
          "slow-readers", "20261130T055109Z-fb67",
          "| server | of 50 ended | the last after | live heap, 5 slow | 50 slow | TCP queues grew, 50 slow | slow in 1 GiB, by 5 | by 50"
              + " | others' delivery p99, 5 slow | 50 slow | 50 read a tenth |",
          List.of(
              new Column(MANY, SlowReaderMetrics.ENDED), new Column(MANY, SlowReaderMetrics.READER_ENDED.at(Percentile.MAX)),
              new Column(FEW, MemoryMetrics.LIVE_HEAP), new Column(MANY, MemoryMetrics.LIVE_HEAP),
              new Column(MANY, SlowReaderMetrics.BUFFERS_GROWN), new Column(FEW, SlowReaderMetrics.IN_GIB),
              new Column(MANY, SlowReaderMetrics.IN_GIB), new Column(FEW, DELIVERY), new Column(MANY, DELIVERY),
              new Column(AT_A_RATE, DELIVERY)));
  private static final Table ECHOED =
      new Table(
          "slow-echoes", "20261130T061835Z-caf0",
          "| server | live heap, 5 slow | 50 slow | TCP queues grew, 50 slow | held for each of 50 | slow in 1 GiB, by 5 | by 50"
              + " | others' server time p99, 5 slow | 50 slow | 50 read a tenth |",
          List.of(
              new Column(FEW, MemoryMetrics.LIVE_HEAP), new Column(MANY, MemoryMetrics.LIVE_HEAP),
              new Column(MANY, SlowReaderMetrics.BUFFERS_GROWN), new Column(MANY, SlowReaderMetrics.HELD),
              new Column(FEW, SlowReaderMetrics.IN_GIB), new Column(MANY, SlowReaderMetrics.IN_GIB), new Column(FEW, SERVER_TIME),
              new Column(MANY, SERVER_TIME), new Column(AT_A_RATE, SERVER_TIME)));

  /**
   * A table of a study's page.
   *
   * @param study its name
   * @param run the id of its published run
   * @param header the table's first line
   * @param columns those behind the first
   */
  record Table(String study, String run, String header, List<Column> columns) {}

  /**
   * A column of a table.
   *
   * @param share of slow readers, as the axis names it
   * @param figure of the rung with that share
   */
  record Column(String share, Metric figure) {
    String cell(RunRecord run, String server) {
      return RungText.cell(rungs(run, server).filter(each -> each.server().endsWith(BEHIND + share)).findFirst().orElseThrow(), figure);
    }
  }

  /** Those of all shares. */
  private static Stream<RungRecord> rungs(RunRecord run, String server) {
    return run.rungs().stream().filter(rung -> base(rung).equals(server));
  }

  private static String base(RungRecord rung) {
    return rung.server().substring(0, rung.server().lastIndexOf(BEHIND));
  }

  private static Stream<Table> tables() {
    return Stream.of(PUSHED, ECHOED);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theStudysTableIsOfTheRun(Table of) throws IOException {
    RunRecord run = new RunFolder(Checkout.find().results().resolve("reference").resolve(of.study).resolve(of.run)).read();
    List<String> entries =
        run.rungs().stream()
            .map(SlowReaderPagesTest::base)
            .distinct()
            .filter(server -> rungs(run, server).allMatch(RungRecord::valid))
            .toList();
    List<List<String>> rows = table("studies/" + of.study + "/STUDY.md", of.header);
    List<List<String>> measured =
        entries.stream()
            .map(
                server ->
                    IntStream.rangeClosed(0, of.columns.size())
                        .mapToObj(i -> i == 0 ? server : of.columns.get(i - 1).cell(run, server))
                        .toList())
            .toList();
    assertThat(rows).isEqualTo(measured);
  }
}
