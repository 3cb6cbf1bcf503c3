package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.Browser;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** report.html of made-up runs: what is in it, and what a browser makes of it. */
class ReportPageIT {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  @TempDir private Path dir;

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  private String page(RunRecord run) throws IOException {
    RunFolder folder = new RunFolder(dir);
    ReportFiles.write(folder, run);
    return Files.readString(folder.file("report.html"));
  }

  private static RunRecord golden() throws IOException {
    return RunFolder.parse(Files.readString(GOLDEN));
  }

  /** An interval log of that many seconds. */
  private void log(String name, int seconds) throws IOException {
    Random random = new Random(1);
    try (PrintStream out = new PrintStream(Files.newOutputStream(dir.resolve(name)))) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      long base = 1_767_268_800_000L;
      log.outputLogFormatVersion();
      log.outputStartTime(base);
      log.setBaseTime(base);
      log.outputLegend();
      for (int second = 0; second < seconds; second++) {
        for (String tag : List.of("server-time", "response", "service", "hiccup")) {
          Histogram histogram = new Histogram(1, 10_000_000_000L, 3);
          for (int i = 0; i < 2_500; i++) {
            histogram.recordValue((long) Math.exp(11.5 + random.nextGaussian()));
          }
          histogram.setTag(tag);
          log.outputIntervalHistogram((double) second, second + 1.0, histogram, 1e6);
        }
      }
    }
  }

  /** A valid rung of the golden run as those of five servers, eight counts and three repeats, all with that log. */
  private static RunRecord large(RunRecord golden, String log) {
    RungRecord measured = golden.rungs().stream().filter(RungRecord::valid).findFirst().orElseThrow();
    ObjectNode run = (ObjectNode) RunFolder.tree(golden);
    ObjectNode like = (ObjectNode) run.get("servers").get(0);
    ArrayNode servers = run.putArray("servers");
    ArrayNode rungs = run.putArray("rungs");
    run.putArray("climbs");
    ((ObjectNode) run.get("study")).put("repeats", 3);
    for (String label : List.of("floor", "platform-threads", "virtual-threads", "netty", "go-echo")) {
      servers.add(
          like.deepCopy().put("label", label).put("role", label.equals("floor") ? "reference" : "contender"));
      for (int rung = 0; rung < 8; rung++) {
        for (int repeat = 1; repeat <= 3; repeat++) {
          ObjectNode one = (ObjectNode) RunFolder.tree(measured);
          rungs.add(
              one.put("server", label).put("connections", 1_000 << rung).put("repeat", repeat).put("histograms", log));
        }
      }
    }
    return RunFolder.parse(run.toString());
  }

  @Test
  void itLoadsNothingAndSaysWhatIsMissing() throws IOException {
    String html = page(golden());
    assertThat(html).contains("default-src 'none'").doesNotContain("<link", " src=", "@import");
    assertThat(html).containsPattern("Not in this folder: \\d interval logs, 0001000-floor.hlog the first; samples.csv\\. So this report has no percentile spectra")
        .contains("The interval logs of this rung are not in the folder")
        .doesNotContain("a load tool of others gives percentiles");
  }

  @Test
  void theOrderIsThatOfTheQuestions() throws IOException {
    String html = page(golden());
    List<String> ids =
        List.of("answer", "the-ladder", "plots", "rungs", "why-each-climb-ended", "rungs-that-may-not-be-quoted", "environment", "what-this-does-not-show");
    List<Integer> places = ids.stream().map(id -> html.indexOf(" id=\"" + id + "\"")).toList();
    assertThat(places).doesNotContain(-1).isSorted();
    assertThat(html).contains("50,000 is out of this host's reach");
    assertThat(html).contains("href=\"#symptom-unanswered\"").contains("id=\"symptom-unanswered\"");
    assertThat(html).contains("id=\"symptom-descriptor-limit\"").contains("./ladder run golden");
  }

  @Test
  void whatFilesSayIsText() throws IOException {
    String evil = "</script><script>document.body.remove()</script><img src=x onerror=alert(1)>";
    String json =
        Files.readString(GOLDEN)
            .replace("Does a report show all", evil + " Does a report show all")
            .replace("120 of 35,000 messages", evil + "120 of 35,000 messages");
    String html = page(RunFolder.parse(json));
    assertThat(html).doesNotContain("<script>document", "<img src=x").contains("&lt;img src");
    assertThatThrownBy(() -> RunFolder.parse(json.replace("vt-serial", "vt<b>&serial")))
        .hasMessageContaining("/label: does not match");
  }

  @Test
  @Tag("long")
  void aLargeRunStaysSmall() throws IOException {
    log("log.hlog", 95);
    RunRecord run = large(golden(), "log.hlog");
    Files.writeString(dir.resolve("samples.csv"), "server,connections,phase,seconds\n");
    assertThat(page(run).length()).isLessThan(1_000_000);
  }

  @Test
  void itIsTheSameEachTimeItIsWritten() throws IOException {
    log("log.hlog", 3);
    RunRecord run = large(golden(), "log.hlog");
    assertThat(page(run)).isEqualTo(page(run));
  }

  @Needs(Need.CHROMIUM)
  @Test
  void aBrowserDrawsIt() throws IOException, InterruptedException {
    log("log.hlog", 8);
    RunRecord run = large(golden(), "log.hlog");
    page(run);
    for (int width : new int[] {1280, 390}) {
      JsonNode seen = Browser.look(dir.resolve("report.html"), dir, width);
      Browser.isWhole(seen);
      assertThat(seen.get("bars").asInt()).isPositive();
      // Four times, CPU and its multiple, memory, the last rung's complementary distributions; then of each rung the spectrum, times and hiccups.
      assertThat(seen.get("plots")).extracting(plot -> plot.get("panels").asInt())
          .containsExactly(4, 2, 0, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    }
  }

  @Needs(Need.CHROMIUM)
  @Test
  void aBrowserDrawsWhatIsLeftOfARun() throws IOException, InterruptedException {
    page(golden());
    Browser.isWhole(Browser.look(dir.resolve("report.html"), dir, 1280));
  }
}
