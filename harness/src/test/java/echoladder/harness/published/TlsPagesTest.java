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
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the study says of connections over TLS: each cell is of the published run, as its report has it. */
class TlsPagesTest {
  static final String README_ROW = "RSS added by 100,000 over TLS";
  private static final String RUN = "reference/tls/20261130T102036Z-e941";
  private static final List<String> LAB = List.of("20261130T132352Z-5e5c", "20261130T165720Z-8cc1", "20261130T173528Z-e141");
  private static final List<String> SERVERS = List.of("netty", "netty-boringssl", "virtual-threads", "platform-threads", "go-echo");
  private static final Map<String, Metric> FIGURES =
      Map.of(
          "RSS per connection", MemoryMetrics.RSS_PER_CONNECTION, "live heap per connection", MemoryMetrics.LIVE_HEAP_PER_CONNECTION,
          "kernel memory per connection", MemoryMetrics.KERNEL_PER_CONNECTION, "server CPU per echo", LoadMetrics.SERVER_CPU,
          "first echo p50", LoadMetrics.FIRST_ECHO.at(Percentile.P50));

  private static final Map<String, String> ENTRIES =
      Map.of(
          "floor, OpenSSL", "floor", "goroutines", "go-echo", "Netty, BoringSSL", "netty-boringssl", "Netty, JDK", "netty", "virtual threads",
          "virtual-threads", "platform threads", "platform-threads");

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

  /** Rungs of 100,000 connections by entry; the virtual threads' first try did not carry them. */
  private static Map<String, RungRecord> ofTheLab() throws IOException {
    Map<String, RungRecord> rungs = new HashMap<>();
    for (String run : LAB) {
      for (RungRecord rung : new RunFolder(Checkout.find().results().resolve("reference/tls/" + run)).read().rungs()) {
        rungs.put(rung.server(), rung);
      }
    }
    assertThat(rungs.values()).hasSize(8).allMatch(rung -> Objects.equals(Objects.requireNonNull(rung.load()).connections().held(), 100_000));
    return rungs;
  }

  @Test
  void theTableOfTheLabIsOfItsRuns() throws IOException {
    Map<String, RungRecord> rungs = ofTheLab();
    List<List<String>> rows = table("studies/tls/STUDY.md", "| | | virtual threads | goroutines | Netty, BoringSSL | Netty, JDK |");
    assertThat(rows).hasSize(6);
    for (List<String> row : filledDown(rows, 1)) {
      Metric figure = Objects.requireNonNull(FIGURES.get(row.getFirst().replace(", both ends", "")), row.getFirst());
      String behind = row.get(1).equals("TLS") ? "-tls" : "-plain";
      Stream<String> cells =
          Stream.of("virtual-threads", "go-echo", "netty-boringssl", "netty").map(
              server -> RungText.cell(Objects.requireNonNull(rungs.get(server + behind), server + behind), figure));
      assertThat(row.subList(2, row.size())).as("%s", row).isEqualTo(cells.toList());
    }
  }

  @Test
  void readmesRowIsOfTheLab() throws IOException {
    Map<String, JsonNode> rungs = new HashMap<>();
    LAB.forEach(run -> rungs("reference/tls/" + run).valueStream().forEach(rung -> rungs.put(rung.get("server").asString(), rung)));
    Stream<String> grown =
        Stream.of("netty-boringssl-tls", "virtual-threads-tls", "go-echo-tls").map(rungs::get).map(
            rung -> {
              assertThat(rung.get("connections_held").asInt()).as("%s", rung.get("server")).isEqualTo(100_000);
              return grown(rung);
            });
    assertThat(PageTables.answer(README_ROW)).isEqualTo(Stream.concat(grown, Stream.of("not measured")).toList());
  }

  private static String grown(JsonNode rung) {
    double bytes = rung.get("server_rss_bytes").asDouble() - rung.get("server_rss_at_ready_bytes").asDouble();
    return "%.2f GiB".formatted(bytes / (1 << 30));
  }

  @Test
  void theMillionIsOfItsRun() throws IOException {
    String run = "reference/tls/20261130T173153Z-e4d9";
    RungRecord rung = new RunFolder(Checkout.find().results().resolve(run)).read().rungs().getFirst();
    assertThat(rung.valid()).isTrue();
    assertThat(Objects.requireNonNull(rung.load()).connections().held()).isEqualTo(1_000_000);
    String page = Files.readString(Checkout.find().root().resolve("studies/tls/STUDY.md"));
    assertThat(page)
        .contains(
            "which is %s per connection; %s of live heap"
                .formatted(RungText.cell(rung, MemoryMetrics.RSS_PER_CONNECTION), RungText.cell(rung, MemoryMetrics.LIVE_HEAP_PER_CONNECTION)),
            "The kernel took %s per connection for both ends".formatted(RungText.cell(rung, MemoryMetrics.KERNEL_PER_CONNECTION)));
    String grown = grown(rungs(run).get(0));
    assertThat(page).contains("The RSS grew by " + grown);
    for (String other : List.of("README.md", "docs/RESULTS.md")) {
      assertThat(Files.readString(Checkout.find().root().resolve(other))).as(other).contains(grown);
    }
  }

