package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.Spread;
import echoladder.harness.study.KnobEffect;
import echoladder.harness.study.TunedKnob;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of what was found of knobs: a column for each published run that its header links, a row for each knob of these runs. */
class KnobPagesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final String PAGE = "sysctl/README.md";
  private static final Pattern RUN = Pattern.compile("\\.\\./(results/reference/[^/)]+/[^/)]+)/REPORT\\.md");

  @Test
  void eachCellIsOfItsRun() throws IOException {
    List<String> page = Files.readAllLines(CHECKOUT.root().resolve(PAGE));
    Set<String> runs = new LinkedHashSet<>();
    for (int i = 0; i < page.size(); i++) {
      if (page.get(i).startsWith("| knob |")) {
        List<String> columns = RUN.matcher(page.get(i)).results().map(found -> found.group(1)).toList();
        List<String> rows = page.subList(i + 2, page.size()).stream().takeWhile(line -> line.startsWith("|")).toList();
        assertThat(rows).as(page.get(i)).isEqualTo(expected(columns));
        runs.addAll(columns);
      }
    }
    List<String> published =
        Files.readAllLines(CHECKOUT.results().resolve("knobs.csv")).stream().skip(1).map(line -> line.split(",", -1)[1]).distinct().toList();
    assertThat(published).as("a run of results/knobs.csv that no table of %s has", PAGE)
        .allMatch(id -> runs.stream().anyMatch(run -> run.endsWith("/" + id)));
  }

  private static List<String> expected(List<String> columns) {
    Map<String, String[]> rows = new LinkedHashMap<>();
    for (int column = 0; column < columns.size(); column++) {
      for (KnobLine line : KnobLine.of(new RunFolder(CHECKOUT.root().resolve(columns.get(column))).read())) {
        String[] cells = rows.computeIfAbsent(line.knob().name(), _ -> none(columns.size()));
        cells[column] = cell(line);
      }
    }
    List<String> expected = new ArrayList<>();
    rows.forEach((knob, cells) -> expected.add("| `%s` | %s |".formatted(knob, String.join(" | ", cells))));
    return expected;
  }

  /** Medians of server time over all repeats of either value, and the ratio of pairs, which the pages give too. */
  @Test
  void whatKnobsDoOverANetworkIsOfItsRuns() throws IOException {
    List<List<String>> rows =
        PageTables.table("studies/tuning/STUDY.md", "| knob | from → to | median, from → to | ratio of pairs |");
    Map<String, List<String>> expected = new TreeMap<>();
    for (String id : List.of("20261201T004657Z-1c0d", "20261201T004657Z-8adf")) {
      RunRecord run = new RunFolder(CHECKOUT.results().resolve("reference/tuning").resolve(id)).read();
      for (KnobLine line : KnobLine.of(run)) {
        String name = line.knob().name();
        KnobEffect effect = line.effects().stream().filter(each -> each.figure().equals("server time p50")).findFirst().orElseThrow();
        assertThat(effect.pairs()).isEqualTo(13);
        String ms = "%.1f → %.1f ms".formatted(medianMs(run, "netty-" + name + "-default"), medianMs(run, "netty-" + name + "-profile"));
        expected.put("`" + name + "`", List.of(ms, "%s (%s)".formatted(effect.ratioText(), effect.intervalText())));
      }
    }
    assertThat(rows.stream().collect(Collectors.toMap(List::getFirst, row -> row.subList(2, 4)))).isEqualTo(expected);
    List<String> idle = Objects.requireNonNull(expected.get("`slow-start-after-idle`"));
    String ratio = idle.getLast().replace(" (", " times (").replace("–", " to ").replace(")", "");
    assertThat(Files.readString(CHECKOUT.root().resolve("README.md"))).contains(ratio);
    assertThat(Files.readString(CHECKOUT.root().resolve("docs/RESULTS.md"))).contains(ratio);
  }

  private static double medianMs(RunRecord run, String entry) {
    Metric time = Catalogue.named("server_time_p50_ns").orElseThrow();
    return Spread.of(run.rungs().stream().filter(rung -> rung.server().equals(entry)).map(time::value).toList()).median() / 1e6;
  }

  private static String[] none(int columns) {
    String[] cells = new String[columns];
    Arrays.fill(cells, "–");
    return cells;
  }

  private static String cell(KnobLine line) {
    TunedKnob.Needed needed = line.neededFrom();
    return switch (line.conclusion()) {
      case NEEDED -> "needed from %s on".formatted(Units.count(Objects.requireNonNull(needed).connections()));
      case HELPS -> "**helps**: " + standing(line);
      case HARMS -> "**harms**: " + standing(line);
      case TRADES -> "**trades**: " + standing(line);
      case SCREENED -> "screened, not confirmed";
      case NO_DIFFERENCE_SHOWN -> "none shown";
      case NOT_NEEDED -> "not needed at " + Units.count(Objects.requireNonNull(line.heldAt()));
      case TOO_FEW -> "cannot be told";
      case UNTOLD -> "cannot be told here";
    };
  }

  private static String standing(KnobLine line) {
    return line.effects().stream()
        .filter(KnobEffect::stands)
        .map(effect -> "%s ×%s (%s)".formatted(effect.figure(), effect.ratioText(), effect.intervalText()))
        .collect(Collectors.joining("; "));
  }
}
