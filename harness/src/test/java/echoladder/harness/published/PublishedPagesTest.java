package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.stats.Spread;
import echoladder.harness.study.Cpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the first pages, and the manifests of the servers, have from published runs. */
class PublishedPagesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path RESULTS = CHECKOUT.results();
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);
  private static final Points POINTS = Points.read(RESULTS.resolve(PublishedRuns.POINTS));
  private static final Climbs CLIMBS = Climbs.read(RESULTS.resolve(PublishedRuns.CLIMBS));

  /** What RESULTS calls each server that is no floor. */
  private static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry("netty", "Netty"), Map.entry("virtual-threads", "virtual threads"), Map.entry("go-echo", "goroutines"),
          Map.entry("platform-threads", "platform threads"), Map.entry("go-netpoll", "Go: netpoll"),
          Map.entry("micronaut-http", "HTTP: Micronaut"), Map.entry("jdk-http", "HTTP: JDK's server"),
          Map.entry("helidon-http", "HTTP: Helidon"), Map.entry("go-http", "HTTP: goroutines"),
          Map.entry("netty-websocket", "WebSocket: Netty"), Map.entry("helidon-websocket", "WebSocket: Helidon"),
          Map.entry("go-websocket", "WebSocket: goroutines"), Map.entry("micronaut-websocket", "WebSocket: Micronaut"));

  private static List<String> page(String name) throws IOException {
    return Files.readAllLines(CHECKOUT.root().resolve(name));
  }

  /** The cells of the one row of a page that begins so. */
  private static List<String> row(String page, String label) throws IOException {
    List<String> rows = page(page).stream().filter(line -> line.startsWith("| " + label + " |")).toList();
    assertThat(rows).as("%s: | %s |", page, label).hasSize(1);
    return Arrays.stream(rows.getFirst().split("\\|")).map(String::strip).skip(1).toList();
  }

  /** The table of what connections take has what size says of each server that echoes, and of no other. */
  @Test
  void theTableOfConnectionsIsWhatSizeSays() throws IOException {
    assertThat(LABELS.keySet())
        .containsExactlyInAnyOrderElementsOf(
            SERVERS.values().stream().filter(server -> !server.reference() && !server.onlyPushes()).map(ServerManifest::name).toList());
    List<Double> each = new ArrayList<>();
    for (Map.Entry<String, String> named : LABELS.entrySet()) {
      List<Point> points = POINTS.of(named.getKey(), 64);
      List<String> expected = new ArrayList<>(List.of(named.getValue()));
      for (int connections : List.of(10_000, 100_000, 1_000_000)) {
        Optional<MemorySize> size = MemorySize.of(points, connections);
        Double bytes = size.map(MemorySize::bytes).orElse(null);
        expected.add(bytes != null ? Units.bytes(bytes) : size.isPresent() ? "not yet measured whole" : "not measured");
        if (bytes != null && connections == 1_000_000) {
          each.add(bytes / connections);
        }
      }
      expected.add(cores(points, 10_000, 5_000));
      expected.add(cores(points, 1_000, 40_000));
      expected.add(
          Ceiling.of(CLIMBS.all().stream().filter(climb -> climb.server().equals(named.getKey())).toList()).map(Ceiling::stopped).orElse("not climbed"));
      assertThat(row("docs/RESULTS.md", named.getValue())).isEqualTo(expected);
    }
    assertThat(String.join(" ", page("docs/RESULTS.md")))
        .contains("At a million each costs %.2f to %.2f KiB.".formatted(Collections.min(each) / 1024, Collections.max(each) / 1024));
  }

  /** A count of the first question that no run climbed to: what size says, between two rungs. */
  @Test
  void theAnswerBetweenTwoRungsIsWhatSizeSays() throws IOException {
    MemorySize size = MemorySize.of(POINTS.of("virtual-threads", 64), 200_000).orElseThrow();
    assertThat(size.how()).isEqualTo("between 100,000 and 250,000");
    assertThat(size.from()).extracting(Point::study).containsOnly("one-million");
    Double bytes = Objects.requireNonNull(size.bytes());
    assertThat(String.join(" ", page("docs/RESULTS.md")))
        .contains(
            "**200,000 connections on virtual threads would take %s**, %s each: %s of process and %s of kernel."
                .formatted(Units.bytes(bytes), Units.bytes((Double) (bytes / 200_000)), Units.bytes((Double) size.processBytes()), Units.bytes(size.kernelBytes())));
    assertThat(Files.readString(CHECKOUT.root().resolve("docs/QUESTIONS.md"))).contains("[" + Units.bytes(bytes) + "](RESULTS.md#what-connections-take)");
  }

  /** Server and client on the same processors, which poll while they are idle. */
  private static String cores(List<Point> points, int connections, double ratePerS) {
    return CoreSize.of(points, connections, ratePerS).stream()
        .filter(size -> size.low().place().equals(Cpus.SHARED + " idle=poll") && size.known() && size.low().connections() == connections)
        .map(size -> String.format(Locale.ROOT, "%.2f to %.2f", size.least(), size.most()))
        .findFirst()
        .orElse("not measured");
  }

  /** The doctor and the plan reckon with what was measured last of each server. */
  @Test
  void everyManifestHasTheMemoryOfThePublishedRun() throws IOException {
    List<Path> runs;
    try (Stream<Path> folders = Files.list(RESULTS.resolve("reference/memory"))) {
      runs = folders.sorted().toList();
    }
    Metric rss = Catalogue.named("server_rss_bytes_per_connection").orElseThrow();
    Map<String, Double> measured = new HashMap<>();
    for (Path run : runs) {
      for (RungRecord rung : new RunFolder(run).read().rungs()) {
        if (rung.valid() && rung.connections() == 10_000) {
          measured.put(rung.server(), Objects.requireNonNull(rss.value(rung)));
        }
      }
    }
    assertThat(measured).hasSizeGreaterThanOrEqualTo(15);
    assertThat(SERVERS).allSatisfy(
        (name, server) ->
            assertThat(Optional.ofNullable(server.bytesPerConnection()).map(ServerManifest.BytesPerConnection::value))
                .as(name)
                .isEqualTo(Optional.ofNullable(measured.get(name)).map(bytes -> (long) (Math.ceil(bytes / 100) * 100))));
  }

  /** {@code (`COMMAND`, 72 of 80 rungs valid}: as many as the run that says that command has. */
  @Test
  void resultsCountsTheRungsOfItsRuns() throws IOException {
    // A command goes on in the next line, which may stand in a list.
    String text = String.join(" ", page("docs/RESULTS.md")).replaceAll(" +", " ");
    List<MatchResult> counts = Pattern.compile("\\(`([^`]+)`, (\\d+) of (\\d+)").matcher(text).results().toList();
    assertThat(counts).hasSizeGreaterThanOrEqualTo(5);
    List<JsonNode> runs = new ArrayList<>();
    try (Stream<Path> files = Files.walk(RESULTS.resolve("reference"), 3)) {
      for (Path file : files.filter(RunFolder::isRecord).toList()) {
        runs.add(JsonMapper.shared().readTree(new RunFolder(file.resolveSibling("")).recordText()));
      }
    }
    for (MatchResult count : counts) {
      List<JsonNode> of = runs.stream().filter(run -> count.group(1).endsWith(run.path("reproduce").asString())).toList();
      assertThat(of).as(count.group(1)).hasSize(1);
      long valid = of.getFirst().path("rungs").valueStream().filter(rung -> rung.path("verdict").asString("").equals("valid")).count();
      assertThat(valid + " of " + of.getFirst().path("rungs").size()).as(count.group(1)).isEqualTo(count.group(2) + " of " + count.group(3));
    }
  }

  /** What RESULTS says of the host's CPU: medians of the repeats, of each rung less the floor's, over the connection counts. */
  @ParameterizedTest
  @CsvSource({"virtual-threads,35 to 43", "go-echo,13 to 15", "netty-epoll,3 to 5", "platform-threads,7 to 17"})
  void resultsHasTheHostsCpuAboveTheFloor(String server, String range) throws IOException {
    RunRecord run = new RunFolder(RESULTS.resolve("reference/async-vs-virtual/20261126T095347Z-a74d")).read();
    Metric host = Catalogue.named("host_cpu_us_per_echo").orElseThrow();
    Map<Integer, List<Double>> above =
        run.rungs().stream()
            .filter(rung -> rung.server().equals(server) && rung.valid())
            .collect(
                Collectors.groupingBy(
                    RungRecord::connections,
                    Collectors.mapping(
                        rung -> Objects.requireNonNull(host.value(rung)) - Objects.requireNonNull(host.value(same(run, rung, "floor"))), Collectors.toList())));
    List<Double> medians = above.values().stream().map(values -> Spread.of(values).median()).toList();
    assertThat(medians).hasSize(3);
    assertThat("%.0f to %.0f".formatted(Collections.min(medians), Collections.max(medians))).isEqualTo(range);
    assertThat(String.join(" ", page("docs/RESULTS.md"))).contains(range + " µs with");
  }

  private static RungRecord same(RunRecord run, RungRecord rung, String server) {
    return run.rungs().stream().filter(other -> other.key().equals(rung.key().of(server))).findFirst().orElseThrow();
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
        "host CPU above the floor|host_cpu_above_floor_us_per_echo|1|%.1f µs",
        "unattributed CPU|unattributed_cpu_us_per_echo|1|%.1f µs",
      })
  void thePageOfFiguresHasThoseOfItsRun(String label, String figure, double scale, String form) throws IOException {
    RunRecord run = new RunFolder(RESULTS.resolve("reference/async-vs-virtual/20261129T034530Z-161a")).read();
    assertThat(ProcessGroups.of(run).all()).as("a median of two groups is of neither").isEmpty();
    Metric metric = Catalogue.named(figure).orElseThrow();
    List<Double> values =
        run.rungs().stream()
            .filter(rung -> rung.server().equals("virtual-threads") && rung.connections() == 10_000)
            .map(metric::value)
            .map(Objects::requireNonNull)
            .toList();
    assertThat(values).hasSize(6);
    String shown = String.format(Locale.ROOT, form, Spread.of(values).median() * scale);
    assertThat(Files.readAllLines(CHECKOUT.root().resolve("docs/WHICH-FIGURE.md")))
        .filteredOn(line -> line.startsWith("| " + label + " |"))
        .first()
        .asString()
        .contains("| " + shown);
  }

  /** Figures of that server in other runs: what the page has, the study, the entry's label there, and the connections. */
  @ParameterizedTest
  @ValueSource(
      strings = {
    "20,374 B|async-vs-virtual|virtual-threads|1000", "3,169 B|async-vs-virtual|virtual-threads|19000",
    "9,270 B|gc-and-virtual-threads|virtual-threads-serial-active-share-1|10000", "3,023 B|one-million-settings|vt|19000",
    "1,011 B|one-million-settings|vt-warm-serial-32m|19000", "1,692 B|one-million|virtual-threads|1000000"
  })
  void theOtherFiguresOfThePageAreOfTheirRuns(String cell) throws IOException {
    String[] parts = cell.split("\\|", -1);
    List<Double> values = new ArrayList<>();
    Metric rss = Catalogue.named("server_rss_bytes_per_connection").orElseThrow();
    try (Stream<Path> runs = Files.list(RESULTS.resolve("reference/" + parts[1]))) {
      Predicate<RungRecord> which = rung -> rung.valid() && rung.server().equals(parts[2]) && rung.connections() == Integer.parseInt(parts[3]);
      Stream<RunRecord> here = runs.filter(Files::isDirectory).sorted().map(folder -> new RunFolder(folder).read()).filter(run -> !run.overHosts());
      here.flatMap(run -> run.rungs().stream()).filter(which).map(rss::value).map(Objects::requireNonNull).forEach(values::add);
    }
    assertThat(String.format(Locale.ROOT, "%,.0f B", Spread.of(values).median())).isEqualTo(parts[0]);
    assertThat(row("docs/WHICH-FIGURE.md", parts[0])).hasSize(3).last().isEqualTo(parts[1]);
  }

  /** The one line of the page's first table that is of another run. */
  @Test
  void theKernelsMemoryOnThePageIsThatOfTheStudyMemory() throws IOException {
    RunRecord run = new RunFolder(RESULTS.resolve("reference/memory/20261123T062015Z-df3b")).read();
    Metric kernel = Catalogue.named("kernel_bytes_per_connection").orElseThrow();
    List<String> cells = row("docs/WHICH-FIGURE.md", "kernel memory per connection");
    assertThat(cells.getLast()).startsWith(at(run, kernel, "virtual-threads"));
    assertThat(cells.get(2)).endsWith(at(run, kernel, "platform-threads") + " for platform threads");
  }

  private static String at(RunRecord run, Metric metric, String server) {
    return run.rungs().stream()
        .filter(rung -> rung.server().equals(server) && rung.connections() == 10_000)
        .map(metric::value)
        .map(value -> String.format(Locale.ROOT, "%,.0f B", value))
        .findFirst()
        .orElseThrow();
  }
}