  @Test
  void theTableOfHandshakesIsOfItsRun() throws IOException {
    JsonNode rungs = rungs("reference/tls-handshakes/20261130T142611Z-9baa");
    List<List<String>> rows =
        table(
            "studies/tls/STUDY.md",
            "| | plain | full handshake | resumed | full, of the client's CPU | connects/s, full | connects/s, resumed |");
    assertThat(rows).hasSize(ENTRIES.size());
    for (List<String> row : rows) {
      String server = Objects.requireNonNull(ENTRIES.get(row.getFirst()), row.getFirst());
      assertThat(row.subList(1, row.size()))
          .as("%s", row)
          .containsExactly(
              each(rungs, server + "-plain", TlsPagesTest::cpu),
              each(rungs, server + "-tls", TlsPagesTest::cpu),
              each(rungs, server + "-tls-resumption", TlsPagesTest::cpu),
              each(rungs, server + "-tls", rung -> "%.2f".formatted(of(rung, LoadMetrics.SERVER_CPU) / of(rung, LoadMetrics.CLIENT_CPU))),
              each(rungs, server + "-tls", TlsPagesTest::connects),
              each(rungs, server + "-tls-resumption", TlsPagesTest::connects));
    }
  }

  @Test
  void theTableOfPairsIsOfItsRuns() throws IOException {
    JsonNode first = rungs("reference/tls-pairs/20261130T190913Z-f3bf");
    JsonNode second = rungs("reference/tls-pairs/20261130T182752Z-83ea");
    List<List<String>> rows = table("studies/tls/STUDY.md", "| | plain | TLS | TLS less plain |");
    assertThat(rows).hasSize(ENTRIES.size());
    for (List<String> row : rows) {
      String server = Objects.requireNonNull(ENTRIES.get(row.getFirst()), row.getFirst());
      JsonNode rungs = measured(first, server + "-tls").findAny().isPresent() ? first : second;
      double[] plain = cpus(rungs, server + "-plain");
      double[] tls = cpus(rungs, server + "-tls");
      List<Boolean> given = measured(rungs, server + "-tls").map(TlsPagesTest::givesCpu).toList();
      assertThat(measured(rungs, server + "-plain")).allMatch(TlsPagesTest::givesCpu);
      String differences =
          IntStream.range(0, 6)
              .mapToObj(pair -> (given.get(pair) ? "%.1f" : "(%.1f)").formatted(tls[pair] - plain[pair]))
              .collect(Collectors.joining(", "));
      Function<JsonNode, String> cpu = rung -> (givesCpu(rung) ? "%.1f" : "(%.1f)").formatted(of(rung, LoadMetrics.SERVER_CPU));
      assertThat(row.subList(1, row.size()))
          .as("%s", row)
          .containsExactly(each(rungs, server + "-plain", cpu), each(rungs, server + "-tls", cpu), differences);
    }
  }

  private static double[] cpus(JsonNode rungs, String entry) {
    return measured(rungs, entry).mapToDouble(rung -> of(rung, LoadMetrics.SERVER_CPU)).toArray();
  }

  @Test
  void theTableOfTheStormIsOfItsRun() throws IOException {
    JsonNode rungs = rungs("reference/tls-storm/20261130T145238Z-f468");
    List<List<String>> rows =
        table(
            "studies/tls/STUDY.md",
            "| | last back, plain | last back, TLS | ready, plain | ready, TLS | peak RSS, plain | peak RSS, TLS |");
    assertThat(rows).hasSize(ENTRIES.size());
    for (List<String> row : rows) {
      String server = Objects.requireNonNull(ENTRIES.get(row.getFirst()), row.getFirst());
      List<String> cells = new ArrayList<>();
      for (Function<JsonNode, String> cell :
          List.<Function<JsonNode, String>>of(
              rung -> "%.1f".formatted(rung.get("reconnect_time_max_ns").asDouble() / 1e9),
              rung -> "%.1f".formatted(rung.get("storm_down_seconds").asDouble()),
              rung -> "%.0f".formatted(rung.get("storm_server_peak_rss_bytes").asDouble() / (1 << 20)))) {
        cells.add(each(rungs, server + "-plain", cell));
        cells.add(each(rungs, server + "-tls", cell));
      }
      assertThat(row.subList(1, row.size())).as("%s", row).isEqualTo(cells);
    }
  }

  private static JsonNode rungs(String run) {
    return JsonMapper.shared().readTree(Checkout.find().results().resolve(run).resolve("run.json")).get("rungs");
  }

  /** The cell of an entry: what was measured of each repeat. */
  private static String each(JsonNode rungs, String entry, Function<JsonNode, String> cell) {
    return measured(rungs, entry).map(cell).collect(Collectors.joining(", "));
  }

  /** Measured rungs of an entry, in the order of its repeats. */
  private static Stream<JsonNode> measured(JsonNode rungs, String entry) {
    return rungs.valueStream()
        .filter(rung -> rung.get("server").asString().equals(entry) && rung.get("status").asString().equals("measured"))
        .sorted(Comparator.comparingInt(rung -> rung.get("repeat").asInt()));
  }

  private static double of(JsonNode rung, Metric figure) {
    return rung.get(figure.name()).asDouble();
  }

  /** In brackets where the report does not give it. */
  private static String cpu(JsonNode rung) {
    return (givesCpu(rung) ? "%,.0f" : "(%,.0f)").formatted(of(rung, LoadMetrics.SERVER_CPU));
  }

  /** Whether the report gives its CPU: elsewhere the host's speed was too far off. */
  private static boolean givesCpu(JsonNode rung) {
    return Math.abs(rung.get("host_speed").asDouble() - 1) <= 0.15;
  }

  private static String connects(JsonNode rung) {
    return "%,.0f".formatted(rung.get("connects_per_s").asDouble());
  }
}
