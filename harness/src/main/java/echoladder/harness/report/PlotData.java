package echoladder.harness.report;

import echoladder.harness.report.Panel.Line;
import echoladder.harness.report.Panel.Mark;
import echoladder.harness.report.RungTimes.Bin;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the plots of report.html are drawn from, as JSON in the page. Times in spectra and lines of time are µs with four
 * digits, one more than the histograms have; those of panels are ns as in run.json.
 */
final class PlotData {
  private static final MathContext DIGITS = new MathContext(4);
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          // Else the order would be another in each JVM, and so the page of the same run.
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();

  private final RunRecord run;
  private final List<String> notes = new ArrayList<>();
  private final List<Integer> rungs = new ArrayList<>();
  private final List<Map<String, Object>> rungData = new ArrayList<>();

  private PlotData(RunRecord run) {
    this.run = run;
  }

  /** Reads the folder; what cannot be read of it is in {@link #notes}. */
  static PlotData read(RunRecord run, RunFolder folder) {
    PlotData data = new PlotData(run);
    RungSamples samples = RungSamples.read(folder.files());
    if (!samples.damage().isEmpty()) {
      data.notes.add("samples.csv: " + samples.damage() + ". Rates, collections and the servers' hiccups over time are missing there.");
    }
    List<Measurement> measured = Measurement.all(run).stream().filter(m -> m.rung().load() != null).toList();
    measured.stream().map(m -> m.rung().connections()).distinct().sorted().forEach(data.rungs::add);
    for (int connections : data.rungs) {
      data.rung(folder, samples, measured.stream().filter(m -> m.rung().connections() == connections).toList());
    }
    return data;
  }

  /** Connection counts that have data of their own, ascending: the order in the JSON. */
  List<Integer> rungs() {
    return List.copyOf(rungs);
  }

  /** What could not be read, in sentences. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** The text for a script element: nothing in it can end the element. */
  String json() {
    return json(Series.of(run), panels(run), rungData);
  }

  /** The same of lines and plots of another page; {@code rungs} has what there is of each rung. */
  static String json(List<Series> series, List<Panel> panels, List<Map<String, Object>> rungs) {
    List<Map<String, Object>> servers = new ArrayList<>();
    for (Series of : series) {
      servers.add(Map.of("label", of.label(), "colour", of.colour(), "shape", of.shape(), "tail", of.tail()));
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("servers", servers);
    all.put("panels", panels.stream().map(PlotData::panel).toList());
    all.put("perDecade", Spectrum.PER_DECADE);
    all.put("rungs", rungs);
    return JSON.writeValueAsString(all).replace("<", "\\u003c");
  }

  /** The panels of a report, in its order. */
  static List<Panel> panels(RunRecord run) {
    List<Panel> panels = new ArrayList<>(LadderPanels.responseTimes(run));
    panels.addAll(LadderPanels.cpu(run));
    AxisPanels.of(run).values().forEach(panels::addAll);
    return panels;
  }

  private static Map<String, Object> panel(Panel panel) {
    Axis up = Axis.of(panel.logarithmic(), panel.values());
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", panel.id());
    map.put("title", panel.title());
    map.put("unit", panel.unit().id());
    map.put("log", panel.logarithmic());
    map.put("x", panel.places());
    map.put("across", panel.across().name());
    map.put("values", panel.across().values());
    map.put("overTime", panel.across().overTime());
    map.put("from", up.from());
    map.put("to", up.to());
    map.put("ticks", up.ticks());
    map.put("names", up.ticks().stream().map(t -> panel.unit().tick(t)).toList());
    map.put("lines", panel.lines().stream().map(PlotData::line).toList());
    return map;
  }

  private static Map<String, Object> line(Line line) {
    return Map.of("server", line.series(), "marks", line.marks().stream().map(PlotData::mark).toList());
  }

  private static List<Object> mark(Mark mark) {
    return List.of(
        mark.place(), plain(mark.value()), plain(mark.low()), plain(mark.high()), mark.repeats(),
        mark.valid() ? 1 : 0, mark.atLeast() ? 1 : 0);
  }

  private static BigDecimal plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros();
  }

