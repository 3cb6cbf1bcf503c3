package echoladder.harness.site;

import static echoladder.harness.site.PublishedLists.text;
import static echoladder.harness.site.SiteTable.link;

import echoladder.harness.common.Units;
import echoladder.harness.published.ClimbEnd;
import echoladder.harness.published.Point;
import echoladder.harness.report.words.Html;
import echoladder.harness.server.ServerManifest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

  private List<ClimbEnd> climbs(String server) {
    return lists.climbs().stream().filter(climb -> climb.server().equals(server)).toList();
  }

  private List<Point> points(String server) {
    return lists.points().stream().filter(point -> point.server().equals(server)).toList();
  }

  private List<Map<String, String>> runs(String server) {
    return lists.runs().stream().filter(run -> List.of(text(run, "servers").split(" ", -1)).contains(server)).toList();
  }

  private static String most(List<ClimbEnd> climbs) {
    int most = climbs.stream().mapToInt(ClimbEnd::held).max().orElse(0);
    return most == 0 ? Units.NONE : Units.count(most);
  }

  /** The page of one server. */
  String page(ServerManifest server) {
    String name = server.name();
    List<Map<String, String>> runs = runs(name);
    StringBuilder out = new StringBuilder("<h1>%s</h1>\n".formatted(Html.escaped(server.title())));
    List<Point> stock = points(name).stream().filter(point -> point.options().isEmpty()).toList();
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
    out.append(SiteLayout.contents(
        Stream.of(
            link("#history", "History"), link("#alike", "The same load again"), link("#options", "Options"), link("#run", "Run it"))));
    out.append(history(server, runs)).append(alike(server));
    out.append(options(server));
    out.append("<h2 id=\"run\">Run it</h2>\n<pre><code>./ladder serve %1$s\n./ladder run memory --set 'servers=[%1$s]'</code></pre>\n"
        .formatted(name));
    out.append("<p>It speaks %s, and its runtime is %s. %s</p>\n".formatted(
        server.protocol(), server.runtime(), server.reference() ? "It is the floor that servers of its protocol are compared with." : ""));
    return out.toString();
  }

  /** What a server costs as it comes. */
  private static String cost(List<Point> stock) {
    String cpu = cpu(stock);
    return (cpu.equals(Units.NONE) ? "" : " As it comes it takes %s of CPU per echo, depending on the load.".formatted(cpu))
        + largest(stock)
            .map(of -> " With %s connections each takes %s of RSS.".formatted(
                Units.count(of.connections()), Units.bytes(of.memory().rssEachBytes())))
            .orElse("");
  }

  /** The rung with the most connections whose memory is known. */
  private static Optional<Point> largest(List<Point> points) {
    return points.stream().filter(Point::hasMemory).max(Comparator.comparingInt(Point::connections));
  }

  private String history(ServerManifest server, List<Map<String, String>> runs) {
    StringBuilder out = new StringBuilder("<h2 id=\"history\">History</h2>\n");
    SiteTable table =
        new SiteTable(
            "run", "#day", "#held", "#CPU per echo", "#RSS per connection", "options", "cores", "what ended it", "#" + runtime(server),
            "#instrument", "#commit");
    boolean any = false;
    List<ClimbEnd> climbs = climbs(server.name());
    List<Point> points = points(server.name());
    for (Map<String, String> run : runs) {
      String id = PublishedLists.id(run);
      Map<String, List<ClimbEnd>> byEntry =
          climbs.stream().filter(climb -> climb.run().equals(id))
              .collect(Collectors.groupingBy(climb -> climb.optionsText() + "|" + climb.place(), TreeMap::new, Collectors.toList()));
      for (List<ClimbEnd> ends : byEntry.values()) {
        ClimbEnd climb = ends.getFirst();
        List<Point> rungs =
            points.stream()
                .filter(of -> of.run().equals(id) && of.options().equals(climb.options()) && of.place().equals(climb.place()))
                .toList();
        table.row(
            runLink(id), PublishedLists.day(run), most(ends), cpu(rungs), rss(rungs), Html.escaped(climb.optionsText()),
            Html.escaped(climb.place()), ended(ends.getLast()), Html.escaped(version(server, run)), instrument(id),
            Html.escaped(PublishedLists.commit(run)));
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

  private String instrument(String id) {
    Integer version = lists.instruments().get(id);
    return version == null ? Units.NONE : String.valueOf(version);
  }

  private static String runLink(String id) {
    return link(ROOT + PublishedLists.folder(id) + "/index.html", id.replaceFirst("/.*", ""));
  }

  private static String ended(ClimbEnd climb) {
    Integer at = climb.endedAt();
    String by = climb.endedBy();
    return Html.escaped(ClimbEnd.id(climb.end()).replace('-', ' ')) + (at == null ? "" : ", at " + Units.count(at))
        + (by.isEmpty() ? "" : ": " + link(ROOT + "runbooks/symptoms/" + by + ".html", by));
  }

  private static String cpu(List<Point> points) {
    TreeSet<Double> all =
        points.stream().filter(Point::hasCpu).map(point -> point.cpu().median()).map(Objects::requireNonNull)
            .collect(Collectors.toCollection(TreeSet::new));
    if (all.isEmpty()) {
      return Units.NONE;
    }
    String least = Units.us(all.first());
    String most = Units.us(all.last());
    return least.equals(most) ? least : least + " to " + most;
  }

  private static String rss(List<Point> points) {
    return largest(points).map(point -> Units.bytes(point.memory().rssEachBytes())).orElse(Units.NONE);
  }

  /** Loads that several runs had: only these tell a change of the server, its runtime or the host. */
  private String alike(ServerManifest server) {
    Map<String, List<Point>> loads =
        points(server.name()).stream().filter(Point::hasCpu)
            .collect(Collectors.groupingBy(ServerPages::load, TreeMap::new, Collectors.toList()));
    loads.values().removeIf(points -> points.stream().map(Point::run).distinct().count() < 2);
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
        (load, points) -> points.stream()
            .filter(point -> byId.containsKey(point.run()))
            .sorted(Comparator.comparing(Point::runId))
            .forEach(point -> {
              Map<String, String> run = Objects.requireNonNull(byId.get(point.run()));
              table.row(
                  Html.escaped(load), PublishedLists.day(run), runLink(point.run()), Html.escaped(version(server, run)),
                  Units.us(point.cpu().median()), "%s to %s".formatted(Units.us(point.cpu().least()), Units.us(point.cpu().most())),
                  rss(List.of(point)));
            }));
    return out.append(table.html())
        .append("<p class=\"muted\">Runs of one load, in the order of time. The host may have been busier in one of them: ")
        .append("compare the ranges.</p>\n")
        .toString();
  }

  private static String load(Point point) {
    String options = point.optionsText();
    return "%s connections, %s/s, %d B, %s%s".formatted(
        Units.count(point.connections()), Units.plain(point.ratePerS()), point.messageBytes(), point.place(),
        options.isEmpty() ? "" : ", " + options);
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
