package echoladder.harness.report.plot;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.report.plot.Panel.Style;
import echoladder.harness.report.samples.RungSeries;
import echoladder.harness.report.samples.RungTimes;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The distributions of one rung's times by their kind, with a curve for each server: as percentile spectra, and as complementary
 * distributions, the part of the messages beyond each time. The valid ones of several repeats are one, as histograms add up.
 */
final class SpectrumPanels {
  /** One kind of time. */
  private record Time(String name, Function<RungTimes, @Nullable Histogram> of) {
    @Nullable Histogram in(RungTimes times) {
      return of.apply(times);
    }
  }

  private static final Time RESPONSE = new Time("Response time", RungTimes::response);
  private static final Time SERVICE = new Time("Service time", RungTimes::service);
  private static final Time LATENESS = new Time("Send lateness", RungTimes::lateness);
  private static final Time SERVER = new Time("Server time", RungTimes::server);
  private static final List<Time> STAMPED = List.of(SERVER, RESPONSE, LATENESS, new Time("Receive delay", RungTimes::receiveDelay));
  private static final List<Time> WITHOUT_STAMPS = List.of(RESPONSE, SERVICE, LATENESS);

  /**
   * One curve.
   *
   * @param note what is said beside its server's name
   * @param bound the percentile beyond which values are lower bounds; null = none is
   */
  private record Curve(int server, String note, Histogram times, @Nullable Double bound) {
    Curve with(Curve other) {
      Double least = bound == null ? other.bound : other.bound == null ? bound : (Double) Math.min(bound, other.bound);
      return new Curve(server, "", IntervalLines.sum(times, other.times), least);
    }
  }

  private final RunRecord run;
  private final Map<Measurement, RungSeries> all;
  private final boolean once;
  private final List<Time> kinds;

  SpectrumPanels(RunRecord run, Map<Measurement, RungSeries> all) {
    this.run = run;
    this.all = all;
    once = run.study().repeats() == 1;
    kinds = all.values().stream().anyMatch(of -> of.times().server() != null) ? STAMPED : WITHOUT_STAMPS;
  }

  /** Those that have something to show. */
  List<Panel> ofServers() {
    List<Panel> panels = new ArrayList<>();
    String repeats = once ? "" : ", valid repeats";
    for (Time time : kinds) {
      add(Unit.NS, time.name() + ", percentile spectrum" + repeats, Across.PERCENTILES, spectra(ofServers(time)), panels);
    }
    for (Time time : kinds) {
      add(Unit.SHARE, time.name() + ", part beyond it" + repeats, Across.TIMES, beyond(ofServers(time)), panels);
    }
    return panels;
  }

  /**
   * Spectra with a curve for each repeat. Of several repeats the curves are many: they are those of the first kind alone, and of a
   * closed loop, which has none, of its service times.
   */
  List<Panel> ofRepeats(boolean closed) {
    List<Panel> panels = new ArrayList<>();
    for (Time time : kinds) {
      if (once || time.equals(kinds.getFirst()) || (closed && time.equals(SERVICE))) {
        add(Unit.NS, time.name() + ", percentile spectrum", Across.PERCENTILES, spectra(ofRepeats(time)), panels);
      }
    }
    return panels;
  }

  private static void add(Unit unit, String title, Across across, List<Line> lines, List<Panel> into) {
    if (!lines.isEmpty()) {
      into.add(new Panel(title, unit, true, across, lines));
    }
  }

  /** What is said of a measurement beside its server's name. */
  static String note(RunRecord run, Measurement m) {
    return (run.study().repeats() > 1 ? ", repeat " + m.repeat() : "") + (m.rung().load() == null ? "" : m.rung().load().verdict().note());
  }