  private void rung(RunFolder folder, RungSamples samples, List<Measurement> measured) {
    Map<Measurement, RungSeries> all = new LinkedHashMap<>();
    for (Measurement m : measured) {
      RungSeries of = RungSeries.of(run, folder, m, samples);
      if (of.times().damage() != null) {
        notes.add(m.rung().histograms() + ": " + of.times().damage() + ". What it has is shown; the rung's figures are those of run.json.");
      }
      all.put(m, of);
    }
    // One percentile for all, so that they compare: the lowest of those that each could give.
    String percentile =
        all.values().stream()
            .filter(of -> !of.times().bins().isEmpty())
            .map(RungSeries::percentile)
            .min(Comparator.naturalOrder())
            .orElse("p99");
    List<Map<String, Object>> series = new ArrayList<>();
    all.forEach((m, of) -> series.add(series(m, of, percentile)));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("connections", measured.getFirst().rung().connections());
    map.put("binSeconds", all.values().stream().mapToInt(RungSeries::binSeconds).max().orElse(1));
    map.put("bins", all.values().stream().mapToInt(of -> of.achievedPerS().size()).max().orElse(0));
    map.put("percentile", percentile);
    // One line for all, where it is one.
    boolean oneRate = measured.stream().mapToDouble(m -> m.rung().ratePerS()).distinct().count() == 1;
    if (run.study().load().staged() == null && oneRate) {
      map.put("offered", rounded(measured.getFirst().rung().ratePerS()));
    }
    map.put("series", series);
    rungData.add(map);
  }

  private static Map<String, Object> series(Measurement m, RungSeries of, String percentile) {
    List<Bin> bins = of.times().bins();
    Function<Bin, @Nullable Long> chosen =
        switch (percentile) {
          case "p99" -> Bin::p99Ns;
          case "p90" -> Bin::p90Ns;
          default -> Bin::p50Ns;
        };
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("server", m.server());
    map.put("repeat", m.repeat());
    map.put("valid", m.rung().valid());
    map.put("closed", m.rung().staged() != null && StagedText.closed(m.rung().staged()));
    put(map, "bound", m.rung().load() == null ? null : m.rung().load().responseTimeLowerBoundBeyond());
    put(map, "response", spectrum(of.times().response()));
    put(map, "service", spectrum(of.times().service()));
    put(map, "times", us(bins, chosen));
    put(map, "max", us(bins, Bin::maxNs));
    put(map, "hiccup", us(bins, Bin::hiccupMaxNs));
    put(map, "gc", values(of.gcPauseNs(), 1e-3));
    put(map, "serverHiccup", values(of.serverHiccupNs(), 1e-3));
    put(map, "rate", values(of.achievedPerS(), 1));
    return map;
  }

  private static void put(Map<String, Object> map, String name, @Nullable Object value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  private static @Nullable Map<String, Object> spectrum(@Nullable Spectrum of) {
    return of == null
        ? null
        : Map.of(
            "count", of.count(),
            "max", us(of.maxNs()),
            "given", of.given(),
            "y", of.valuesNs().stream().map(PlotData::us).toList());
  }

  private static BigDecimal us(long ns) {
    return rounded(ns / 1e3);
  }

  private static BigDecimal rounded(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
  }

  /** Null where not one of them is there. */
  private static @Nullable List<@Nullable Object> us(List<Bin> bins, Function<Bin, @Nullable Long> of) {
    List<@Nullable Double> values = new ArrayList<>();
    for (Bin bin : bins) {
      Long ns = of.apply(bin);
      values.add(ns == null ? null : (Double) (double) ns);
    }
    return values(values, 1e-3);
  }

  private static @Nullable List<@Nullable Object> values(List<@Nullable Double> values, double scale) {
    if (values.stream().allMatch(v -> v == null)) {
      return null;
    }
    List<@Nullable Object> scaled = new ArrayList<>();
    values.forEach(v -> scaled.add(v == null ? null : rounded(v * scale)));
    return scaled;
  }
}
