package echoladder.harness.report;

import com.samskivert.mustache.Mustache;
import echoladder.harness.common.Units;
import echoladder.harness.results.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * report.html: one file with everything in it, from the folder of a run alone. Whatever comes from files is escaped by the
 * template; it loads nothing, and its content security policy forbids it to.
 */
final class HtmlReport {
  private static final Pattern BOLD = Pattern.compile("\\*\\*(.+?)\\*\\*");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private HtmlReport() {}

  /** The report of a run, also of one that was interrupted, or of whose files some are missing. */
  static String of(RunRecord run, Pairs pairs, PlotData data) {
    return of(run, pairs, data, false, 0);
  }

  /** The same while the run is under way, as one page of a growing number: it looks for the next where it came from. */
  static String live(RunRecord run, PlotData data, int version) {
    return of(run, new Pairs(run), data, run.status() == RunRecord.Status.RUNNING, version);
  }

  private static String of(RunRecord run, Pairs pairs, PlotData data, boolean live, int version) {
    Map<String, Object> map = new HashMap<>();
    HtmlRows rows = new HtmlRows(run);
    map.put("study", run.study().name());
    map.put("question", run.study().question());
    map.put("runId", run.runId());
    map.put("started", Units.clockTime(run.startedAt()));
    map.put("live", live);
    map.put("version", version);
    map.put("watchScript", live ? PlotPage.text("report.watch.js") : "");
    map.put("marks", rows.marks(live));
    map.put("answer", inline(Summary.of(run)));
    map.put("ends", rows.ends());
    map.put("load", Summary.load(run.study()));
    map.put("inline", (Mustache.Lambda) (text, out) -> out.write(inline(text.execute())));
    map.put("staged", run.study().load().staged() != null);
    map.put("stagedRows", run.study().load().staged() == null ? List.of() : StagedRows.of(run));
    map.put("byTools", ToolTimes.any(run.study()));
    map.put("repeated", Measurement.repeated(Measurement.all(run)));
    MarkdownReport.pairs(map, pairs);
    MarkdownReport.columns(map, run);
    map.put("rungs", rows.ladder());
    map.put("footnotes", rows.footnotes());
    map.put("servers", rows.servers());
    map.put("panelGroups", rows.panels());
    MarkdownReport.list(map, "memory", rows.memory());
    map.put("memoryText", rows.memoryText());
    MarkdownReport.list(map, "sections", rows.sections(data.rungs()));
    MarkdownReport.list(map, "invalid", rows.invalid());
    MarkdownReport.list(map, "setAside", rows.setAside());
    map.put("namedLimits", rows.namedLimits());
    map.put("anyNamedLimit", NamedLimits.any(run));
    map.put("namedSentence", NamedLimits.any(run) ? NamedLimits.sentence(run) : "");
    MarkdownReport.list(map, "symptoms", rows.symptoms());
    MarkdownReport.list(map, "notes", data.notes());
    map.put("environment", EnvironmentRows.of(run.environment()));
    map.put("environmentJson", rows.environmentJson());
    map.put("configs", rows.configs());
    map.put("reproduce", run.reproduce());
    map.put("commit", EnvironmentRows.commit(run.environment()));
    map.put("limits", Summary.limits(run));
    return PlotPage.of("report.html.mustache", data.json(), map);
  }

  /** Text with marked words as HTML: bold and code, everything else escaped. */
  static String inline(String text) {
    String escaped = Svg.escaped(text);
    return CODE.matcher(BOLD.matcher(escaped).replaceAll("<strong>$1</strong>")).replaceAll("<code>$1</code>");
  }
}
