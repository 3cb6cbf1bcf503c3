package echoladder.harness.published;

import static echoladder.harness.published.PageTables.filledDown;
import static echoladder.harness.published.PageTables.table;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What RESULTS, README and the study say of a message to all: each cell is of the published run, as its report has it. */
class PushPagesTest {
  private static final Map<String, Metric> FIGURES =
      Map.of(
          "first p50", PushMetrics.FIRST.at(Percentile.P50), "last p50", PushMetrics.LAST.at(Percentile.P50),
          "server CPU per delivery", PushMetrics.SERVER_CPU, "RSS per connection", MemoryMetrics.RSS_PER_CONNECTION);
  static final String README_ROW = "push to 19,000, until the last has it";
  private static final String NOT_CARRIED = "not carried";

  private static RunRecord run() throws IOException {
    return new RunFolder(Checkout.find().results().resolve("reference/push/20261130T092049Z-466b")).read();
  }

  private static String cell(RunRecord run, String server, int subscribers, String rate, Metric figure) {
    List<RungRecord> rungs =
        run.rungs().stream()
            .filter(rung -> rung.server().equals(server + "-rate-" + rate + "-s-active-share-1") && rung.connections() == subscribers && rung.valid())
            .toList();
    assertThat(rungs).as("%s, %,d subscribers", server, subscribers).hasSizeLessThan(2);
    return rungs.isEmpty() ? NOT_CARRIED : RungText.cell(rungs.getFirst(), figure);
  }

  private static void holds(List<List<String>> rows, List<String> servers) throws IOException {
    RunRecord run = run();
    for (List<String> row : filledDown(rows, 1)) {
      String[] load = row.getFirst().split(", ", -1);
      int subscribers = Integer.parseInt(load[0].replace(",", ""));
      String rate = load[1].replace("/s", "");
      Metric figure = Objects.requireNonNull(FIGURES.get(row.get(1)), row.get(1));
      assertThat(row.subList(2, row.size()))
          .as("%s", row)
          .isEqualTo(servers.stream().map(server -> cell(run, server, subscribers, rate, figure)).toList());
    }
  }

  @Test
  void theStudysTableIsOfTheRun() throws IOException {
    List<List<String>> rows =
        table("studies/push/STUDY.md", "| to all of | figure | floor | Netty | goroutines | virtual threads | platform threads |");
    assertThat(rows).hasSizeGreaterThan(5);
    holds(rows, List.of("floor", "netty", "go-echo", "virtual-threads", "platform-threads"));
  }

  @Test
  void theTableOfResultsIsOfTheRun() throws IOException {
    List<List<String>> rows =
        table("docs/RESULTS.md", "| to all of | figure | Netty | virtual threads | goroutines | platform threads |");
    assertThat(rows).hasSizeGreaterThan(5);
    holds(rows, List.of("netty", "virtual-threads", "go-echo", "platform-threads"));
  }

  /** Its cells are those of the report of the run, median and range with their marks. */
  @Test
  void theTableOfWaitingThreadsIsThatOfItsReport() throws IOException {
    List<List<String>> report =
        table(
            "results/reference/push-waiting-threads/20261130T031801Z-53bf/REPORT.md",
            "| server | connections | first p50 | last p50 | delivery p99 | server CPU per delivery | RSS per connection | verdict |");
    List<List<String>> rows =
        table(
            "studies/push/STUDY.md",
            "| to all of, 1.5/s | last p50, 16 slots | last p50, 65,536 slots | server CPU per delivery, 16 slots | 65,536 slots |");
    assertThat(rows).extracting(List::getFirst).containsExactly("1,000", "5,000", "19,000");
    for (List<String> row : rows) {
      List<String> kernels = reported(report, "platform-threads", row.getFirst());
      List<String> larger = reported(report, "platform-threads-65536", row.getFirst());
      assertThat(row.subList(1, 5)).containsExactly(kernels.get(0), larger.get(0), kernels.get(1), larger.get(1));
    }
  }

  @Test
  void theTableOfTheCrowdIsOfItsRun() throws IOException {
    hasRowsOf(
        "push-crowd/20261130T064619Z-91ad", "", "| 100,000 subscribers | floor | Netty | virtual threads | goroutines |",
        PushMetrics.REACH, MemoryMetrics.RSS_PER_CONNECTION, MemoryMetrics.LIVE_HEAP_PER_CONNECTION, MemoryMetrics.KERNEL_PER_CONNECTION);
  }

  @Test
  void theTableWithACoreEachIsOfItsRun() throws IOException {
    hasRowsOf(
        "push/20261130T070905Z-a7f6", "-rate-3-s",
        "| to all of 19,000, 3/s, a core each | floor | Netty | virtual threads | goroutines |", PushMetrics.FIRST.at(Percentile.P50),
        PushMetrics.LAST.at(Percentile.P50), PushMetrics.DELIVERY.at(Percentile.P99));
  }

  /** A row for each figure, of the run's valid rungs of four servers, which have that behind their names. */
  private static void hasRowsOf(String folder, String behind, String header, Metric... figures) throws IOException {
    RunRecord run = new RunFolder(Checkout.find().results().resolve("reference").resolve(folder)).read();
    List<RungRecord> rungs =
        Stream.of("floor", "netty", "virtual-threads", "go-echo")
            .map(server -> run.rungs().stream().filter(rung -> rung.server().equals(server + behind) && rung.valid()).findFirst().orElseThrow())
            .toList();
    List<List<String>> rows = table("studies/push/STUDY.md", header);
    assertThat(rows).hasSize(figures.length);
    for (int i = 0; i < rows.size(); i++) {
      Metric figure = figures[i];
      assertThat(rows.get(i).subList(1, 5)).isEqualTo(rungs.stream().map(rung -> RungText.cell(rung, figure)).toList());
    }
  }

  private static List<String> reported(List<List<String>> report, String server, String subscribers) {
    List<String> row =
        report.stream().filter(cells -> cells.getFirst().equals(server) && cells.get(1).equals(subscribers)).findFirst().orElseThrow();
    return row.get(7).equals("valid") ? List.of(row.get(3), row.get(5)) : List.of(NOT_CARRIED, NOT_CARRIED);
  }

  @Test
  void readmesRowIsOfTheRun() throws IOException {
    RunRecord run = run();
    Stream<String> servers = Stream.of("netty", "virtual-threads", "go-echo", "platform-threads");
    assertThat(PageTables.answer(README_ROW))
        .isEqualTo(servers.map(server -> cell(run, server, 19_000, "1.5", PushMetrics.LAST.at(Percentile.P50))).toList());
  }
}
