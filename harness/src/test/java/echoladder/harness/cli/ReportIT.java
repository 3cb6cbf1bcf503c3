package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import echoladder.harness.Browser;
import echoladder.harness.common.Units;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a real run leaves behind, read by others: HdrHistogram's own reader, a second implementation of it (in Go), a
 * reader of CSV, and a browser. All must find what the report says.
 */
@Tag("alone")
@Isolated("its rungs must be valid to be in the report")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class ReportIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path GO_SOURCE = Path.of("src/test/go/hlogread").toAbsolutePath();

  /** Enough messages for a p99.9, on a host that may be busy. */
  private static final String STUDY =
      """
      name: instruments
      question: Do three instruments agree?
      servers: [floor, virtual-threads]
      rungs: [20, 40]
      repeats: 1
      load: {rate: {total: 7000/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 3s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 5m}
      """
          + BusyHost.THRESHOLDS;

  private final Map<String, Map<String, String>> csv = new HashMap<>();

  @TempDir static Path dir = Path.of("");

  private RunFolder folder = new RunFolder(dir);
  private List<RungRecord> rungs = List.of();

  /** Once, before the first test that is not skipped. */
  @BeforeEach
  void run() throws Exception {
    if (!rungs.isEmpty()) {
      return;
    }
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
      assertThat(ladder.out()).contains("/report.html");
    }
    folder = new RunFolder(RunBelow.folder(dir.resolve("results"), "instruments"));
    rungs = folder.read().rungs();
    assertThat(rungs).hasSize(4).allMatch(rung -> rung.load() != null && rung.histograms() != null);
    readCsv();
  }

  private void readCsv() throws IOException {
    List<String> lines = Files.readAllLines(folder.file("results.csv"));
    List<String> heads = List.of(lines.getFirst().split(","));
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = List.of(line.split(",", -1));
      assertThat(cells).as(line).hasSameSizeAs(heads);
      String rung = cells.get(heads.indexOf("server")) + " " + cells.get(heads.indexOf("connections"));
      String figure = cells.get(heads.indexOf("figure"));
      String before = csv.computeIfAbsent(rung, _ -> new HashMap<>()).put(figure, cells.get(heads.indexOf("value")));
      assertThat(before).as("a second row for " + figure).isNull();
    }
  }

  private static Map<String, @Nullable Long> values(Percentiles of) {
    Map<String, @Nullable Long> values = new HashMap<>();
    values.put("p50", of.p50Ns());
    values.put("p90", of.p90Ns());
    values.put("p99", of.p99Ns());
    values.put("p999", of.p999Ns());
    values.put("p9999", of.p9999Ns());
    values.put("max", of.maxNs());
    return values;
  }

  private static LoadResult load(RungRecord rung) {
    return Objects.requireNonNull(rung.load());
  }

  private Path log(RungRecord rung) {
    return folder.file(Objects.requireNonNull(rung.histograms()));
  }

  /** By HdrHistogram's own reader alone. */
  private static Histogram merged(Path log, String tag) throws IOException {
    Histogram sum = new Histogram(1, 3_600_000_000_000L, 3);
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      EncodableHistogram next;
      while ((next = reader.nextIntervalHistogram()) != null) {
        if (tag.equals(next.getTag())) {
          sum.add((Histogram) next);
        }
      }
    }
    return sum;
  }

  private static final Map<String, Double> PERCENT =
      Map.of("p50", 50.0, "p90", 90.0, "p99", 99.0, "p999", 99.9, "p9999", 99.99);

  @Test
  void theReportSaysWhatItsHistogramsSayByJavasReader() throws IOException {
    for (RungRecord rung : rungs) {
      for (String tag : List.of("response", "service")) {
        Histogram histogram = merged(log(rung), tag);
        assertThat(histogram.getTotalCount()).isEqualTo(load(rung).messages().answered() + load(rung).messages().unanswered());
        Percentiles reported = tag.equals("response") ? load(rung).times().response() : load(rung).times().service();
        values(reported)
            .forEach(
                (name, ns) -> {
                  Double percent = PERCENT.get(name);
                  long read = percent == null ? histogram.getMaxValue() : histogram.getValueAtPercentile(percent);
                  assertThat(ns).as("%s %s of %s", tag, name, rung.server()).isIn(null, read);
                });
        assertThat(reported.p99Ns()).isNotNull();
      }
    }
  }

  @Test
  void aSecondImplementationReadsTheSame() throws Exception {
    Path reader = dir.resolve("hlogread");
    command(GO_SOURCE, "go", "build", "-o", reader.toString(), ".");
    for (RungRecord rung : rungs) {
      for (String tag : List.of("response", "service")) {
        JsonNode read = JsonMapper.shared().readTree(command(dir, reader.toString(), log(rung).toString(), tag));
        assertThat(read.get("count").asLong()).isEqualTo(load(rung).messages().answered() + load(rung).messages().unanswered());
        Percentiles reported = tag.equals("response") ? load(rung).times().response() : load(rung).times().service();
        values(reported)
            .forEach(
                (name, ns) -> {
                  JsonNode by = name.equals("max") ? read.get("max") : read.get("percentiles").get(name);
                  assertThat(ns).as("%s %s of %s", tag, name, rung.server()).isIn(null, by.asLong());
                });
      }
    }
  }

  private static String command(Path in, String... argv) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("command", ".err");
    Process process = new ProcessBuilder(argv).directory(in.toFile()).redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    Files.delete(errors);
    return out;
  }

  @Test
  void theTidyFileHasTheSameFigures() {
    for (RungRecord rung : rungs) {
      Map<String, String> figures = csv.getOrDefault(rung.server() + " " + rung.connections(), Map.of());
      values(load(rung).times().response())
          .forEach((name, ns) -> isFigure(figures, "response_time_" + name + "_ns", ns));
      values(Objects.requireNonNull(load(rung).times().server()))
          .forEach((name, ns) -> isFigure(figures, "server_time_" + name + "_ns", ns));
      values(load(rung).times().service()).forEach((name, ns) -> isFigure(figures, "service_time_" + name + "_ns", ns));
      JsonNode record = RunFolder.tree(rung);
      for (String name :
          List.of("achieved_per_s", "answered", "server_cpu_us_per_echo", "server_rss_bytes_per_connection",
              "server_cpu_multiple_of_floor", "hiccup_max_ns", "host_idle_share")) {
        String expected = record.get(name).isNull() ? "" : record.get(name).asString();
        assertThat(figures.get(name)).as(name).isEqualTo(expected);
      }
    }
  }

  private static void isFigure(Map<String, String> figures, String name, @Nullable Long value) {
    assertThat(figures).containsKey(name);
    assertThat(figures.get(name)).as(name).isEqualTo(value == null ? "" : String.valueOf(value));
  }

  @Test
  void thePageHasTheSameFigures() throws Exception {
    String html = Files.readString(folder.file("report.html"));
    String p99s = panel(html, "Server time, p99");
    for (RungRecord rung : rungs) {
      String connections = "%,d".formatted(rung.connections());
      long p99 = Objects.requireNonNull(Objects.requireNonNull(load(rung).times().server()).p99Ns());
      assertThat(p99s).contains("<title>%s, %s: %s</title>".formatted(rung.server(), connections, Units.time(p99)));
      String own = html.substring(html.indexOf("id=\"rung-" + rung.connections() + "\""));
      String spectrum = panel(own, "Response time, percentile spectrum");
      assertThat(values(spectrum, rung).get(places(spectrum).indexOf("99 %")))
          .isEqualTo(Units.time(Objects.requireNonNull(load(rung).times().response().p99Ns())));
      assertThat(values(panel(own, "Achieved rate"), rung)).anyMatch(rate -> rate.endsWith("/s"));
    }
  }

  @Needs(Need.CHROMIUM)
  @Test
  void aBrowserDrawsThePage() throws Exception {
    Browser.isWhole(Browser.look(folder.file("report.html"), dir, 1280));
  }

  /** The first panel of that title. */
  private static String panel(String html, String title) {
    return part(html, "data-title=\"" + title + "\"", "class=\"panel\"");
  }

  private static List<String> places(String panel) {
    return List.of(part(panel, "data-x=\"", "\"").split("\\|", -1));
  }

  private static List<String> values(String panel, RungRecord rung) {
    String line = panel.substring(panel.indexOf("data-name=\"" + rung.server() + Objects.requireNonNull(rung.load()).verdict().note() + "\""));
    return List.of(part(line, "data-v=\"", "\"").split("\\|", -1));
  }

  private static String part(String text, String from, String to) {
    assertThat(text).contains(from);
    int at = text.indexOf(from) + from.length();
    int end = text.indexOf(to, at);
    return text.substring(at, end < 0 ? text.length() : end);
  }
}
