package echoladder.harness.claims;

import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.RecordMetrics;
import echoladder.harness.metric.Unit;
import echoladder.harness.metric.WorkloadMetrics;
import echoladder.harness.report.plot.Across;
import echoladder.harness.report.plot.Panel;
import echoladder.harness.report.plot.Series;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** What is drawn of a ledger: a line of the plots is the same colour in each of them. Pure. */
final class LedgerPlots {
  /** The most points of a line over a run's time: more of them are no more to see. */
  private static final int MOST_POINTS = 60;

  /** Beyond this a plot has a logarithmic axis. */
  private static final double WIDE = 20;

  private final List<String> lines;
  private final Map<String, List<Panel>> panels = new LinkedHashMap<>();

  private LedgerPlots(List<String> lines) {
    this.lines = lines;
  }

  static LedgerPlots of(Ledger ledger) {
    Set<String> names = new LinkedHashSet<>();
    for (Ledger.Entry entry : ledger.entries()) {
      entry.claim().steps().stream().map(Claim.Step::line).filter(line -> line != null).forEach(names::add);
    }
    LedgerPlots plots = new LedgerPlots(List.copyOf(names));
    for (Ledger.Entry entry : ledger.entries()) {
      List<Panel> own = new ArrayList<>();
      for (Claim.Plot plot : entry.claim().plots()) {
        Panel panel = plot.overTime() ? plots.overTime(entry, plot) : plots.across(entry, plot);
        if (panel.lines().stream().anyMatch(line -> line.marks().size() > 1)) { // One point is no curve.
          own.add(panel);
        }
      }
      plots.panels.put(entry.claim().id(), own);
    }
    return plots;
  }

  List<Series> series() {
    return Series.named(lines);
  }

  /** Those of a claim. */
  List<Panel> panels(Claim claim) {
    return panels.getOrDefault(claim.id(), List.of());
  }

  private Panel across(Ledger.Entry entry, Claim.Plot plot) {
    Map<String, TreeMap<Integer, List<Double>>> values = new LinkedHashMap<>();
    for (Claim.Step step : entry.claim().steps()) {
      if (step.line() == null) {
        continue;
      }
      for (StepRun run : entry.runs()) {
        if (run.step().equals(step.name())) {
          points(step, run, plot.figure())
              .forEach(
                  (x, y) ->
                      values
                          .computeIfAbsent(step.line(), _ -> new TreeMap<>())
                          .computeIfAbsent(x, _ -> new ArrayList<>())
                          .add(y));
        }
      }
    }
    List<Panel.Line> drawn = new ArrayList<>();
    values.forEach((line, points) -> drawn.add(new Panel.Line(lines.indexOf(line), marks(points))));
    return panel(plot, Across.counts(plot.across()), drawn);
  }

  private static List<Panel.Mark> marks(Map<Integer, List<Double>> points) {
    List<Panel.Mark> marks = new ArrayList<>();
    points.forEach((x, ys) -> marks.add(Panel.Mark.of(x, Spread.of(ys))));
    return marks;
  }

  /** A workload's one point, or those of a climb's rungs; none where the figure may not be compared. */
  private static Map<Integer, Double> points(Claim.Step step, StepRun run, String figure) {
    Map<Integer, Double> points = new TreeMap<>();
    if (step.x() != null) {
      Rule.StepFigure own = new Rule.StepFigure(step.name(), figure);
      Double value = run.figure(figure);
      if (value != null && run.missing(own) == null) {
        points.put((int) Math.round(step.x()), value);
      }
      return points;
    }
    Pattern rung = Pattern.compile(Pattern.quote(figure) + "_at_(\\d+)");
    JsonNode figures = run.figures();
    for (String name : figures == null ? List.<String>of() : figures.propertyNames()) {
      Matcher at = rung.matcher(name);
      Double value = at.matches() ? run.figure(name) : null;
      if (value != null) {
        points.put(Integer.parseInt(at.group(1)), value);
      }
    }
    return points;
  }

  /**
   * Draws the first run of each step over its time: points of several runs would lie beside each other and say nothing
   * together.
   */
  private Panel overTime(Ledger.Entry entry, Claim.Plot plot) {
    List<StepRun> first = entry.runs().stream().filter(run -> run.repeat() == 1).toList();
    long longestMs = first.stream().mapToLong(LedgerPlots::lastMs).max().orElse(0);
    int everyMs = (int) Math.max(50, longestMs / MOST_POINTS);
    List<Panel.Line> drawn = new ArrayList<>();
    for (Claim.Step step : entry.claim().steps()) {
      for (StepRun run : first) {
        if (step.line() != null && run.step().equals(step.name())) {
          TreeMap<Integer, Double> most = new TreeMap<>();
          JsonNode over = overTime(run);
          for (int i = 0; i < over.path("time_ms").size(); i++) {
            int at = (int) (over.get("time_ms").get(i).asLong() / everyMs) * everyMs;
            most.merge(at, over.path(plot.figure()).path(i).asDouble(0), Math::max);
          }
          Map<Integer, List<Double>> points = new TreeMap<>();
          most.forEach((at, value) -> points.put(at, List.of(value)));
          drawn.add(new Panel.Line(lines.indexOf(step.line()), "", Panel.Style.CURVE, marks(points)));
        }
      }
    }
    drawn.removeIf(line -> line.marks().isEmpty());
    return panel(plot, Across.time(), drawn);
  }

  private static JsonNode overTime(StepRun run) {
    return run.figures() == null ? MissingNode.getInstance() : run.figures().path("over_time");
  }

  private static long lastMs(StepRun run) {
    JsonNode times = overTime(run).path("time_ms");
    return times.isEmpty() ? 0 : times.get(times.size() - 1).asLong();
  }

  private static Panel panel(Claim.Plot plot, Across across, List<Panel.Line> drawn) {
    Spread all =
        Spread.of(drawn.isEmpty() ? List.of(1.0) : new Panel("", Unit.ofName(plot.figure()), false, across, drawn).values());
    boolean wide = !plot.overTime() && all.least() > 0 && all.most() / all.least() > WIDE;
    String title = words(plot.figure()) + (plot.overTime() ? ", over the time of a run" : "");
    return new Panel(title, Unit.ofName(plot.figure()), wide, across, drawn);
  }

  /** What a figure is called above its plot; without an own name the figure's, without its unit. */
  private static String words(String figure) {
    return WorkloadMetrics.named(figure)
        .or(() -> Catalogue.named(figure))
        .or(() -> RecordMetrics.named(figure))
        .map(row -> row.words().title())
        .orElseGet(
            () -> {
              String name = figure.replaceFirst("_(ns|bytes)$", "").replace('_', ' ');
              return Character.toUpperCase(name.charAt(0)) + name.substring(1);
            });
  }
}
