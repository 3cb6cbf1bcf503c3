package echoladder.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The terminal's table at 80, 100 and 160 columns: no line of it is broken, and what gives way is named. */
class FittedLadderTest {
  private static final String BOUNDS = "the upper bounds of the server times, which include what the client was late by";

  private static ObjectNode golden() throws IOException {
    return (ObjectNode) JsonMapper.shared().readTree(Files.readString(Path.of("src/test/resources/golden/run.json")));
  }

  /** The golden run with other figures in the rungs that have server times. */
  private static RunRecord run(ObjectNode json, Consumer<ObjectNode> change) {
    for (JsonNode rung : json.get("rungs")) {
      if (rung.hasNonNull("server_time_p99_ns")) {
        change.accept((ObjectNode) rung);
      }
    }
    return RunFolder.parse(json.toString());
  }

  /** A rung like the first one of `quick`: each time with its bound, and marks on times and CPU. */
  private static RunRecord quick() throws IOException {
    RunRecord all = climbed();
    return all.with(all.rungs().stream().filter(rung -> rung.connections() == 1_000).toList());
  }

  /** All rungs of that run, and so what its climbs say of them. */
  private static RunRecord climbed() throws IOException {
    return run(
        golden(),
        rung -> rung.put("server_time_p50_ns", 15_600).put("response_time_p50_ns", 23_600).put("server_time_p99_ns", 970_000)
            .put("response_time_p99_ns", 1_300_000).put("server_time_p99_gap_share", 0.6)
            .put("server_compiler_us_per_echo", 0.5 * rung.path("server_cpu_us_per_echo").asDouble())
            .put("server_rss_bytes_per_connection", 94_515));
  }

  /** The widest cells: times of two units with marks. */
  private static RunRecord wide() throws IOException {
    return run(
        golden(),
        rung -> rung.put("server_time_p50_ns", 415_600).put("response_time_p50_ns", 1_236_000_000)
            .put("server_time_p99_ns", 970_000_000).put("response_time_p99_ns", 61_300_000_000L).put("server_time_p99_gap_share", 0.6)
            .put("server_compiler_us_per_echo", 0.5 * rung.path("server_cpu_us_per_echo").asDouble()));
  }

  private static FittedLadder fitted(RunRecord run, int columns) {
    return FittedLadder.of(run, ProcessGroups.of(run), columns);
  }

  private static List<String> words(String line) {
    return List.of(line.strip().split("\\s+", -1));
  }

  @Test
  void aWideTerminalHasAll() throws IOException {
    FittedLadder ladder = fitted(quick(), 160);
    assertThat(ladder.leftOut()).isEmpty();
    assertThat(words(ladder.lines().getFirst()))
        .containsExactly("server", "connections", "p50", "p99", "CPU/echo", "×floor", "RSS/conn", "verdict");
    assertThat(ladder.lines().get(1)).contains("15.6 (≤ 23.6) µs", "0.97 (≤ 1.30) ms°", "‡");
  }

  /** All figures stay, below a shorter head. */
  @Test
  void aHundredColumnsHaveAllFigures() throws IOException {
    FittedLadder ladder = fitted(quick(), 100);
    assertThat(fitted(quick(), 160).lines()).anyMatch(line -> line.length() > 100);
    assertThat(ladder.leftOut()).isEmpty();
    assertThat(words(ladder.lines().getFirst()))
        .containsExactly("server", "conns", "p50", "p99", "CPU/echo", "×floor", "RSS/conn", "verdict");
    assertThat(ladder.lines().stream().skip(1).map(FittedLadderTest::words))
        .isEqualTo(fitted(quick(), 160).lines().stream().skip(1).map(FittedLadderTest::words).toList());
  }

