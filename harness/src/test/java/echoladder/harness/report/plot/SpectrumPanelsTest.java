package echoladder.harness.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.harness.metric.Unit;
import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.report.plot.Panel.Style;
import echoladder.harness.report.samples.RungSeries;
import echoladder.harness.report.samples.RungTimes;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Distributions of known times, of a server's repeats together. */
class SpectrumPanelsTest {
  private static Histogram times(long shortNs, long longNs) {
    Histogram times = new Histogram(3);
    times.recordValueWithCount(shortNs, 9_000);
    times.recordValueWithCount(longNs, 1_000);
    return times;
  }

  /** Series of two servers with two repeats each; the second repeat of the first has ten times the times. */
  private static Map<Measurement, RungSeries> series(RunRecord run) {
    Map<Measurement, RungSeries> all = new LinkedHashMap<>();
    for (Measurement m : Measurement.all(run)) {
      long of = m.server() == 0 && m.repeat() == 2 ? 10 : 1;
      Histogram response = times(100_000 * of, 1_000_000 * of);
      RungTimes known = new RungTimes(null, response, times(50_000, 900_000), times(0, 2_000), null, 1, List.of(), null);
      all.put(m, new RungSeries(1, known, List.of(), List.of(), List.of()));
    }
    return all;
  }

  private static Panel panel(List<Panel> panels, String title) {
    return panels.stream().filter(panel -> panel.title().equals(title)).findFirst().orElseThrow();
  }

  private static Line solid(Panel panel, int server) {
    return panel.lines().stream().filter(line -> line.series() == server && line.style() == Style.CURVE).findFirst().orElseThrow();
  }

  /** The part of the messages beyond a time, by the last mark up to it. */
  private static double beyond(Panel panel, int server, long ns) {
    return solid(panel, server).marks().stream().filter(mark -> Across.nsOf(mark.place()) <= ns * 1.01).map(Mark::value)
        .reduce((before, last) -> last).orElse(1.0);
  }

  @Test
  void theRepeatsOfAServerAreOneDistribution() throws IOException {
    RunRecord run = PairedRuns.run(2, 0, json -> {});
    List<Panel> panels = new SpectrumPanels(run, series(run)).ofServers();
    assertThat(panels).extracting(Panel::title)
        .containsExactly(
            "Response time, percentile spectrum, valid repeats", "Service time, percentile spectrum, valid repeats",
            "Send lateness, percentile spectrum, valid repeats",
            "Response time, part beyond it, valid repeats",
            "Service time, part beyond it, valid repeats",
            "Send lateness, part beyond it, valid repeats");
    List<Panel> each = new SpectrumPanels(run, series(run)).ofRepeats(false);
    assertThat(each).extracting(Panel::title).containsExactly("Response time, percentile spectrum");
    assertThat(new SpectrumPanels(run, series(run)).ofRepeats(true)).extracting(Panel::title).contains("Service time, percentile spectrum");
    assertThat(each.getFirst().lines()).extracting(line -> line.note()).contains(", repeat 1", ", repeat 2");
    Panel beyond = panel(panels, "Response time, part beyond it, valid repeats");
    assertThat(beyond.unit()).isEqualTo(Unit.SHARE);
    // Of 20,000 messages 9,000 took 0.1 ms, 10,000 took 1 ms and 1,000 took 10 ms.
    assertThat(beyond(beyond, 0, 100_000)).isCloseTo(0.55, within(0.001));
    assertThat(beyond(beyond, 0, 1_000_000)).isCloseTo(0.05, within(0.001));
    assertThat(beyond(beyond, 1, 100_000)).isCloseTo(0.1, within(0.001));
    // A lateness of 0 has no place on a logarithmic axis.
    Panel lateness = panel(panels, "Send lateness, part beyond it, valid repeats");
    assertThat(lateness.lines()).allSatisfy(
        line -> assertThat(line.marks()).allMatch(mark -> Across.nsOf(mark.place()) > 1_200 && Math.abs(mark.value() - 0.1) < 1e-9));
  }

  @Test
  void aRepeatThatIsNotValidIsNoPartOfIt() throws IOException {
    RunRecord run =
        PairedRuns.run(2, 0, json -> ((ObjectNode) json.at("/rungs/2")).put("verdict", "invalid"));
    Panel beyond =
        panel(new SpectrumPanels(run, series(run)).ofServers(), "Response time, part beyond it, valid repeats");
    assertThat(beyond(beyond, 0, 100_000)).isCloseTo(0.1, within(0.001));
  }

  @Test
  void aPlaceIsToldAsItsTime() {
    assertThat(Across.TIMES.text(6 * Across.PER_DECADE)).isEqualTo("1 ms");
    assertThat(Across.TIMES.text(4 * Across.PER_DECADE + 1)).isEqualTo("12.6 µs");
    assertThat(Across.TIMES.scale(List.of(44, 61)).ticks().stream().map(Across.TIMES::text))
        .containsExactly("10 µs", "100 µs", "1 ms", "10 ms");
  }
}