  private List<Curve> ofRepeats(Time time) {
    List<Curve> curves = new ArrayList<>();
    all.forEach(
        (m, of) -> {
          Histogram times = time.in(of.times());
          LoadResult load = m.rung().load();
          if (times == null || times.getTotalCount() == 0) {
            return;
          }
          boolean aged = time.equals(SERVER) || time.equals(RESPONSE);
          curves.add(new Curve(m.server(), note(run, m), times, load == null || !aged ? null : load.responseTimeLowerBoundBeyond()));
        });
    return curves;
  }

  /** By server, in the order of the study; of one repeat whatever it is worth, of several those that are valid. */
  private List<Curve> ofServers(Time time) {
    if (once) {
      return ofRepeats(time);
    }
    Map<Measurement, RungSeries> valid = new LinkedHashMap<>(all);
    valid.keySet().removeIf(m -> !m.rung().valid());
    Map<Integer, Curve> sums = new LinkedHashMap<>();
    for (Curve curve : new SpectrumPanels(run, valid).ofRepeats(time)) {
      Curve before = sums.get(curve.server());
      // The first is copied, as it is another panel's too.
      Curve sum = new Curve(curve.server(), "", IntervalLines.sum(null, curve.times()), curve.bound());
      sums.put(curve.server(), before == null ? sum : before.with(curve));
    }
    return List.copyOf(sums.values());
  }

  /** Solid as far as the percentiles may be given; dashed where too few samples lie beyond, or they are lower bounds. */
  private static List<Line> spectra(List<Curve> curves) {
    List<Line> lines = new ArrayList<>();
    for (Curve curve : curves) {
      Spectrum spectrum = Spectrum.of(curve.times());
      List<Mark> marks = new ArrayList<>();
      int solid = 0;
      for (int k = 0; k < spectrum.valuesNs().size(); k++) {
        double percent = 100 - 100 * Spectrum.beyond(k);
        boolean given = k < spectrum.given();
        boolean least = least(curve, percent);
        solid += given && !least ? 1 : 0;
        marks.add(new Mark(k, (double) spectrum.valuesNs().get(k), given, least));
      }
      lines.addAll(split(curve, marks, solid));
    }
    return lines;
  }

  /** The part of the messages beyond each of the places of {@link Across#TIMES}. */
  private static List<Line> beyond(List<Curve> curves) {
    List<Line> lines = new ArrayList<>();
    for (Curve curve : curves) {
      Histogram times = curve.times();
      double count = times.getTotalCount();
      List<Mark> marks = new ArrayList<>();
      int solid = 0;
      // None is beyond the last place, which has no room on a logarithmic scale.
      int last = (int) Math.ceil(place(times.getMaxValue()));
      for (int place = (int) place(times.getMinNonZeroValue()); place < last; place++) {
        long beyond = times.getTotalCount() - times.getCountBetweenValues(0, Across.nsOf(place));
        double percent = 100 - 100 * beyond / count;
        boolean given = beyond >= Percentiles.SAMPLES_BEYOND && !least(curve, percent);
        solid += given ? 1 : 0;
        if (beyond > 0) {
          marks.add(new Mark(place, beyond / count, given, false));
        }
      }
      lines.addAll(split(curve, marks, solid));
    }
    return lines;
  }

  /** Where a time stands among the places of {@link Across#TIMES}. */
  private static double place(long ns) {
    return Across.PER_DECADE * Math.log10((double) Math.max(1, ns));
  }

  private static boolean least(Curve curve, double percent) {
    Double bound = curve.bound();
    return bound != null && percent > bound;
  }

  private static List<Line> split(Curve curve, List<Mark> marks, int solid) {
    List<Line> lines = new ArrayList<>();
    if (solid > 0) {
      lines.add(new Line(curve.server(), curve.note(), Style.CURVE, marks.subList(0, solid)));
    }
    if (solid < marks.size()) {
      lines.add(new Line(curve.server(), curve.note(), Style.DASHED, marks.subList(Math.max(0, solid - 1), marks.size())));
    }
    return lines;
  }
}
