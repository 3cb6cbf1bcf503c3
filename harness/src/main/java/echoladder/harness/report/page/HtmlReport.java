package echoladder.harness.report.page;

import echoladder.harness.common.Units;
import echoladder.harness.report.plot.AxisLine;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.plot.RungPlots;
import echoladder.harness.report.plot.Series;
import echoladder.harness.report.table.Pairs;
import echoladder.harness.report.table.Table;
import echoladder.harness.report.words.Html;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * report.html: one file with everything in it, from the folder of a run alone. It is the text of REPORT.md with its own tables and
 * plots, and the plots of each rung. Whatever comes from files is escaped; the page loads nothing, and its content security policy
 * forbids it to.
 */
public final class HtmlReport {
  private static final Map<String, String> GLYPHS =
      Map.of("circle", "●", "square", "■", "triangle", "▲", "diamond", "◆", "down", "▼", "cross", "✖", "plus", "✚");

  /** How reasons name a page. */
  private static final Pattern PAGE = Pattern.compile("runbooks/symptoms/([a-z0-9-]+)\\.md");

  private static final Pattern HEADING = Pattern.compile("<h2 id=\"([^\"]+)\">(.+?)</h2>");

  private final RunRecord run;
  private final List<Series> series;

  /** What stands in the text as a number until the text is HTML, as none of it is Markdown. */
  private final List<String> inserted = new ArrayList<>();

  private HtmlReport(RunRecord run) {
    this.run = run;
    series = AxisLine.series(run);
  }

  /** The report of a run, also of one that was interrupted, or of whose files some are missing. */
  public static String of(RunRecord run, Pairs pairs, RungPlots rungs) {
    return new HtmlReport(run).page(pairs, rungs, false, 0);
  }

  /** The report of a run that is under way, as one page of a growing number: it looks for the next page where it came from. */
  public static String live(RunRecord run, RungPlots rungs, int version) {
    return new HtmlReport(run).page(new Pairs(run), rungs, run.status() == RunRecord.Status.RUNNING, version);
  }

  private String page(Pairs pairs, RungPlots rungs, boolean live, int version) {
    List<Plot> main = Plots.of(run, pairs.groups());
    String plots = insert(plots(main, rungs));
    Function<Table, String> table = of -> insert(of.html(this::glyph));
    String first = Plots.ofTwo(run).map(plot -> insert(Plot.html(List.of(plot)))).orElse("");
    String text = MarkdownReport.of(run, pairs, rungs.notes(), new MarkdownReport.Form(table, first, List.of(plots), live));
    String body = Prose.html(text);
    for (int i = 0; i < inserted.size(); i++) {
      body = body.replace("<p>" + token(i) + "</p>", inserted.get(i));
    }
    TreeSet<String> symptoms =
        PAGE.matcher(body).results().map(of -> of.group(1)).collect(Collectors.toCollection(TreeSet::new));
    Map<String, Object> map = new HashMap<>();
    map.put("study", run.study().name());
    map.put("question", run.study().question());
    map.put("runId", run.runId());
    map.put("started", Units.clockTime(run.startedAt()));
    map.put("live", live);
    map.put("version", version);
    map.put("watchScript", live ? Page.text("report.watch.js") : "");
    map.put("contents", contents(body));
    map.put("body", PAGE.matcher(body).replaceAll("<a href=\"#symptom-$1\">$0</a>"));
    map.put("symptoms", symptoms.stream().map(id -> Map.of("id", id, "html", SymptomText.html(id))).toList());
    map.put("anySymptoms", !symptoms.isEmpty());
    map.put("environmentJson", JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(run.environment()));
    return Page.of("report.html.mustache", map);
  }

  private static List<Map<String, String>> contents(String body) {
    return HEADING.matcher(body).results().map(of -> Map.of("id", of.group(1), "title", of.group(2))).toList();
  }

  /** What stands for some HTML in the text: a paragraph of its own, of characters that no text has. */
  private String insert(String html) {
    inserted.add(html);
    return token(inserted.size() - 1);
  }

  private static String token(int index) {
    return "\uE000" + index + "\uE001";
  }

  /** Before the name of a server, the mark that its lines have. */
  private String glyph(String cell) {
    return series.stream()
        .filter(of -> of.label().equals(cell))
        .findFirst()
        .map(of -> "<span class=\"glyph\" style=\"color:%s\" aria-hidden=\"true\">%s</span> "
            .formatted(of.colour(), GLYPHS.get(of.shape())))
        .orElse("");
  }

  private String plots(List<Plot> main, RungPlots rungs) {
    if (main.isEmpty() && rungs.rungs().isEmpty() && rungs.flames().isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<div class=\"plots\">\n<h2 id=\"plots\">Plots</h2>\n");
    out.append("<div id=\"legend\" role=\"group\" aria-label=\"Servers shown in the plots\">\n");
    for (int i = 0; i < run.servers().size(); i++) {
      RunRecord.ServerRecord server = run.servers().get(i);
      out.append("<button type=\"button\" data-series=\"s%d\" aria-pressed=\"true\" title=\"%s\">%s%s</button>\n"
          .formatted(i, Html.escaped(server.title()), glyph(server.label()), Html.escaped(server.label())));
    }
    out.append("</div>\n");
    List.of(main, rungs.complementary(), rungs.flames()).forEach(these -> out.append(Plot.html(these)));
    out.append("<h2 id=\"rungs\">Each rung</h2>\n");
    out.append(
        """
        <p>The percentile spectrum, in which each further nine takes the same room, and what happened over the steady state. Dashed: \
        few, that is fewer than 20, samples lie beyond, or a lower bound, or the offered rate. A stall appears when it ends; a gap is \
        a time without an answer. Service times leave out what a request waited before it was sent. A hiccup is the longest time by \
        which a timed wait was too long: time that the server, or the client, did not get. \
        <button type="button" id="all">Open all rungs</button></p>
        """);
    for (RungPlots.Rung rung : rungs.rungs()) {
      boolean last = rung.equals(rungs.rungs().getLast());
      String rate = rung.key().rate();
      out.append("<details class=\"rung\" id=\"rung-%d%s\"%s>\n<summary><h3>%s</h3></summary>\n"
          .formatted(
              rung.key().connections(), rate.isEmpty() ? "" : "-" + rate, last ? " open" : "", RungPlots.connections(rung.key())));
      out.append(Plot.html(rung.plots())).append(rung.note().isEmpty() ? "" : "<p>" + rung.note() + "</p>\n");
      out.append("</details>\n");
    }
    return out.append("</div>").toString();
  }
}
