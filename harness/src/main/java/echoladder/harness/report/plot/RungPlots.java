package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.plot.Across.Kind;
import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.report.plot.Panel.Style;
import echoladder.harness.report.samples.RungSamples;
import echoladder.harness.report.samples.RungSeries;
import echoladder.harness.report.samples.RungTimes.Bin;
import echoladder.harness.report.samples.RungTimes;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.results.PublishedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plots of each rung, from the interval logs and samples.csv: the percentile spectrum, and what happened over the time. */
public final class RungPlots {
  /**
   * One rung.
   *
   * @param key of it, whatever the server
   * @param plots none where no client left an interval log
   * @param note a sentence in place of plots, or of one that would show nothing; empty where there is none
   */
  public record Rung(RungKey key, List<Plot> plots, String note) {}

  /** The distributions of the times by their kind at the highest rung. */
  public static final String DISTRIBUTIONS = "distributions.svg";

  private static final String NO_LOG =
      "No interval log: a load tool of others gives percentiles, and percentiles are no histogram.";

  private static final Comparator<RungKey> ASCENDING =
      Comparator.comparingInt(RungKey::connections).thenComparing(key -> Objects.requireNonNullElse(key.ratePerS(), 0.0));

  private final RunRecord run;
  private final List<Series> series;
  private final List<String> notes = new ArrayList<>();
  private final List<Rung> rungs = new ArrayList<>();
  private final List<Plot> flames = new ArrayList<>();
  private final List<Plot> distributions = new ArrayList<>();
  private final List<Plot> complementary = new ArrayList<>();
  private final Map<String, String> files = new LinkedHashMap<>();
  private final Missing missing;

  private RungPlots(RunRecord run, RunFolder folder) {
    this.run = run;
    series = AxisLine.series(run);
    missing = new Missing(folder.files().has(PublishedRecord.LIST));
  }

  /** Reads the folder; what cannot be read of it is in {@link #notes}. */
  public static RungPlots read(RunRecord run, RunFolder folder) {
    RungPlots plots = new RungPlots(run, folder);
    plots.flames.addAll(FlameGraph.read(run, folder, plots.missing, plots.notes));
    RungSamples samples = RungSamples.read(folder.files());
    if (samples.damage().equals(RungTimes.NOT_THERE)) {
      plots.missing.samples();
    } else if (!samples.damage().isEmpty()) {
      plots.notes.add("samples.csv: " + samples.damage() + ". Rates, collections and the servers' hiccups over time are missing there.");
    }
    List<Measurement> measured = Measurement.all(run).stream().filter(m -> m.rung().load() != null).toList();
    List<RungKey> keys = measured.stream().map(RungPlots::key).distinct().sorted(ASCENDING).toList();
    for (RungKey key : keys) {
      Map<Measurement, RungSeries> all = new LinkedHashMap<>();
      for (Measurement m : measured) {
        if (key(m).equals(key)) {
          all.put(m, plots.series(folder, m, samples));
        }
      }
      List<Panel> panels = plots.panels(all);
      if (key.equals(keys.getLast())) {
        plots.distributions(key, new SpectrumPanels(run, all).ofServers());
      }
      String title = "Each second at " + connections(key) + ", and the percentiles of all of them";
      List<Plot> drawn = panels.isEmpty() ? List.of() : List.of(PanelPlot.of("", title, panels, plots.withOffered(), ""));
      boolean none = pauses(all).anyMatch(ns -> true) && !paused(all);
      plots.rungs.add(
          new Rung(key, drawn, drawn.isEmpty() ? plots.undrawn(all) : none ? "No server's collector paused in this steady state." : ""));
    }
    if (!keys.isEmpty() && (!plots.distributions.isEmpty() || folder.files().has(DISTRIBUTIONS))) {
      plots.files.put(DISTRIBUTIONS, distributionsTitle(keys.getLast()));
    }
    FlameGraph.files(run).forEach((file, title) -> {
      if (folder.files().has(file) || plots.flames.stream().anyMatch(flame -> flame.file().equals(file))) {
        plots.files.put(file, title);
      }
    });
    plots.notes.addAll(plots.missing.notes());
    return plots;
  }

  private String undrawn(Map<Measurement, RungSeries> all) {
    return all.keySet().stream().anyMatch(m -> m.rung().histograms() != null) ? missing.ofRung() : NO_LOG;
  }

  private static String distributionsTitle(RungKey key) {
    return "Times by their kind at " + connections(key);
  }

  /** Those of the last rung are a file beside REPORT.md. */
  private void distributions(RungKey key, List<Panel> panels) {
    String title = distributionsTitle(key);
    List<Panel> beyond = panels.stream().filter(panel -> panel.across().kind() == Kind.TIMES).toList();
    if (!beyond.isEmpty()) {
      distributions.add(PanelPlot.of(DISTRIBUTIONS, title, panels, series, ""));
      complementary.add(PanelPlot.of("", title, beyond, series, ""));
    }
  }

  /** The plot {@link #DISTRIBUTIONS}, where there is a log to make it of. */
  public List<Plot> distributions() {
    return List.copyOf(distributions);
  }

  /** Complementary distributions of the times in {@link #distributions()}, for a page that has the spectra with its rungs. */
  public List<Plot> complementary() {
    return List.copyOf(complementary);
  }

  /** Connections, and the rate where it is a part of the key, in words. */
  public static String connections(RungKey key) {
    return Units.count(key.connections()) + " connections"
        + (key.ratePerS() == null ? "" : ", " + Units.plain(key.ratePerS()) + " messages/s");
  }

