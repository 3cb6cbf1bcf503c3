package echoladder.harness.published;

import static echoladder.harness.published.PageTables.filledDown;
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

/** What the study says of connections over TLS: each cell is of the published run, as its report has it. */
class TlsPagesTest {
  private static final String RUN = "reference/tls/20261130T102036Z-e941";
  private static final List<String> SERVERS = List.of("netty", "netty-boringssl", "virtual-threads", "platform-threads", "go-echo");
  private static final Map<String, Metric> FIGURES =
      Map.of(
          "RSS per connection", MemoryMetrics.RSS_PER_CONNECTION, "live heap per connection", MemoryMetrics.LIVE_HEAP_PER_CONNECTION,
          "kernel memory per connection", MemoryMetrics.KERNEL_PER_CONNECTION, "server CPU per echo", LoadMetrics.SERVER_CPU,
          "first echo p50", LoadMetrics.FIRST_ECHO.at(Percentile.P50));

  private static RungRecord rung(RunRecord run, String entry, int connections) {
    return run.rungs().stream()
        .filter(rung -> rung.server().equals(entry) && rung.connections() == connections && rung.valid())
        .findFirst()
        .orElseThrow(() -> new AssertionError(entry + " at " + connections));
  }

  @Test
  void theStudysTableIsOfTheRun() throws IOException {
    RunRecord run = new RunFolder(Checkout.find().results().resolve(RUN)).read();
    List<List<String>> rows =
        table(
            "studies/tls/STUDY.md",
            "| connections | figure | | Netty | Netty, BoringSSL | virtual threads | platform threads | goroutines |");
    assertThat(rows).hasSizeGreaterThan(5);
    for (List<String> row : filledDown(rows, 2)) {
      int connections = Integer.parseInt(row.getFirst().replace(",", ""));
      Metric figure = Objects.requireNonNull(FIGURES.get(row.get(1)), row.get(1));
      String behind = row.get(2).equals("TLS") ? "-tls" : "-plain";
      Stream<String> cells = SERVERS.stream().map(server -> RungText.cell(rung(run, server + behind, connections), figure));
      assertThat(row.subList(3, row.size())).as("%s", row).isEqualTo(cells.toList());
    }
  }
}