  @Test
  void eightyColumnsLoseTheBoundsAndSayIt() throws IOException {
    FittedLadder ladder = fitted(quick(), 80);
    assertThat(ladder.leftOut()).isEqualTo("Not shown in 80 columns: " + BOUNDS + ". The report has all.");
    assertThat(ladder.lines().get(1)).contains("15.6 µs", "970 µs°").doesNotContain("≤");
    // Of a rung without stamps the bound is all there is.
    assertThat(ladder.lines()).anyMatch(line -> line.startsWith("vt-serial") && line.contains("≤ 141 µs"));
  }

  /** A long verdict takes the room of the multiple: a bound cannot be reckoned from the table, a multiple can. */
  @Test
  void aHundredColumnsWithALongVerdictKeepTheBounds() throws IOException {
    FittedLadder ladder = fitted(run(golden(), _ -> {}), 100);
    assertThat(ladder.leftOut()).isEqualTo("Not shown in 100 columns: ×floor. The report has all.");
    assertThat(ladder.lines()).anyMatch(line -> line.contains("30.4 (≤ 95.0) µs")).anyMatch(line -> line.endsWith("not attempted"));
  }

  @Test
  void whereThatIsNotEnoughFiguresAreLeftOutAndNamed() throws IOException {
    FittedLadder ladder = fitted(quick(), 75);
    assertThat(ladder.leftOut()).isEqualTo("Not shown in 75 columns: " + BOUNDS + "; ×floor. The report has all.");
    assertThat(words(ladder.lines().getFirst())).containsExactly("server", "conns", "p50", "p99", "CPU/echo", "RSS/conn", "verdict");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 70, 80, 100, 120, 160})
  void noLineIsBroken(int columns) throws IOException {
    for (RunRecord run : List.of(run(golden(), _ -> {}), quick(), wide())) {
      FittedLadder ladder = fitted(run, columns);
      assertThat(ladder.lines()).hasSize(1 + run.rungs().size()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    }
  }

  /** Everything that a run prints, the sentences below the table too. */
  @ParameterizedTest
  @ValueSource(ints = {80, 100, 160})
  void allOfARunFitsItsTerminal(int columns) throws IOException {
    for (RunRecord run : List.of(run(golden(), _ -> {}), climbed(), wide())) {
      String text = TerminalTable.of(run, true, new Screen(columns, true, false));
      assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
      // Folded between words and nowhere else.
      assertThat(words(text)).containsAll(words("see runbooks/symptoms/descriptor-limit.md (host_idle_share_least"));
      String coloured = TerminalTable.of(run, true, new Screen(columns, true, true));
      assertThat(coloured.replaceAll("\033\\[\\d+m", "")).isEqualTo(text);
    }
  }

  /** Programs find a sentence in its line. */
  @Test
  void aPipeTakesLongSentencesWhole() throws IOException {
    String text = TerminalTable.of(climbed(), false, new Screen(80, false, false));
    assertThat(text).contains("connections need 50,100; raise the limit (ulimit -Hn, as root), see runbooks/symptoms/descriptor-limit.md\n");
    assertThat(text.lines().skip(1).takeWhile(line -> !line.startsWith("Not shown"))).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aFurtherLineStandsBelowTheLastCell() {
    Screen screen = new Screen(40, true, false);
    assertThat(screen.folded("netty     carried 1,000; it was climbed to the highest rung\nshort\n"))
        .isEqualTo("netty     carried 1,000; it was climbed\n          to the highest rung\nshort\n");
    assertThat(screen.folded("see " + "x".repeat(50) + " for more\n")).isEqualTo("see\n  " + "x".repeat(50) + "\n  for more\n");
  }

  /** README shows what a run of `quick` prints. */
  @Test
  void readmesExampleFitsAndHasTheHeadsOfToday() throws IOException {
    Matcher shown =
        Pattern.compile("\\$ \\./ladder run[^\n]*\n(server .*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Checkout.find().root().resolve("README.md")));
    assertThat(shown.find()).isTrue();
    List<String> lines = new ArrayList<>(shown.group(1).lines().toList());
    assertThat(lines).hasSizeGreaterThan(1).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    assertThat(words(lines.getFirst())).isEqualTo(words(fitted(quick(), 100).lines().getFirst()));
  }
}
