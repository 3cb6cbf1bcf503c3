package echoladder.harness.report;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import echoladder.client.Doubt;
import echoladder.client.LoadResult;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** REPORT.md: its figures are from run.json alone; its text is REPORT.md.mustache. */
public final class MarkdownReport {
  private static final String TEMPLATE = "REPORT.md.mustache";

  private MarkdownReport() {}

  /** The report of a run, also of one that was interrupted, without a look at what else is in its folder. */
  public static String of(RunRecord run) {
    return of(run, new Pairs(run), List.of());
  }

  /** The same, with what could not be read of the folder. */
  static String of(RunRecord run, Pairs pairs, List<String> notes) {
    try (Reader in = resource(TEMPLATE)) {
      Template template =
          Mustache.compiler()
              .escapeHTML(false)
              .withLoader(name -> resource(name + ".mustache"))
              .compile(in);
      return template.execute(context(run, pairs, notes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Reader resource(String name) {
    InputStream in = MarkdownReport.class.getResourceAsStream(name);
    return new InputStreamReader(Objects.requireNonNull(in, name), StandardCharsets.UTF_8);
  }

  private static Map<String, Object> context(RunRecord run, Pairs pairs, List<String> notes) {
    Map<String, Object> map = new HashMap<>();
    map.put("study", run.study().name());
    map.put("question", run.study().question());
    map.put("runId", run.runId());
    map.put("summary", Summary.of(run));
    map.put("interrupted", run.status() != RunRecord.Status.COMPLETE);
    map.put("resumed", ResumedText.of(run));
    map.put("anyResumed", !run.resumed().isEmpty());
    String lab = LabText.of(run);
    map.put("inLab", lab != null);
    map.put("lab", String.valueOf(lab));
    map.put("load", Summary.load(run.study()));
    map.put("rungs", RungText.repeatsByServer(run).stream().map(rung -> row(run, rung)).toList());
    columns(map, run);
    map.put("byTools", ToolTimes.any(run.study()));
    map.put("toolTimes", ToolTimes.rungs(run).stream().map(MarkdownReport::toolTimes).toList());
    list(map, "agreement", Agreement.rows(run.study(), run.rungs()).stream().map(MarkdownReport::agreement).toList());
    pairs(map, pairs);
    list(map, "notes", notes);
    list(map, "growth", MemoryGrowth.rows(run));
    map.put("namedLimits", NamedLimits.of(run).stream().map(MarkdownReport::namedLimit).toList());
    map.put("anyNamedLimit", NamedLimits.any(run));
    map.put("namedSentence", NamedLimits.any(run) ? NamedLimits.sentence(run) : "");
    map.put("plots", SvgPlots.of(run).stream().map(p -> Map.of("file", p.file(), "alt", p.alt())).toList());
    map.put("footnotes", footnotes(run));
    map.put("climbs", run.climbs().stream().map(MarkdownReport::climb).toList());
    list(map, "invalid", invalid(run));
    list(map, "setAside", setAside(run));
    map.put("environment", EnvironmentRows.of(run.environment()));
    map.put("configs", configs(run));
    map.put("reproduce", run.reproduce());
    map.put("commit", EnvironmentRows.commit(run.environment()));
    map.put("limits", Summary.limits(run));
    // An empty list is what a template takes for "no".
    map.put("staged", run.study().load().staged() == null ? List.of() : StagedRows.of(run));
    map.put("attached", Summary.attached(run));
    map.put("anyAttached", run.attached() != null);
    map.put("whose", run.attached() == null ? "What each server ran with:" : "It is that of the client's host.");
    return map;
  }

  /** What stands above the figures of a rung in the templates of both reports. */
  static void columns(Map<String, Object> map, RunRecord run) {
    map.put("columns", Shown.LADDER.stream().map(Metric::column).toList());
    list(map, "beside", beside(run).stream().map(Metric::label).toList());
  }

  /** A figure that no rung has, as it is younger than the run, gets no column. */
  static List<Metric> beside(RunRecord run) {
    return Shown.BESIDE.stream().filter(figure -> run.rungs().stream().anyMatch(rung -> figure.of(rung) != null)).toList();
  }

  private static Map<String, Object> row(RunRecord run, RungRepeats rung) {
    RungText text = new RungText(rung, true);
    Map<String, Object> row = new HashMap<>();
    row.put("server", rung.any().server());
    row.put("client", ToolTimes.client(run.study(), rung.any()));
    row.put("connections", text.connections());
    row.put("cells", text.of(Shown.LADDER));
    row.put("beside", text.of(beside(run)));
    String verdict = text.verdict();
    row.put("verdict", verdict.equals("valid") ? verdict : "**" + verdict + "**");
    return row;
  }

  private static Map<String, Object> toolTimes(RungRecord rung) {
    LoadResult load = Objects.requireNonNull(rung.load());
    RungText text = new RungText(rung);
    return Map.of(
        "server", rung.server(),
        "client", load.client(),
        "connections", text.connections() + (rung.repeat() == 1 ? "" : ", repeat " + rung.repeat()),
        "response", text.of(Shown.P50) + " / " + text.of(Shown.P99),
        "service50", Units.time(load.times().service().p50Ns()),
        "service99", Units.time(load.times().service().p99Ns()),
        "serviceMax", Units.time(load.times().service().maxNs()),
        "coverage", ToolTimes.coverage(load),
        "kinds", ToolTimes.kinds(load));
  }

  private static Map<String, Object> namedLimit(NamedLimits.Line line) {
    Map<String, Object> row = new HashMap<>();
    row.put("label", line.label());
    row.put("lowered", line.lowered());
    row.put("server", line.server());
    row.put("reached", line.reached());
    row.put("serverSaid", cell(line.serverSaid()));
    row.put("clientSaid", cell(line.clientSaid()));
    row.put("kernel", cell(line.kernel()));
    row.put("byVerdict", line.byVerdict());
    row.put("byDoctor", line.byDoctor());
    row.put("right", cell(line.right()));
    row.put("because", cell(String.join("; ", line.because())));
    return row;
  }

  private static Map<String, Object> agreement(Agreement.Row row) {
    return Map.of(
        "server", row.server(),
        "connections", row.connections(),
        "figure", row.figure(),
        "ours", row.ours(),
        "client", row.client(),
        "theirs", row.theirs(),
        "finding", cell(row.finding()));
  }

  /** A list, and beside it whether there is anything in it, which a template cannot ask outside of its rows. */
  static void list(Map<String, Object> map, String name, List<?> rows) {
    map.put(name, rows);
    map.put("any" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), !rows.isEmpty());
  }

  /** What the templates of both reports take of pairs. */
  static void pairs(Map<String, Object> map, Pairs pairs) {
    map.put("pairs", pairs.shown().stream().map(MarkdownReport::pair).toList());
    map.put("anyPairs", !pairs.all().isEmpty());
    map.put("withThemselves", pairs.withThemselves());
    // An empty list is what a template takes for "no".
    map.put("pairsLeftOut", pairs.leftOut() == 0 ? List.of() : List.of(pairs.leftOut()));
  }

  private static Map<String, Object> pair(Pairs.Row row) {
    return Map.of(
        "figure", row.figure().label(), "first", row.first(), "second", row.second(),
        "connections", Units.count(row.connections()),
        "pairs", row.pairs(), "ratio", Pairs.ratio(row), "range", Pairs.range(row),
        "interval", Pairs.interval(row), "finding", Pairs.finding(row));
  }

  /** Only those that a sign in the table calls for. */
  static List<String> footnotes(RunRecord run) {
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
    return notes;
  }

  private static Map<String, Object> climb(ClimbRecord climb) {
    return Map.of(
        "server", climb.server(), "carried", TerminalTable.carried(climb), "reason", cell(climb.reason()));
  }

  private static List<Map<String, Object>> invalid(RunRecord run) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RungRecord rung : RungText.byServer(run)) {
      String where = RungText.where(run, rung);
      if (rung.load() == null) {
        if (rung.status() != RungRecord.Status.NOT_ATTEMPTED) {
          rows.add(Map.of("where", where, "reason", new RungText(rung).verdict(), "detail", cell(rung.statusReason()), "page", ""));
        }
        continue;
      }
      for (Doubt doubt : rung.load().verdictReasons()) {
        String id = doubt.reason().id();
        rows.add(
            Map.of(
                "where", where, "reason", id, "detail", cell(doubt.detail()),
                "page", "`runbooks/symptoms/" + id + ".md`"));
      }
    }
    return rows;
  }

  private static List<Map<String, Object>> setAside(RunRecord run) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RungRecord rung : RungText.byServer(run)) {
      List<Doubt> aside = rung.setAside() == null ? List.of() : rung.setAside();
      for (Doubt doubt : aside) {
        rows.add(
            Map.of(
                "where", RungText.where(run, rung),
                "reason", doubt.reason().id(),
                "detail", cell(doubt.detail())));
      }
    }
    return rows;
  }

  /** What each server said it really ran with, at its first rung. */
  static List<Map<String, Object>> configs(RunRecord run) {
    Map<String, Map<String, Object>> configs = new LinkedHashMap<>();
    for (RungRecord rung : RungText.byServer(run)) {
      if (rung.process() != null) {
        configs.putIfAbsent(
            rung.server(),
            Map.of(
                "server", rung.server(),
                "command", String.join(" ", rung.process().command()),
                "config", JsonMapper.shared().writeValueAsString(rung.process().config())));
      }
    }
    return List.copyOf(configs.values());
  }

  /** Text that may stand in a table's cell. */
  private static String cell(@Nullable String text) {
    return text == null ? Units.NONE : text.replace("|", "\\|").replace('\n', ' ');
  }
}
