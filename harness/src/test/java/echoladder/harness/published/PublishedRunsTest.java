package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.stats.Spread;
import echoladder.harness.study.Cpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The lists in results/ and the runs in results/reference. */
class PublishedRunsTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path RESULTS = CHECKOUT.results();
  private static final PublishedRuns RUNS = PublishedRuns.read(RESULTS.resolve("reference"), ServerManifest.all(CHECKOUT));

  @Test
  void theListsAreThoseOfTheRuns() throws IOException {
    assertThat(RESULTS.resolve(PublishedRuns.INDEX)).as("'./ladder index' writes it").hasContent(RUNS.index());
    assertThat(RESULTS.resolve(PublishedRuns.POINTS)).as("'./ladder index' writes it").hasContent(RUNS.points());
    assertThat(Files.readAllLines(RESULTS.resolve(PublishedRuns.INDEX))).hasSize(RUNS.size() + 1);
  }

  @Test
  void aMillionConnectionsOfVirtualThreadsAreAsTheirRunHasThem() {
    List<Point> million =
        Points.parse(RUNS.points(), "points").all().stream()
            .filter(p -> p.server().equals("virtual-threads") && p.study().equals("one-million") && p.connections() == 1_000_000)
            .toList();
    assertThat(million).isNotEmpty().allSatisfy(
        point -> {
          assertThat(point.place()).isEqualTo(Point.LAB);
          assertThat(point.hasCpu()).as("the CPU of a lab is not quoted").isFalse();
          assertThat(point.optionsText()).isEqualTo("gc=Serial young-heap=32m");
        });
    assertThat(million).anySatisfy(point -> assertThat(point.memory().rssEachBytes()).isEqualTo(1692.111));
  }

  /** Its kernel memory is that of one end, and its cores are the server's alone: size reckons with both ends on one host. */
  @Test
  void aRunOverHostsGivesNoPoint(@TempDir Path dir) throws IOException {
    String id = "20261122T065646Z-33fb";
    JsonNode run = JsonMapper.shared().readTree(RESULTS.resolve("reference/async-vs-virtual/" + id + "/run.json"));
    Path copy = Files.createDirectories(dir.resolve("async-vs-virtual/" + id)).resolve("run.json");
    Files.writeString(copy, run.toString());
    assertThat(PublishedRuns.read(dir, ServerManifest.all(CHECKOUT)).points().lines()).hasSizeGreaterThan(1);
    ((ObjectNode) run.path("environment")).putObject("hosts").putObject("s1").put("group", "servers");
    Files.writeString(copy, run.toString());
    assertThat(PublishedRuns.read(dir, ServerManifest.all(CHECKOUT)).points().lines()).hasSize(1);
  }

  /** What is printed for a default option is the server as it comes. */
  @Test
  void anOptionThatIsTheServersDefaultIsNone() {
    assertThat(Points.parse(RUNS.points(), "points").all())
        .filteredOn(p -> p.study().equals("async-vs-virtual") && p.server().equals("netty"))
        .extracting(Point::optionsText)
        .contains("", "transport=io_uring")
        .doesNotContain("transport=epoll");
  }

  /** The page's tables go through the figures of one server, medians of one rung's repeats. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RSS when ready|server_rss_at_ready_bytes|1e-6|%.0f MB",
        "RSS per connection|server_rss_bytes_per_connection|1|%,.0f B",
        "live heap per connection|server_live_heap_bytes_per_connection|1|%,.0f B",
        "socket objects per connection|kernel_socket_bytes_per_connection|1|%,.0f B",
        "server CPU per echo|server_cpu_us_per_echo|1|%.1f µs",
        "multiple of the floor|server_cpu_multiple_of_floor|1|%.1f",
        "CPU above the floor|server_cpu_us_above_floor_per_echo|1|%.1f µs",
        "client CPU per echo|client_cpu_us_per_echo|1|%.1f µs",
        "host CPU per echo|host_cpu_us_per_echo|1|%.0f µs",
        "unattributed CPU|unattributed_cpu_us_per_echo|1|%.1f µs",
      })
  void thePageOfFiguresHasThoseOfItsRun(String label, String figure, double scale, String form) throws IOException {
    RunRecord run = new RunFolder(RESULTS.resolve("reference/async-vs-virtual/20261122T065646Z-33fb")).read();
    Metric metric = Catalogue.named(figure).orElseThrow();
    List<Double> values =
        run.rungs().stream()
            .filter(rung -> rung.server().equals("virtual-threads") && rung.connections() == 10_000)
            .map(metric::value)
            .map(Objects::requireNonNull)
            .toList();
    assertThat(values).hasSize(3);
    String shown = String.format(Locale.ROOT, form, Spread.of(values).median() * scale);
    assertThat(Files.readAllLines(CHECKOUT.root().resolve("docs/WHICH-FIGURE.md")))
        .filteredOn(line -> line.startsWith("| " + label + " |"))
        .first()
        .asString()
        .contains("| " + shown);
  }

  /** Of a run in a lab that its study does not ask for, the lab is a part of the command. */
  @Test
  void everyPublishedRunHasItsCommand() throws IOException {
    List<String> page = Files.readAllLines(CHECKOUT.root().resolve("docs/REPRODUCE.md"));
    List<Path> records;
    try (Stream<Path> files = Files.walk(RESULTS.resolve("reference"), 3)) {
      records = files.filter(file -> RunFolder.isRecord(file) || file.endsWith("ledger.json")).toList();
    }
    assertThat(records).hasSizeGreaterThan(RUNS.size());
    for (Path file : records) {
      JsonNode record = JsonMapper.shared().readTree(RunFolder.isRecord(file) ? new RunFolder(file.resolveSibling("")).recordText() : Files.readString(file));
      String id = record.path("run_id").asString();
      String command = record.path("reproduce").asString();
      JsonNode lab = record.path("environment").path("lab").path("memory_bytes");
      String begin = lab.isMissingNode() || record.path("study").hasNonNull("lab") ? "`" : "`./ladder lab --memory " + (lab.asLong() >> 30) + "G ";
      assertThat(page).filteredOn(line -> line.contains("[" + id + "](")).singleElement().asString().contains(begin, command + "` |");
    }
  }

  /** README's table has what size says. */
  @ParameterizedTest
  @CsvSource({
    "Netty,netty", "virtual threads,virtual-threads", "goroutines,go-echo", "platform threads,platform-threads",
    "WebSocket: Netty,netty-websocket", "WebSocket: Helidon,helidon-websocket", "WebSocket: goroutines,go-websocket",
    "WebSocket: Micronaut,micronaut-websocket"
  })
  void theReadmesTableIsWhatSizeSays(String label, String server) throws IOException {
    List<Point> points = Points.parse(RUNS.points(), "points").all().stream().filter(p -> p.server().equals(server)).toList();
    String row =
        Files.readAllLines(CHECKOUT.root().resolve("README.md")).stream().filter(line -> line.startsWith("| " + label + " |")).findFirst().orElseThrow();
    List<String> cells = Arrays.stream(row.split("\\|")).map(String::strip).toList();
    List<Integer> counts = List.of(10_000, 100_000, 1_000_000);
    for (int i = 0; i < counts.size(); i++) {
      Optional<MemorySize> size = MemorySize.of(points, counts.get(i));
      Double bytes = size.map(MemorySize::bytes).orElse(null);
      assertThat(cells.get(2 + i)).isEqualTo(bytes != null ? Units.bytes(bytes) : size.isPresent() ? "not yet measured whole" : "not measured");
    }
    // Server and client on the same processors, which idle as the host has them.
    List<CoreSize> known = CoreSize.of(points, 10_000, 5_000).stream().filter(size -> size.low().place().equals(Cpus.SHARED)).toList();
    if (known.isEmpty()) {
      assertThat(cells.get(5)).isEqualTo("not measured");
      return;
    }
    CoreSize cores = known.getFirst();
    assertThat(cells.get(5)).isEqualTo(String.format(Locale.ROOT, "%.2f to %.2f", cores.least(), cores.most()));
    assertThat(cores.low().connections()).isEqualTo(10_000);
  }
}
