package echoladder.harness.site;

import static echoladder.harness.site.PublishedLists.count;
import static echoladder.harness.site.PublishedLists.text;
import static echoladder.harness.site.SiteTable.link;

import echoladder.harness.common.Units;
import echoladder.harness.report.words.Html;
import echoladder.harness.server.ServerManifest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is known of each server: how to run it, what it can be told, and its figures over the published runs and versions. */
final class ServerPages {
  /** From a page of a server to the root of the site. */
  private static final String ROOT = "../../";

  private final PublishedLists lists;
  private final Map<String, ServerManifest> servers;

  ServerPages(PublishedLists lists, Map<String, ServerManifest> servers) {
    this.lists = lists;
    this.servers = servers;
  }

  /** Where the page of a server stands. */
  static String path(String server) {
    return "servers/" + server + "/index.html";
  }

  /** A row per server, for the page of all. */
  String table() {
    SiteTable table = new SiteTable("server", "what it is", "protocol", "#most connections held", "#published runs");
    servers.forEach(
        (name, of) -> table.row(
            link(name + "/index.html", name), Html.escaped(of.title()), Html.escaped(of.protocol()), most(climbs(name)),
            Units.count(runs(name).size())));
    return table.html();
  }

  private List<Map<String, String>> climbs(String server) {
    return lists.climbs().stream().filter(of -> text(of, "server").equals(server)).toList();
  }

  private List<Map<String, String>> points(String server) {
    return lists.points().stream().filter(of -> text(of, "server").equals(server)).toList();
  }

  private List<Map<String, String>> runs(String server) {
    return lists.runs().stream().filter(run -> List.of(text(run, "servers").split(" ", -1)).contains(server)).toList();
  }

  private static String most(List<Map<String, String>> climbs) {
    long most = climbs.stream().mapToLong(of -> count(of, "highest_valid_connections")).max().orElse(0);
    return most == 0 ? Units.NONE : Units.count(most);
  }

  /** The page of one server. */
  String page(ServerManifest server) {
    String name = server.name();
    List<Map<String, String>> runs = runs(name);
    StringBuilder out = new StringBuilder("<h1>%s</h1>\n".formatted(Html.escaped(server.title())));
    List<Map<String, String>> stock = points(name).stream().filter(of -> text(of, "options").isEmpty()).toList();
    out.append(ResultPages.cards(
        List.of(
            new ResultPages.Card("Answer", "<p>It held up to <strong>%s</strong> connections.%s</p>".formatted(
                most(climbs(name)), cost(stock))),
            new ResultPages.Card("Conditions", "<p>%s%s. %s</p>".formatted(
                server.unmanaged() ? "" : runtime(server) + " " + ResultPages.versions(runs, column(server)) + ", ",
                Html.escaped(server.protocol()),
                runs.stream().map(PublishedLists::processors).distinct().map(Html::escaped).collect(Collectors.joining("; ")))),
            new ResultPages.Card("Trust", "<p>%s%s. %s</p>".formatted(
                runs.size() == 1 ? "One published run" : "%,d published runs".formatted(runs.size()),
                runs.isEmpty() ? "" : ", the latest of " + PublishedLists.day(runs.getFirst()),
                link("#history", "Each, with its raw data"))))));
    out.append("<nav class=\"contents\" aria-label=\"On this page\"><a href=\"#history\">History</a> "
        + "<a href=\"#alike\">The same load again</a> <a href=\"#options\">Options</a> <a href=\"#run\">Run it</a></nav>\n");
    out.append(history(server, runs)).append(alike(server));
    out.append(options(server));
    out.append("<h2 id=\"run\">Run it</h2>\n<pre><code>./ladder serve %1$s\n./ladder run memory --set 'servers=[%1$s]'</code></pre>\n"
        .formatted(name));
    out.append("<p>It speaks %s, and its runtime is %s. %s</p>\n".formatted(
        server.protocol(), server.runtime(), server.reference() ? "It is the floor that servers of its protocol are compared with." : ""));
    return out.toString();
  }

