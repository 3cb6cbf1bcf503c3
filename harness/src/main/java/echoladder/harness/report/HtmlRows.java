package echoladder.harness.report;

import echoladder.client.Doubt;
import echoladder.harness.common.Units;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The rows of report.html's tables, as its template takes them: text, which the template escapes. */
final class HtmlRows {
  private static final List<String> GLYPHS = List.of("●", "■", "▲", "◆", "▼", "✖", "✚");

  private final RunRecord run;
  private final List<Measurement> all;
  private final List<String> labels;
  private final List<String> colours;

  HtmlRows(RunRecord run) {
    this.run = run;
    this.all = Measurement.all(run);
    this.labels = run.servers().stream().map(RunRecord.ServerRecord::label).toList();
    this.colours = Palette.colours(run);
  }

  /** What must be known before anything else is read, as HTML; of a run under way that it is stands there already. */
  List<String> marks(boolean live) {
    List<String> marks = new ArrayList<>();
    String lab = LabText.of(run);
    if (lab != null) {
      marks.add(
          "<strong>This run was " + Svg.escaped(lab) + ".</strong> A system call costs many times as much in there:"
              + " the times and costs below are those of the lab and no server's. See docs/METHOD.md, “The lab”.");
    }
    if (run.status() != RunRecord.Status.COMPLETE && !live) {
      marks.add("<strong>This run did not come to its end.</strong> What it had measured by then stands below.");
    }
    if (!run.resumed().isEmpty()) {
      marks.add(HtmlReport.inline(ResumedText.of(run)));
    }
    if (run.attached() != null) {
      marks.add(HtmlReport.inline(Summary.attached(run)));
    }
    return marks;
  }

