package echoladder.harness.report;

import com.samskivert.mustache.Mustache;
import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.Shown;
import echoladder.harness.metric.Unit;
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
   * @param plots what stands in the plots' place, each a paragraph of its own
   * @param live whether the run goes on while the report is read
   */
  record Form(Function<Table, String> table, List<String> plots, boolean live) {}

  /** REPORT.md of a run, also of one that was interrupted, without a look at what else is in its folder. */
  public static String of(RunRecord run) {
    return of(run, new Pairs(run), List.of(), FlameGraph.files(run));
  }

  /**
   * The same, with what is in its folder.
   *
   * @param notes what could not be read
   * @param further the files of plots that are made from more than the record, with their titles
   */
  static String of(RunRecord run, Pairs pairs, List<String> notes, Map<String, String> further) {
    List<String> plots = new ArrayList<>();
    Plots.of(run).forEach(plot -> plots.add("![%s](%s)".formatted(plot.title(), plot.file())));
    further.forEach((file, title) -> plots.add("![%s](%s)".formatted(title, file)));
    return of(run, pairs, notes, new Form(Table::markdown, plots, false));
  }

  /** The text in another form. */
  static String of(RunRecord run, Pairs pairs, List<String> notes, Form form) {
    return MUSTACHE.compile(Page.text("REPORT.md.mustache")).execute(context(run, pairs, notes, form));
  }

  /** What is empty, a template takes for "no". */
  private static Map<String, Object> context(RunRecord run, Pairs pairs, List<String> notes, Form form) {
    Map<String, Object> map = new HashMap<>();
    ReportTables.of(run, pairs).forEach((name, table) -> map.put(name, table.isEmpty() ? "" : form.table().apply(table)));
    map.put("study", run.study().name());
    map.put("question", run.study().question());
    map.put("runId", run.runId());
    // Of two entries for each knob a sentence each says nothing.
    map.put("summary", run.study().tuned().isEmpty() ? MarkdownText.paragraphs(Summary.of(run)) : KnobTable.sentence(KnobLine.of(run)));
    map.put("otherKnobs", OtherKnobs.of(run).sentence());
    map.put("interrupted", run.status() != RunRecord.Status.COMPLETE && !form.live());
    map.put("resumed", ResumedText.of(run));
    map.put("excludedByServer", TriesText.brief(run));
    map.put("waited", TriesText.waited(run));
    map.put("lab", Objects.requireNonNullElse(LabText.of(run), ""));
    map.put("labWhy", LabText.why(run));
    map.put("attached", Summary.attached(run));
    map.put("load", OfferedText.of(run.study()));
    map.put("capacityBound", run.study().capacity() == null ? "" : CapacityText.bound(run.study()));
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
    map.put("footnotes", footnotes(run));
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

  /** Only those that a sign in the table calls for. */
  private static List<String> footnotes(RunRecord run) {
    List<String> notes = new ArrayList<>();
    if (run.study().repeats() > 1) {
      notes.add(
          "Of several repeats the median stands with the range of those that are valid, or of all where none is.");
    }
    boolean missing = run.rungs().stream().anyMatch(r -> new RungText(r).of(Shown.P999).equals(Units.NONE) && r.load() != null);
    if (missing) {
      notes.add("–: not given. A percentile needs 20 messages beyond it; other figures could not be read on this host.");
    }
    if (run.rungs().stream().anyMatch(r -> new RungText(r).of(Shown.MAX).startsWith("≥"))) {
      notes.add("≥: a lower bound, as that share of the messages was never answered; they count at their age.");
    }
    if (run.rungs().stream().anyMatch(r -> (new RungText(r).of(Shown.P50) + new RungText(r).of(Shown.P99)).contains("†"))) {
      notes.add(
          "†: below twice the load tool's own timer, which delays its sends to whole steps of it: the tool is in it as"
              + " much as the server. Service times below do not have that delay.");
    }
    if (run.rungs().stream().anyMatch(r -> LoadMetrics.RESPONSE.figures().values().stream().anyMatch(f -> Quoting.mark(f, r) > 0))) {
      notes.add(
          "‡: that part of the messages beyond the percentile may be there because the client sent late, or because the host's gaps"
              + " held them up. Over 50 % neither the percentile nor any above it is quoted."
              + (run.study().repeats() > 1 ? " Of several repeats a percentile is quoted only if each of them may quote it." : ""));
    }
    if (run.rungs().stream().anyMatch(r -> Quoting.mark(LoadMetrics.SERVER_CPU, r) > 0)) {
      notes.add(
          "‡ beside the server's CPU: that part of it may be what its JIT compilers took within the steady state.");
    }
    if (RungText.repeatsByServer(run).stream().map(r -> new RungText(r, true)).anyMatch(r -> Shown.LADDER.stream().anyMatch(r::noise))) {
      notes.add(
          Unit.NOISE + ": the value is below zero, as what is left of two readings of the host can be; results.csv has it.");
    }
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