  /** What a server costs as it comes. */
  private static String cost(List<Map<String, String>> stock) {
    String cpu = cpu(stock);
    String rss = rss(stock);
    long most = stock.stream().filter(ServerPages::hasRss).mapToLong(row -> count(row, "connections")).max().orElse(0);
    return (cpu.equals(Units.NONE) ? "" : " As it comes, an echo costs %s of its CPU, over all loads.".formatted(cpu))
        + (rss.equals(Units.NONE) ? "" : " With %s of them a connection takes %s of RSS.".formatted(Units.count(most), rss));
  }

  private static boolean hasRss(Map<String, String> point) {
    return text(point, "server_rss_bytes_per_connection").matches("\\d.*");
  }

  private String history(ServerManifest server, List<Map<String, String>> runs) {
    StringBuilder out = new StringBuilder("<h2 id=\"history\">History</h2>\n");
    SiteTable table =
        new SiteTable(
            "run", "#day", "#held", "#CPU per echo", "#RSS per connection", "options", "cores", "what ended it", "#" + runtime(server),
            "#instrument", "#commit");
    boolean any = false;
    for (Map<String, String> run : runs) {
      for (List<Map<String, String>> ends : byEntry(climbs(server.name()), run).values()) {
        Map<String, String> climb = ends.getFirst();
        List<Map<String, String>> points = byEntry(points(server.name()), run).getOrDefault(entry(climb), List.of());
        table.row(
            runLink(run), PublishedLists.day(run), most(ends), cpu(points), rss(points), Html.escaped(text(climb, "options")),
            Html.escaped(text(climb, "place")), ended(ends.getLast()), Html.escaped(version(server, run)), instrument(run),
            Html.escaped(text(run, "git_commit").replaceFirst("^(.{7}).*", "$1")));
        any = true;
      }
    }
    if (!any) {
      return out.append("<p>No published run has a climb of this server whose figures can stand beside others.</p>\n").toString();
    }
    return out.append(table.html())
        .append("<p class=\"muted\">A row per run and setting, the latest first. Options: only those that differ from the defaults. "
            + "Cores: whether server and client share processors, and what idle ones do; lab: a throwaway kernel, of which no time "
            + "is quoted. "
            + "CPU per echo: the server's, least to most over the rungs of the climb, whose rates differ. RSS per connection: of the rung "
            + "with the most connections. Instrument: the version of the harness that decides whether figures may be compared.</p>\n")
        .toString();
  }

  private static String runtime(ServerManifest server) {
    return server.runtime().equals("go") ? "Go" : server.unmanaged() ? "runtime" : "JVM";
  }

  private static String version(ServerManifest server, Map<String, String> run) {
    return server.unmanaged() ? "none" : PublishedLists.version(text(run, column(server)));
  }

  private static String column(ServerManifest server) {
    return server.runtime().equals("go") ? "go" : "jvm";
  }

  private String instrument(Map<String, String> run) {
    Integer version = lists.instruments().get(PublishedLists.id(run));
    return version == null ? Units.NONE : String.valueOf(version);
  }

  private static String runLink(Map<String, String> row) {
    return link(ROOT + PublishedLists.folder(row) + "/index.html", text(row, "study"));
  }

  private static String ended(Map<String, String> climb) {
    String by = text(climb, "ended_by");
    String how = Html.escaped(text(climb, "end").replace('-', ' '));
    String at = text(climb, "ended_at_connections");
    return how + (at.isEmpty() ? "" : ", at " + Units.count(count(climb, "ended_at_connections")))
        + (by.isEmpty() ? "" : ": " + link(ROOT + "runbooks/symptoms/" + by + ".html", by));
  }

  private static String entry(Map<String, String> row) {
    return text(row, "options") + "|" + text(row, "place");
  }

  private static Map<String, List<Map<String, String>>> byEntry(List<Map<String, String>> rows, Map<String, String> run) {
    return rows.stream()
        .filter(row -> PublishedLists.id(row).equals(PublishedLists.id(run)))
        .collect(Collectors.groupingBy(ServerPages::entry, TreeMap::new, Collectors.toList()));
  }