  private static RungKey key(Measurement m) {
    return m.rung().key().of("").repeat(1);
  }

  private RungSeries series(RunFolder folder, Measurement m, RungSamples samples) {
    RungSeries of = RungSeries.of(run, folder, m, samples);
    if (m.rung().histograms() != null && RungTimes.NOT_THERE.equals(of.times().damage())) {
      missing.log(m.rung().histograms());
    } else if (of.times().damage() != null) {
      notes.add(m.rung().histograms() + ": " + of.times().damage() + ". What it has is shown; the rung's figures are those of run.json.");
    }
    return of;
  }

  /** By connections, ascending. */
  public List<Rung> rungs() {
    return List.copyOf(rungs);
  }

  /** Flame graphs of the extra repeats that have stacks. */
  public List<Plot> flames() {
    return List.copyOf(flames);
  }

  /** The files of plots that stand beside REPORT.md, by name with their titles: drawn now, or there already. */
  public Map<String, String> files() {
    return Collections.unmodifiableMap(files);
  }

  /** What could not be read, in sentences. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  private static Stream<Double> pauses(Map<Measurement, RungSeries> all) {
    return all.values().stream().flatMap(of -> of.gcPauseNs().stream()).filter(Objects::nonNull);
  }

  private static boolean paused(Map<Measurement, RungSeries> all) {
    return pauses(all).anyMatch(ns -> ns > 0);
  }

  private List<Series> withOffered() {
    List<Series> with = new ArrayList<>(series);
    with.add(new Series("offered", Svg.MUTED, "plus", false));
    return with;
  }

  private List<Panel> panels(Map<Measurement, RungSeries> all) {
    boolean closed = all.keySet().stream().anyMatch(m -> m.rung().staged() != null && StagedText.closed(m.rung().staged()));
    int binSeconds = all.values().stream().mapToInt(RungSeries::binSeconds).max().orElse(1);
    String each = binSeconds == 1 ? "each second" : "each " + binSeconds + " seconds";
    // One percentile for all, so that they compare: the lowest of those that each could give.
    String percentile =
        all.values().stream()
            .filter(of -> !of.times().bins().isEmpty())
            .map(RungSeries::percentile)
            .min(Comparator.naturalOrder())
            .orElse("p99");
    List<Panel> panels = new ArrayList<>(new SpectrumPanels(run, all).ofRepeats(closed));
    String times = (closed ? "Response time (of a closed loop service time), " : "Response time, ") + percentile + " of " + each;
    overTime(all, times, Unit.NS, true, of -> bins(of, chosen(percentile)), panels);
    overTime(all, "Achieved rate", Unit.PER_S, false, RungSeries::achievedPerS, panels);
    if (paused(all)) {
      overTime(all, "Pauses of the server's collector, in " + each, Unit.NS, false, RungSeries::gcPauseNs, panels);
    }
    overTime(all, "Longest hiccup of the server, in " + each, Unit.NS, false, RungSeries::serverHiccupNs, panels);
    overTime(all, "Longest hiccup of the client, in " + each, Unit.NS, false, of -> bins(of, Bin::hiccupMaxNs), panels);
    return panels;
  }

  private static Function<Bin, @Nullable Long> chosen(String percentile) {
    return switch (percentile) {
      case "p99" -> Bin::p99Ns;
      case "p90" -> Bin::p90Ns;
      default -> Bin::p50Ns;
    };
  }

  private static List<@Nullable Double> bins(RungSeries of, Function<Bin, @Nullable Long> value) {
    List<@Nullable Double> values = new ArrayList<>();
    for (Bin bin : of.times().bins()) {
      Long ns = value.apply(bin);
      values.add(ns == null ? null : (Double) (double) ns);
    }
    return values;
  }

  private void overTime(
      Map<Measurement, RungSeries> all,
      String title,
      Unit unit,
      boolean logarithmic,
      Function<RungSeries, List<@Nullable Double>> values,
      List<Panel> into) {
    int everyMs = 0;
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<Measurement, RungSeries> of : all.entrySet()) {
      everyMs = Math.max(everyMs, of.getValue().binSeconds() * 1000);
      List<Mark> marks = new ArrayList<>();
      List<@Nullable Double> own = values.apply(of.getValue());
      for (int i = 0; i < own.size(); i++) {
        Double value = own.get(i);
        if (value != null) {
          marks.add(new Mark((int) ((i + 0.5) * of.getValue().binSeconds() * 1000), value, true, false));
        }
      }
      if (!marks.isEmpty()) {
        lines.add(new Line(of.getKey().server(), SpectrumPanels.note(run, of.getKey()), Style.CURVE, marks));
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    double[] rates = all.keySet().stream().mapToDouble(m -> m.rung().ratePerS()).distinct().toArray();
    // One line for all, where it is one.
    if (unit == Unit.PER_S && rates.length == 1 && run.study().load().staged() == null) {
      List<Mark> offered = new ArrayList<>();
      for (int place : lines.stream().flatMap(l -> l.marks().stream()).map(Mark::place).distinct().sorted().toList()) {
        offered.add(new Mark(place, rates[0], true, false));
      }
      lines.add(new Line(series.size(), "", Style.DASHED, offered));
    }
    Across across = new Across(Kind.TIME, "time since the steady state began", List.of(), everyMs);
    into.add(new Panel(title, unit, logarithmic, across, lines));
  }
}
