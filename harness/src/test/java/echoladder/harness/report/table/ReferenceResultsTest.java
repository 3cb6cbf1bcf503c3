package echoladder.harness.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.report.Publication;
import echoladder.harness.report.page.HtmlReport;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.RungPlots;
import echoladder.harness.report.text.Summary;
import echoladder.harness.results.NamedLimit;
import echoladder.harness.results.PublishedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The runs in results/reference, and what quotes them. */
class ReferenceResultsTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path REFERENCE = CHECKOUT.results().resolve("reference");

  private static final String COMPARING_TOOLS = "tools-at-scale/20261122T000224Z-2d77";

  /** Each is read once: the tests that take them come one after the other, and reading is most of what they do. */
  private static final Map<Path, RunRecord> READ = new ConcurrentHashMap<>();

  private static RunRecord record(Path run) {
    return READ.computeIfAbsent(run, _ -> new RunFolder(REFERENCE.resolve(run)).read());
  }

  static Stream<Path> runs() throws IOException {
    try (Stream<Path> files = Files.walk(REFERENCE, 3)) {
      return files.filter(RunFolder::isRecord).map(Path::getParent).map(REFERENCE::relativize).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("runs")
  void isReadByThisVersionAndHasWhatIsMadeOfIt(Path run) {
    RunFolder folder = new RunFolder(REFERENCE.resolve(run));
    RunRecord record = record(run);
    assertThat(record.status()).isNotEqualTo(RunRecord.Status.RUNNING);
    boolean merged = Files.exists(folder.file(Publication.LIST));
    assertThat(merged ? List.of("REPORT.md") : List.of("REPORT.md", "report.html", "results.csv", "environment.json"))
        .allSatisfy(name -> assertThat(folder.file(name)).exists());
  }

  /** The last run of each study, and tool-agreement's kind of run. */
  static Stream<Path> lastRuns() throws IOException {
    Map<Path, Path> last = new TreeMap<>();
    runs().forEach(run -> last.put(run.getParent() == null ? run : run.getParent(), run));
    return Stream.concat(last.values().stream(), Stream.of(Path.of(COMPARING_TOOLS))).distinct();
  }

  /** Each table is defined once, so that both reports have it: of tool-agreement's kind of run above all the comparison. */
  @ParameterizedTest
  @MethodSource("lastRuns")
  void everyTableOfTheTextIsInThePage(Path run) {
    RunFolder folder = new RunFolder(REFERENCE.resolve(run));
    RunRecord record = record(run);
    String text = MarkdownReport.of(record);
    assertThat(text).contains(record.reproduce());
    String page = HtmlReport.of(record, new Pairs(record), RungPlots.read(record, folder));
    List<String> rows = Pattern.compile("<tr>(.*?)</tr>").matcher(page).results().map(row -> cells(row.group(1))).toList();
    List<String> lines = text.lines().filter(line -> line.startsWith("| ") && !line.matches("[| ]+")).map(line -> line.replace("**", "").replace("`", "").replace("\\|", "|")).toList();
    assertThat(lines).hasSizeGreaterThan(10);
    assertThat(rows).containsAll(lines);
    assertThat(Pattern.compile("<h2[^>]*>(.*?)</h2>").matcher(page).results().map(heading -> "## " + heading.group(1)))
        .containsAll(text.lines().filter(line -> line.startsWith("## ")).toList());
    if (run.equals(Path.of(COMPARING_TOOLS))) {
      assertThat(text).contains("## Where the clients agree", "## What the clients' times are", "## What one more connection takes");
    }
  }

  /** All runs. */
  @Tag("long")
  @ParameterizedTest
  @MethodSource("runs")
  void everyTableOfTheTextIsInThePageOfEachRun(Path run) {
    everyTableOfTheTextIsInThePage(run);
  }

  /** A row of HTML as Markdown has it. */
  private static String cells(String row) {
    return "| "
        + row.replaceAll("<span class=\"glyph\".*?</span> ", "").replaceAll("</t[hd]>", " | ").replaceAll("<[^>]+>", "").strip()
            .replace('\u00a0', ' ').replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
  }

  /** From before a study's published runs were bounded, and with what they had then: none of these grows. */
  private static final Map<String, Long> BEFORE =
      Map.ofEntries(
          Map.entry("a-against-a/20261122T091131Z-098f", 4_986_786L),
          Map.entry("claims/20261122T094229Z-3897", 3_128_249L),
          Map.entry("gc-and-virtual-threads/20261122T063507Z-79ea", 2_054_023L),
          Map.entry("limits/20261122T033434Z-ec79", 1_206_379L),
          Map.entry("one-million-settings/20261122T020106Z-fcb5", 1_958_841L),
          Map.entry("one-million-settings/20261122T025721Z-22a7", 639_711L),
          Map.entry("one-million/20261121T233539Z-6cdf", 1_348_921L),
          Map.entry("one-million/20261122T023111Z-613e", 1_337_936L),
          Map.entry("one-million/20261122T031437Z-4789", 1_125_184L),
          Map.entry("one-million/20261122T103357Z-ae7c", 1_527_547L),
          Map.entry("tools-at-scale/20261122T000224Z-2d77", 942_043L),
          Map.entry("tools-at-scale/20261122T031315Z-7d09", 410_181L),
          Map.entry("two-million/20261122T035041Z-492a", 993_916L));

  /** A repository never shrinks; histograms have a bound of their own. */
  @Test
  void aStudysPublishedRunsTakeAtMostTwoMegabytes() throws IOException {
    Map<String, Long> counted = new TreeMap<>();
    try (Stream<Path> runs = Files.walk(REFERENCE, 2)) {
      for (Path run : runs.filter(path -> REFERENCE.relativize(path).getNameCount() == 2 && Files.isDirectory(path)).toList()) {
        String name = REFERENCE.relativize(run).toString();
        Long before = BEFORE.get(name);
        if (before != null) {
          assertThat(Publication.bytes(run)).as(name).isLessThanOrEqualTo(before + before / 20);
        } else {
          boolean listed = Stream.of(Publication.LIST, "ledger.json", "soak.json").map(run::resolve).anyMatch(Files::exists);
          assertThat(listed).as("%s was published by './ladder report DIR --publish', or is a ledger or a soak", name).isTrue();
          String study = name.substring(0, name.indexOf('/'));
          counted.merge(study, Publication.bytes(run) - Publication.times(run), Long::sum);
          assertThat(Publication.times(REFERENCE.resolve(study))).as(study).isLessThanOrEqualTo(Publication.MOST_TIMES_BYTES);
        }
      }
    }
    assertThat(counted).allSatisfy((study, bytes) -> assertThat(bytes).as(study).isLessThanOrEqualTo(Publication.MOST_STUDY_BYTES));
    assertThat(BEFORE.keySet()).allSatisfy(name -> assertThat(REFERENCE.resolve(name)).isDirectory());
  }

  /** What is younger than the run is added, figures among it as null; every field that the run has stays as it is. */
  @ParameterizedTest
  @MethodSource("runs")
  void isWrittenAgainAsItWas(Path run) throws IOException {
    RunFolder folder = new RunFolder(REFERENCE.resolve(run));
    JsonNode before = JsonMapper.shared().readTree(folder.recordText()).get("rungs");
    JsonNode after = JsonMapper.shared().readTree(RunFolder.json(record(run))).get("rungs");
    assertThat(after.size()).isEqualTo(before.size());
    for (int i = 0; i < before.size(); i++) {
      sameButForWhatIsYounger(before.get(i), after.get(i));
    }
  }

  /** Two of the files are from when the repeat was a figure too; each of their rungs was measured once. */
  private static final String FORMER_FIGURE = ",,,repeat,=,1,1";

  static Stream<Path> tables() throws IOException {
    try (Stream<Path> files = Files.walk(REFERENCE)) {
      return files.filter(file -> file.endsWith("results.csv") || file.endsWith(PairsFile.NAME)).map(REFERENCE::relativize).sorted()
          .toList().stream();
    }
  }

  /** Figures are quoted from these files: code that gives another value, unit, relation or verdict fails here. More rows or columns do not. */
  @ParameterizedTest
  @MethodSource("tables")
  void eachPublishedRowIsMadeAgainFromTheRun(Path table) throws IOException {
    Path file = REFERENCE.resolve(table);
    RunRecord run = record(Objects.requireNonNull(table.getParent()));
    List<String> published = Files.readAllLines(file);
    String now = table.endsWith(PairsFile.NAME) ? PairsFile.of(run, new Pairs(run)) : TidyFigures.of(run);
    List<String> columns = List.of(published.getFirst().split(","));
    assertThat(published).hasSizeGreaterThan(50);
    Set<String> made = Set.copyOf(rows(now.lines().toList(), columns));
    assertThat(rows(published, columns)).filteredOn(row -> !made.contains(row)).allMatch(row -> row.endsWith(FORMER_FIGURE));
  }

  /** The lines of a file without its head: of each the cells of these columns. */
  private static List<String> rows(List<String> lines, List<String> columns) {
    List<String> head = List.of(lines.getFirst().split(","));
    int[] places = columns.stream().mapToInt(head::indexOf).toArray();
    assertThat(head).containsAll(columns);
    return lines.stream().skip(1).map(line -> cells(line, places)).toList();
  }

  private static String cells(String line, int[] places) {
    List<String> cells = new ArrayList<>();
    int from = 0;
    boolean quoted = false;
    for (int i = 0; i <= line.length(); i++) {
      quoted ^= i < line.length() && line.charAt(i) == '"';
      if (i == line.length() || (line.charAt(i) == ',' && !quoted)) {
        cells.add(line.substring(from, i));
        from = i + 1;
      }
    }
    return Arrays.stream(places).mapToObj(cells::get).collect(Collectors.joining(","));
  }

  /** The tries of a rung that were excluded are rungs themselves. */
  private static void sameButForWhatIsYounger(JsonNode before, JsonNode rung) {
    ObjectNode was = (ObjectNode) before.deepCopy();
    ObjectNode is = (ObjectNode) rung.deepCopy();
    List<JsonNode> triesBefore = tries(was);
    List<JsonNode> tries = tries(is);
    assertThat(tries).hasSameSizeAs(triesBefore);
    for (int i = 0; i < tries.size(); i++) {
      sameButForWhatIsYounger(triesBefore.get(i), tries.get(i));
    }
    was.forEachEntry((name, value) -> assertThat(is.get(name)).as(name).isEqualTo(value));
    Set<String> added = new HashSet<>(is.propertyNames());
    added.removeAll(was.propertyNames());
    added.remove("repeat");
    assertThat(added).allMatch(name -> is.get(name).isNull());
  }

  /** Takes them out of a rung; none where there are none. */
  private static List<JsonNode> tries(ObjectNode rung) {
    List<JsonNode> tries = new ArrayList<>();
    if (rung.get("attempt") instanceof ObjectNode attempt && attempt.remove("excluded") instanceof ArrayNode excluded) {
      excluded.forEach(tries::add);
    }
    return tries;
  }

  /**
   * As it would be published now: the same record in less than three quarters of the room, compressed in less than a quarter. A record of
   * one rung is mostly its study, which has nothing that repeats.
   */
  @ParameterizedTest
  @MethodSource("runs")
  void isReadFromLessRoom(Path run) throws IOException {
    RunRecord record = record(run);
    String whole = RunFolder.json(record);
    String compact = PublishedRecord.compact(record);
    assertThat(RunFolder.json(RunFolder.parse(compact))).isEqualTo(whole);
    assertThat(compact.length()).isLessThan(whole.length() * 3 / 4);
    assertThat(PublishedRecord.packed(compact).length).isLessThan(whole.length() / (record.rungs().size() == 1 ? 3 : 4));
    assertThat(compact.lines().filter(line -> line.startsWith("{\"server\":")).count()).isGreaterThanOrEqualTo(record.rungs().size());
  }

  /** What RESULTS, METHOD and the study say of the pairs of all rungs. */
  @Test
  void thePublishedPairsGiveVirtualThreadsOverNettyAsOneRatio() {
    RunRecord run = record(Path.of("async-vs-virtual/20261126T095347Z-a74d"));
    Pairs pairs = new Pairs(run);
    Pairs.Row row =
        pairs.pooled().stream()
            .filter(of -> of.figure().equals(LoadMetrics.SERVER_CPU))
            .filter(of -> of.first().equals("virtual-threads") && of.second().equals("netty-epoll"))
            .findFirst()
            .orElseThrow();
    assertThat(row.rungs()).extracting(RungKey::connections).containsExactly(1_000, 10_000, 19_000);
    PairedRatio ratio = Objects.requireNonNull(row.ratio());
    assertThat(ratio.pairs()).isEqualTo(16);
    Interval interval = Objects.requireNonNull(ratio.interval());
    assertThat(Units.ratio(ratio.ratio()) + " " + Units.interval(interval)).isEqualTo("2.42 2.29–2.57");
    assertThat(new PairsTable(pairs).finding(row)).startsWith("virtual-threads has more: stands (Holm's p ");
  }

  @Test
  void aLimitThatEndedNothingIsNotInTheAnswer() {
    RunRecord run = record(Path.of("async-vs-virtual/20261126T095347Z-a74d"));
    assertThat(Summary.of(run, ProcessGroups.of(run))).contains("carried 19,000 connections").doesNotContain("touched");
    assertThat(MarkdownReport.of(run)).contains("net.core.netdev_max_backlog was touched there and ended nothing");
  }

  /** Each symptom page of a limit shows what the last run of the study `limits` showed of it; runs that are a study of knobs are others. */
  @Test
  void pagesOfLimitsQuoteTheRun() throws IOException {
    RunRecord run =
        runs()
            .filter(of -> of.startsWith("limits"))
            .map(ReferenceResultsTest::record)
            .filter(of -> of.study().tuned().isEmpty())
            .reduce((_, later) -> later)
            .orElseThrow();
    List<NamedLimit> named = NamedLimit.of(run);
    List<NamedLimits.Line> lines = NamedLimits.of(run);
    assertThat(named).hasSizeGreaterThanOrEqualTo(12);
    for (int i = 0; i < named.size(); i++) {
      String page = Objects.requireNonNull(named.get(i).byVerdict()).page();
      assertThat(CHECKOUT.root().resolve("runbooks/symptoms/" + page + ".md"))
          .content()
          .as(page)
          .contains(block(lines.get(i)));
    }
  }

  private static String block(NamedLimits.Line line) {
    return """
        ```
        %s; %s: %s connections reached
        server   %s
        client   %s
        kernel   %s
        verdict  %s        doctor  %s
        ```
        """
        .formatted(
            line.lowered(), line.server(), line.reached(), line.showed().server(), line.showed().client(), line.showed().kernel(),
            line.named().byVerdict(), line.named().byDoctor());
  }
}