  private static Stream<Double> values(List<Map<String, String>> rows, String column) {
    return rows.stream().map(row -> text(row, column)).filter(cell -> !cell.isEmpty()).map(Double::valueOf);
  }

  private static String cpu(List<Map<String, String>> points) {
    TreeSet<Double> all = values(points, "server_cpu_us_per_echo").collect(Collectors.toCollection(TreeSet::new));
    if (all.isEmpty()) {
      return Units.NONE;
    }
    String least = Units.us(all.first());
    String most = Units.us(all.last());
    return least.equals(most) ? least : least + " to " + most;
  }

  private static String rss(List<Map<String, String>> points) {
    return points.stream()
        .filter(ServerPages::hasRss)
        .max(Comparator.comparingLong(row -> count(row, "connections")))
        .map(row -> Units.bytes(Double.valueOf(text(row, "server_rss_bytes_per_connection"))))
        .orElse(Units.NONE);
  }

  /** Loads that several runs had: only these tell a change of the server, its runtime or the host. */
  private String alike(ServerManifest server) {
    Map<String, List<Map<String, String>>> loads = new TreeMap<>();
    points(server.name()).stream()
        .filter(row -> !text(row, "server_cpu_us_per_echo").isEmpty())
        .forEach(row -> loads.computeIfAbsent(load(row), _ -> new ArrayList<>()).add(row));
    loads.values().removeIf(rows -> rows.stream().map(PublishedLists::id).distinct().count() < 2);
    StringBuilder out = new StringBuilder("<h2 id=\"alike\">The same load again</h2>\n");
    if (loads.isEmpty()) {
      return out.append("<p>No two published runs had the same load, cores and options on this server, so no figure can be followed over ")
          .append("versions.</p>\n").toString();
    }
    SiteTable table =
        new SiteTable("load", "#day", "run", "#" + runtime(server), "#CPU per echo, median", "#least to most", "#RSS per connection");
    Map<String, Map<String, String>> byId = new TreeMap<>();
    lists.runs().forEach(run -> byId.put(PublishedLists.id(run), run));
    loads.forEach(
        (load, rows) -> rows.stream()
            .filter(row -> byId.containsKey(PublishedLists.id(row)))
            .sorted(Comparator.comparing(row -> text(row, "run_id")))
            .forEach(row -> {
              Map<String, String> run = Objects.requireNonNull(byId.get(PublishedLists.id(row)));
              table.row(
                  Html.escaped(load), PublishedLists.day(run), runLink(row), Html.escaped(version(server, run)), cpu(List.of(row)),
                  Html.escaped("%s to %s".formatted(
                      Units.us(Double.valueOf(text(row, "server_cpu_us_per_echo_least"))),
                      Units.us(Double.valueOf(text(row, "server_cpu_us_per_echo_most"))))),
                  rss(List.of(row)));
            }));
    return out.append(table.html())
        .append("<p class=\"muted\">Runs of one load, in the order of time. The host may have been busier in one of them: ")
        .append("compare the ranges.</p>\n")
        .toString();
  }

  private static String load(Map<String, String> row) {
    String options = text(row, "options");
    return "%s connections, %s/s, %s B, %s%s".formatted(
        Units.count(count(row, "connections")), Units.plain(Double.parseDouble(text(row, "rate_per_s"))), text(row, "message_bytes"),
        text(row, "place"), options.isEmpty() ? "" : ", " + options);
  }

  private static String options(ServerManifest server) {
    SiteTable table = new SiteTable("option", "default", "allowed", "why");
    server.options().forEach(
        (name, of) -> table.row(
            Html.escaped(name), "<code>%s</code>".formatted(Html.escaped(of.fallback())), Html.escaped(of.allowed()),
            Html.inline(of.why())));
    return "<h2 id=\"options\">Options</h2>\n" + (server.options().isEmpty() ? "<p>It has none of its own.</p>\n" : table.html());
  }
}