  /** Each server's mark and colour. */
  List<Map<String, Object>> servers() {
    List<Map<String, Object>> servers = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      Map<String, Object> server = server(i);
      server.put("title", run.servers().get(i).title());
      servers.add(server);
    }
    return servers;
  }

  private Map<String, Object> server(int index) {
    Map<String, Object> server = new HashMap<>();
    server.put("index", index);
    server.put("server", labels.get(index));
    server.put("colour", colours.get(index));
    server.put("glyph", GLYPHS.get(index % GLYPHS.size()));
    return server;
  }

  /** Who carried how many, and what stopped each. */
  List<Map<String, Object>> ends() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (ClimbRecord climb : run.climbs()) {
      int index = labels.indexOf(climb.server());
      Map<String, Object> row = index < 0 ? new HashMap<>(Map.of("server", climb.server())) : server(index);
      RungText best =
          RungText.repeatsByServer(run).stream()
              .filter(r -> r.any().server().equals(climb.server()))
              .filter(r -> Objects.equals(r.any().connections(), climb.highestValidConnections()))
              .findFirst()
              .map(r -> new RungText(r, true))
              .orElse(null);
      row.put("carried", TerminalTable.carried(climb));
      row.put("p99", best == null || !LabText.quotesTimes(run) ? Units.NONE : best.of(Shown.P99));
      row.put("cpu", best == null || !LabText.quotesTimes(run) ? Units.NONE : best.of(LoadMetrics.SERVER_CPU));
      row.put("timesFloor", best == null || !LabText.quotesTimes(run) ? Units.NONE : best.of(HostMetrics.CPU_MULTIPLE_OF_FLOOR));
      row.put("stopped", stopped(climb));
      row.put("reason", said(climb) ? "" : withPages(climb.reason()));
      rows.add(row);
    }
    return rows;
  }

  /** Whether the short form says all of it. */
  private static boolean said(ClimbRecord climb) {
    return switch (climb.end()) {
      case TOP_OF_STUDY, INTERRUPTED, UNFINISHED -> true;
      case RESPONSE_TIME_BOUND, NOT_HELD, SERVER_FAILED, OUT_OF_REACH, CLIENT_MISSING -> false;
    };
  }

  private String stopped(ClimbRecord climb) {
    boolean top = Objects.equals(climb.highestValidConnections(), run.study().rungs().getLast());
    String at = climb.endedAtConnections() == null ? "" : " at " + Units.count(climb.endedAtConnections());
    return switch (climb.end()) {
      case TOP_OF_STUDY ->
          top ? "nothing: the study's highest rung" : "nothing, but the study's highest rung was not measured validly";
      case RESPONSE_TIME_BOUND -> "the response time bound" + at;
      case NOT_HELD -> "load not held" + at;
      case SERVER_FAILED -> "server failed" + at;
      case OUT_OF_REACH -> "a limit of this host" + at;
      case CLIENT_MISSING -> "load tool missing";
      case INTERRUPTED -> "the run was stopped";
      case UNFINISHED -> "the run has not ended";
    };
  }

  /** A reason as HTML: the pages that it names become links to their text in this report. */
  private static String withPages(String reason) {
    return Svg.escaped(reason)
        .replaceAll("runbooks/symptoms/([a-z0-9-]+)\\.md", "<a href=\"#symptom-$1\">runbooks/symptoms/$1.md</a>");
  }

  /** The ladder table. */
  List<Map<String, Object>> ladder() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RungRepeats repeats : RungText.repeatsByServer(run)) {
      RungRecord any = repeats.any();
      RungText text = new RungText(repeats, true);
      Map<String, Object> row = server(labels.indexOf(any.server()));
      row.put("client", ToolTimes.client(run.study(), any));
      row.put("connections", text.connections());
      row.put("cells", text.of(Shown.LADDER));
      row.put("beside", text.of(MarkdownReport.beside(run)));
      row.put("verdict", text.verdict());
      boolean measured = repeats.rungs().stream().anyMatch(rung -> rung.load() != null);
      row.put("kind", !measured ? "none" : repeats.valid().isEmpty() ? "invalid" : "valid");
      rows.add(row);
    }
    return rows;
  }

  List<String> footnotes() {
    return MarkdownReport.footnotes(run);
  }

  /** The plots over the connections, then those over each axis of the study; each plot with its table. */
  List<Map<String, Object>> panels() {
    List<Map<String, Object>> groups = new ArrayList<>();
    List<Panel> all = PlotData.panels(run);
    List<Series> series = Series.of(run);
    for (Panel.Across across : all.stream().map(Panel::across).distinct().toList()) {
      List<Map<String, Object>> plots = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).across().equals(across)) {
          plots.add(PanelRows.of(i, all.get(i), series));
        }
      }
      // An empty list is what a template takes for "no".
      groups.add(Map.of("axes", across.values().isEmpty() ? List.of() : List.of(across.name()), "panels", plots));
    }
    return groups;
  }

  /** Memory by rung, its bars as percentages of the longest axis. */
  List<Map<String, Object>> memory() {
    List<MemoryBar> bars = MemoryBar.of(run);
    Axis axis = Axis.of(false, bars.stream().map(b -> (Double) (b.total() / 1024)).toList());
    List<Map<String, Object>> groups = new ArrayList<>();
    for (int connections : bars.stream().map(MemoryBar::connections).distinct().toList()) {
      List<Map<String, Object>> rows = new ArrayList<>();
      bars.stream().filter(b -> b.connections() == connections).forEach(b -> rows.add(bar(axis, b)));
      List<Map<String, Object>> ticks = new ArrayList<>();
      for (double tick : axis.ticks()) {
        ticks.add(Map.of("at", percent(axis.at(tick)), "name", Units.plain(tick) + (tick == 0 ? "" : " KiB")));
      }
      groups.add(Map.of("connections", Units.count(connections), "rows", rows, "ticks", ticks));
    }
    return groups;
  }

  private Map<String, Object> bar(Axis axis, MemoryBar bar) {
    Map<String, Object> row = server(bar.server());
    row.put("kernelPart", percent(axis.at(MemoryBar.positive(bar.kernel()) / 1024)));
    row.put("heapPart", percent(axis.at(MemoryBar.positive(bar.heap()) / 1024)));
    row.put("restPart", percent(axis.at(MemoryBar.positive(bar.rest()) / 1024)));
    row.put("kernel", Units.bytes(bar.kernel()));
    row.put("heap", Units.bytes(bar.heap()));
    row.put("rest", Units.bytes(bar.rest()));
    row.put("rss", Units.bytes(bar.rss()));
    row.put("invalid", !bar.valid());
    return row;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f", 100 * share);
  }

  String memoryText() {
    List<MemoryBar> bars = MemoryBar.of(run);
    return bars.isEmpty() ? "" : SvgMemory.description(labels, bars);
  }

  /** The rungs that have plots of their own; the highest is open. */
  List<Map<String, Object>> sections(List<Integer> rungs) {
    List<Map<String, Object>> sections = new ArrayList<>();
    for (int i = 0; i < rungs.size(); i++) {
      Map<String, Object> section = new HashMap<>();
      section.put("index", i);
      section.put("id", rungs.get(i));
      section.put("connections", Units.count(rungs.get(i)));
      section.put("open", i == rungs.size() - 1);
      sections.add(section);
    }
    return sections;
  }

  /** Rungs that may not be quoted, a row for each reason. */
  List<Map<String, Object>> invalid() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Measurement m : all) {
      RungRecord rung = m.rung();
      if (rung.load() == null && rung.status() != RungRecord.Status.NOT_ATTEMPTED) {
        rows.add(reason(m, new RungText(rung).verdict(), "", String.valueOf(rung.statusReason())));
      } else if (rung.load() != null) {
        for (Doubt doubt : rung.load().verdictReasons()) {
          String id = doubt.reason().id();
          rows.add(reason(m, id, SymptomText.html(id) == null ? "" : id, doubt.detail()));
        }
      }
    }
    return rows;
  }

  /** What speaks against times alone, where none may be quoted. */
  List<Map<String, Object>> setAside() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Measurement m : all) {
      List<Doubt> aside = m.rung().setAside() == null ? List.of() : m.rung().setAside();
      aside.forEach(doubt -> rows.add(reason(m, doubt.reason().id(), "", doubt.detail())));
    }
    return rows;
  }

  /** Which limit each climb met, and who named it; none where the study expects none. */
  List<Map<String, Object>> namedLimits() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (NamedLimits.Line line : NamedLimits.of(run)) {
      Map<String, Object> row = new HashMap<>();
      row.put("label", line.label());
      row.put(
          "cells",
          List.of(
              line.lowered(), line.server(), line.reached(), line.byVerdict(), line.byDoctor(), line.right(),
              line.serverSaid(), line.clientSaid(), line.kernel(), String.join("; ", line.because())));
      rows.add(row);
    }
    return rows;
  }

  private Map<String, Object> reason(Measurement m, String reason, String page, String detail) {
    Map<String, Object> row = server(m.server());
    row.put("connections", Units.count(m.rung().connections()));
    row.put("repeat", m.repeat());
    row.put("reason", reason);
    row.put("page", page);
    row.put("paged", !page.isEmpty());
    row.put("detail", withPages(detail));
    return row;
  }

  /** The page of each reason that this report names. */
  List<Map<String, Object>> symptoms() {
    Stream<String> reasons =
        run.rungs().stream()
            .filter(r -> r.load() != null)
            .flatMap(r -> Objects.requireNonNull(r.load()).verdictReasons().stream())
            .flatMap(d -> Stream.concat(Stream.of(d.reason().id()), SymptomText.namedIn(d.detail()).stream()));
    Stream<String> named =
        Stream.concat(
                run.climbs().stream().map(ClimbRecord::reason),
                run.rungs().stream().map(r -> String.valueOf(r.statusReason())))
            .flatMap(text -> SymptomText.namedIn(text).stream());
    List<Map<String, Object>> pages = new ArrayList<>();
    for (String id : new TreeSet<>(Stream.concat(reasons, named).toList())) {
      String html = SymptomText.html(id);
      pages.add(
          Map.of("id", id, "html", html == null ? "<p>This ladder has no page of that name.</p>" : html));
    }
    return pages;
  }

  List<Map<String, Object>> configs() {
    return MarkdownReport.configs(run);
  }

  String environmentJson() {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(run.environment());
  }
}
