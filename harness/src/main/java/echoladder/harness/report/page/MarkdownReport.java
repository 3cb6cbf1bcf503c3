package echoladder.harness.report.page;

import com.samskivert.mustache.Mustache;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.report.plot.FlameGraph;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.table.EnvironmentRows;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.report.table.KnobTable;
import echoladder.harness.report.table.NamedLimits;
import echoladder.harness.report.table.Pairs;
import echoladder.harness.report.table.PairsTable;
import echoladder.harness.report.table.PartsTable;
import echoladder.harness.report.table.ReportTables;
import echoladder.harness.report.table.StagedTables;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.table.TriesText;
import echoladder.harness.report.text.HostText;
import echoladder.harness.report.text.OfferedText;
import echoladder.harness.report.text.OtherKnobs;
import echoladder.harness.report.text.ResumedText;
import echoladder.harness.report.text.Summary;
import echoladder.harness.report.text.TwoServersText;
import echoladder.harness.report.words.LabText;
import echoladder.harness.report.words.Legend;
import echoladder.harness.report.words.MarkdownText;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/**
 * The text of both reports, in Markdown: its figures are from run.json alone, its words in REPORT.md.mustache. REPORT.md is this
 * text; report.html is made from it with its own tables and plots in it.
 */
public final class MarkdownReport {
  private static final Mustache.Compiler MUSTACHE =
      Mustache.compiler()
          .withEscaper(MarkdownText::plain)
          .emptyStringIsFalse(true)
          .withLoader(name -> new StringReader(Page.text(name + ".mustache")));

  private MarkdownReport() {}

  /**
   * What differs between the reports.
   *
   * @param table a table as it stands in the text
   * @param first the plot that answers a run of two servers, which stands below the answer; empty = there is none
   * @param plots what stands in the plots' place, each a paragraph of its own
   * @param live whether the run goes on while the report is read
   */
  record Form(Function<Table, String> table, String first, List<String> plots, boolean live) {}

  /** REPORT.md of a run, also of one that was interrupted, without a look at what else is in its folder. */
  public static String of(RunRecord run) {
    return of(run, new Pairs(run), List.of(), FlameGraph.files(run));
  }

  /**
   * REPORT.md of a run, with what else is in its folder.
   *
   * @param notes what could not be read
   * @param further the files of plots that are made from more than the record, with their titles
   */
  public static String of(RunRecord run, Pairs pairs, List<String> notes, Map<String, String> further) {
    List<String> plots = new ArrayList<>();
    String first = Plots.ofTwo(run).map(MarkdownReport::image).orElse("");
    Plots.of(run, pairs.groups()).forEach(plot -> plots.add(image(plot)));
    further.forEach((file, title) -> plots.add("![%s](%s)".formatted(title, file)));
    return of(run, pairs, notes, new Form(Table::markdown, first, plots, false));
  }

  private static String image(Plot plot) {
    return "![%s](%s)".formatted(plot.title(), plot.file());
  }

  /** The text in another form. */
  static String of(RunRecord run, Pairs pairs, List<String> notes, Form form) {
    return MUSTACHE.compile(Page.text("REPORT.md.mustache")).execute(context(run, pairs, notes, form));
  }

  /** What is empty, a template takes for "no". */
  private static Map<String, Object> context(RunRecord run, Pairs pairs, List<String> notes, Form form) {
    Map<String, Object> map = new HashMap<>();
    Map<String, Table> tables = ReportTables.of(run, pairs);
    tables.forEach((name, table) -> map.put(name, table.isEmpty() ? "" : form.table().apply(table)));
    map.put("study", run.study().name());
    map.put("question", run.study().question());
    map.put("runId", run.runId());
    // Of two entries for each knob a sentence each says nothing.
    map.put(
        "summary",
        run.study().tuned().isEmpty()
            ? MarkdownText.paragraphs(Summary.of(run, pairs.groups()))
            : KnobTable.sentence(KnobLine.of(run)));
    map.put("twoServers", MarkdownText.paragraphs(TwoServersText.of(run, pairs.groups())));
    map.put("twoServersPlot", form.first());
    map.put("judgements", TwoServersText.judgements(run));
    map.put("anyJudgements", !run.study().failIf().isEmpty());
    map.put("otherKnobs", OtherKnobs.of(run).sentence());
    map.put("interrupted", run.status() != RunRecord.Status.COMPLETE && !form.live());
    map.put("resumed", ResumedText.of(run));
    map.put("excludedByServer", TriesText.brief(run));
    map.put("notValidByServer", TriesText.notValid(run));
    map.put("waited", TriesText.waited(run));
    map.put("lab", Objects.requireNonNullElse(LabText.of(run), ""));
    map.put("labWhy", LabText.why(run));
    map.put("attached", Summary.attached(run));
    map.put("load", OfferedText.of(run.study()));
    map.put("capacityBound", run.study().capacity() == null ? "" : CapacityText.bound(run));
    map.put("lowerBounds", CapacityText.lowerBounds(run));
    map.put("plots", form.plots());
    map.put("anyPairs", !pairs.all().isEmpty());
    map.put("pairsWorth", new PairsTable(pairs).worth());
    map.put("withThemselves", pairs.withThemselves());
    map.put("pairsLeftOut", pairs.leftOut() == 0 ? "" : String.valueOf(pairs.leftOut()));
    map.put("notes", notes);
    map.put("anyNotes", !notes.isEmpty());
    map.put("namedSentence", NamedLimits.sentence(run));
    map.put("namedBecause", NamedLimits.of(run).stream().map(MarkdownReport::because).toList());
    map.put("footnotes", footnotes(run, Objects.requireNonNull(tables.get("ladder"))));
    boolean stamped = ServerTimes.stamped(run.rungs());
    map.put("host", HostText.of(run));
    map.put("lost", HostText.lost(run));
    map.put("timesHead", stamped ? "Four times" : "Three times");
    map.put("stamped", stamped);
    map.put("pushed", run.study().pushes());
    map.put("staged", run.study().load().staged() != null);
    map.put("each", StagedTables.each(run, form.table()));
    map.put("configs", configs(run));
    map.put("whose", run.attached() == null ? "What each server ran with:" : "It is that of the client's host.");
    map.put("reproduce", MarkdownText.code(run.reproduce()));
    map.put("commit", EnvironmentRows.commit(run.environment()));
    map.put("limits", Summary.limits(run));
    map.put("sums", PartsTable.sentences(run));
    map.put("anySums", !PartsTable.sentences(run).isEmpty());
    return map;
  }

  private static String because(NamedLimits.Line line) {
    return line.label() + ": " + String.join("; ", line.because());
  }

  /** The footnotes that the ladder calls for. */
  private static List<String> footnotes(RunRecord run, Table ladder) {
    List<String> notes = new ArrayList<>();
    if (run.study().repeats() > 1) {
      notes.add(
          "Of several repeats the median stands with the range of those that are valid, or of all where none is.");
    }
    notes.addAll(Legend.of(ladder.markdown()));
    return notes;
  }

  /** What each server said it really ran with, at its first rung. */
  private static List<Map<String, String>> configs(RunRecord run) {
    Map<String, Map<String, String>> configs = new LinkedHashMap<>();
    for (RungRecord rung : RungText.byServer(run)) {
      if (rung.process() != null) {
        configs.putIfAbsent(
            rung.server(),
            Map.of(
                "server", rung.server(),
                "command", MarkdownText.code(String.join(" ", rung.process().command())),
                "config", MarkdownText.code(JsonMapper.shared().writeValueAsString(rung.process().config()))));
      }
    }
    return List.copyOf(configs.values());
  }
}
