package echoladder.harness.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.report.table.TidyFigures;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** No text of a plot leads out of it, or into its neighbour's. */
class FootTest {
  private static final Path REFERENCE = Path.of("../results/reference");
  private static final Pattern TEXT =
      Pattern.compile("<text x=\"([\\d.-]+)\" y=\"([\\d.-]+)\" text-anchor=\"(\\w+)\" fill=\"[^\"]+\"( [^>]+)?>([^<]*)<");

  /** What a browser takes of a character on average: measured of these plots with Chromium and its default font. */
  private static final double CHARACTER = 6.5;
  private static final double BOLD = 7.5;

  static Stream<String> runs() {
    return Stream.of(
        "async-vs-virtual/20261126T095347Z-a74d", "collections-under-load/20261126T174900Z-594c", "load-surface/20261126T193329Z-0c5b",
        "hiccup-meter/20261125T155033Z-1e4f", "tools-at-scale/20261122T000224Z-2d77", "websocket/20261125T205443Z-7592",
        "tuning/20261128T094650Z-c7f7", "capacity/20261126T085131Z-ff28");
  }

  private record Written(double from, double to, double y, boolean bold, String text) {}

  private static List<Written> written(String svg) {
    List<Written> all = new ArrayList<>();
    for (MatchResult of : TEXT.matcher(svg).results().toList()) {
      boolean bold = of.group(4) != null;
      double length = of.group(5).replaceAll("&#?\\w+;", "x").length() * (bold ? BOLD : CHARACTER);
      double x = Double.parseDouble(of.group(1));
      double from = of.group(3).equals("start") ? x : of.group(3).equals("end") ? x - length : x - length / 2;
      all.add(new Written(from, from + length, Double.parseDouble(of.group(2)), bold, of.group(5)));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("runs")
  void everyTextIsWithinItsPlotAndItsPanel(String run) {
    within(Plots.of(CapacityText.shown(new RunFolder(REFERENCE.resolve(run)).read())));
  }

  /** Times of a host that is busy with other work differ a thousandfold, and a condition may be of the figure with the longest name. */
  @Test
  void theFiguresBesideTwoServersAreWithinTheirPlot() throws IOException {
    RungRecord rung = PairedRuns.run(1, 0, _ -> {}).rungs().getFirst();
    Metric longest =
        Catalogue.ofRung().stream()
            .filter(figure -> Objects.requireNonNullElse(figure.value(rung), 0.0) > 0)
            .max(Comparator.comparingInt(figure -> figure.label().length()))
            .orElseThrow();
    RunRecord run =
        PairedRuns.run(
            12, 0,
            json -> {
              ((ObjectNode) json.get("study")).putArray("fail_if").add("b/a " + longest.name() + " > 1.05");
              for (JsonNode of : json.get("rungs")) {
                boolean quick = of.get("server").asString().equals("b") && of.get("repeat").asInt() % 2 == 0;
                ((ObjectNode) of).put("server_time_p50_ns", quick ? 15 : 19_876_543).put("server_time_p99_ns", quick ? 15 : 19_876_543);
              }
            });
    within(Plots.ofTwo(run).stream().toList());
  }

  private static void within(List<Plot> plots) {
    assertThat(plots).isNotEmpty();
    for (Plot plot : plots) {
      MatchResult size = Pattern.compile("width=\"(\\d+)\" height=\"(\\d+)\"").matcher(plot.svg()).results().findFirst().orElseThrow();
      double width = Double.parseDouble(size.group(1));
      double height = Double.parseDouble(size.group(2));
      List<Written> texts = written(plot.svg());
      assertThat(texts).isNotEmpty().as(plot.file()).allSatisfy(
          text -> {
            assertThat(text.from()).as(text.text()).isNotNegative();
            assertThat(text.to()).as(text.text()).isLessThanOrEqualTo(width);
            assertThat(text.y()).as(text.text()).isBetween(0.0, height);
          });
      for (Written left : texts) {
        assertThat(texts)
            .filteredOn(right -> right.bold() && left.bold() && right.y() == left.y() && right.from() > left.from())
            .as("%s, beside the heading %s", plot.file(), left.text())
            .allMatch(right -> right.from() >= left.to());
      }
    }
  }

  @Test
  void aLongTextIsBrokenBetweenItsParts() {
    assertThat(Foot.of("one · two · three", 960).lines()).containsExactly("one · two · three");
    assertThat(Foot.of("one · two · three", 24 + 6.8 * 10).lines()).containsExactly("one · two ·", "three");
    assertThat(Foot.of("one · two · three", 30).lines()).as("a part stays whole").containsExactly("one ·", "two ·", "three");
    assertThat(Foot.of("one · two · three", 30).more()).isEqualTo(2 * Foot.LINE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BYTES_PER_CONNECTION|-10|~0 (noise)", "US_PER_ECHO|-0.03|~0 (noise)", "US_PER_ECHO|0|0.00 µs", "BYTES_PER_CONNECTION|812|812 B",
        "PER_S|-3|-3/s"
      })
  void whatIsNeverLessThanNothingIsNoiseBelowZero(Unit unit, double value, String text) {
    assertThat(unit.text(value)).isEqualTo(text);
  }

  @Test
  void theRangeOfWhatIsNoiseKeepsItsSigns() {
    assertThat(Unit.US_PER_ECHO.range(Spread.of(List.of(-0.55, -0.03, 0.48)))).isEqualTo("~0 (noise; -0.55 µs to 0.48 µs)");
    assertThat(Unit.US_PER_ECHO.range(Spread.of(List.of(-0.5)))).isEqualTo("~0 (noise)");
    assertThat(Unit.US_PER_ECHO.range(Spread.of(List.of(-0.5, 1.0, 2.0)))).isEqualTo("1.00 µs (-0.50 µs–2.00 µs)");
  }

  /** In the tables, in the plot of memory and in the footnote; results.csv has the value. */
  @Test
  void aNegativeGrowthIsNoiseInTheReport() throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
    ((ObjectNode) json.at("/rungs/0")).put(MemoryMetrics.RSS_PER_CONNECTION.name(), -1234).put(HostMetrics.HOST_CPU_ABOVE_FLOOR.name(), -0.5);
    RunRecord run = RunFolder.parse(json.toString());
    assertThat(MarkdownReport.of(run)).contains("| ~0 (noise) |", "~0 (noise): the value is below zero").doesNotContain("-1.21 KiB");
    assertThat(TidyFigures.of(run)).contains("-1234");
    assertThat(Plots.of(run).stream().map(Plot::svg)).noneMatch(svg -> svg.contains("-1.21 KiB"));
    assertThat(MarkdownReport.of(RunFolder.parse(Files.readString(Path.of("src/test/resources/golden/run.json"))))).doesNotContain("noise)");
  }
}
