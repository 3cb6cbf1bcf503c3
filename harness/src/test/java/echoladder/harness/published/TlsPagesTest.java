package echoladder.harness.published;

import static echoladder.harness.published.PageTables.table;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
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

/** What the study and README say of connections over TLS: each cell is of the published run, as its report has it. */
class TlsPagesTest {
  private static final String RUN = "reference/tls/20261130T102036Z-e941";
  private static final List<String> SERVERS = List.of("netty", "netty-boringssl", "virtual-threads", "platform-threads", "go-echo");
  private static final Map<String, Metric> FIGURES =
      Map.of(
          "RSS per connection", MemoryMetrics.RSS_PER_CONNECTION, "live heap per connection", MemoryMetrics.LIVE_HEAP_PER_CONNECTION,
          "kernel memory per connection", MemoryMetrics.KERNEL_PER_CONNECTION, "server CPU per echo", LoadMetrics.SERVER_CPU,
          "first echo p50", LoadMetrics.FIRST_ECHO.at(Percentile.P50), "first echo p99", LoadMetrics.FIRST_ECHO.at(Percentile.P99));

  private static RungRecord rung(RunRecord run, String entry, int connections) {
    return run.rungs().stream()
        .filter(rung -> rung.server().equals(entry) && rung.connections() == connections && rung.valid())
        .findFirst()
        .orElseThrow(() -> new AssertionError(entry + " at " + connections));
  }

  /** A cell of the first column, e.g. {@code 19,000}, holds for the rows without one below it. Rows are plain and TLS in turn. */
  @Test
  void theStudysTableIsOfTheRun() throws IOException {
    RunRecord run = new RunFolder(Checkout.find().results().resolve(RUN)).read();
    List<List<String>> rows =
        table(
            "studies/tls/STUDY.md",
            "| connections | figure | | Netty | Netty, BoringSSL | virtual threads | platform threads | goroutines |");
    assertThat(rows).hasSizeGreaterThan(5);
    int connections = 0;
    String figure = "";
    for (List<String> row : rows) {
      connections = row.getFirst().isEmpty() ? connections : Integer.parseInt(row.getFirst().replace(",", ""));
      figure = row.get(1).isEmpty() ? figure : row.get(1);
      int at = connections;
      Metric of = Objects.requireNonNull(FIGURES.get(figure), figure);
      String behind = row.get(2).equals("TLS") ? "-tls" : "-plain";
      Stream<String> cells = SERVERS.stream().map(server -> RungText.cell(rung(run, server + behind, at), of));
      assertThat(row.subList(3, row.size())).as("%s", row).isEqualTo(cells.toList());
    }
  }
}
