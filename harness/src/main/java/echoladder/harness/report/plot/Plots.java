package echoladder.harness.report.plot;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.compare.TwoServers;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The main plots of a run, which stand beside REPORT.md as files and in report.html. */
public final class Plots {
  private Plots() {}

  /** The plot that answers a run of two servers and stands first; empty of a run that asks something else. */
  public static Optional<Plot> ofTwo(RunRecord run) {
    return TwoServers.of(run).flatMap(two -> PairForest.of(two, foot(run)));
  }

  private static String foot(RunRecord run) {
    String version = run.environment().get("ladder") instanceof Map<?, ?> ladder ? " " + ladder.get("version") : "";
    return "echo ladder" + version + " · study " + run.study().name() + " · run " + run.runId();
  }

  /** Those for which a run has figures, but for that one. */
  public static List<Plot> of(RunRecord run) {
    return of(run, ProcessGroups.of(run));
  }

  /** Those for which a run has figures, where the groups of its processes are known already. */
  public static List<Plot> of(RunRecord run, ProcessGroups groups) {
    List<Series> series = AxisLine.series(run);
    String foot = foot(run);
    Map<String, List<Panel>> panels = new LinkedHashMap<>();
    if (!run.study().tuned().isEmpty()) {
      // Two entries of one server for each knob: over the connections they are one line upon another.
      return KnobForest.of(KnobLine.of(run), foot).map(List::of).orElse(List.of());
    }
    if (run.study().capacity() != null) {
      // Each server has a rate of its own there: no other figure of one compares with another's.
      panels.put("capacity", CapacityPanel.of(run));
    } else {
      panels.put("response-time", LadderPanels.times(run, groups));
      panels.put("cpu-per-echo", LadderPanels.cpu(run, groups));
      panels.putAll(RatePanels.of(run));
      AxisPanels.of(run).forEach((axis, of) -> panels.put("over-" + axis, of));
    }
    List<Plot> made = new ArrayList<>();
    panels.forEach(
        (name, of) -> {
          if (!of.isEmpty()) {
            made.add(PanelPlot.of(name + ".svg", title(of), of, series, foot));
          }
        });
    if (run.study().capacity() == null) {
      HeatMap.of(run, series, foot).ifPresent(made::add);
    }
    List<MemoryBar> bars = MemoryBar.of(run);
    if (!bars.isEmpty()) {
      made.add(MemoryPlot.of("memory-per-connection.svg", bars, MemoryBar.kernelOf(run), series, foot));
    }
    return made;
  }

  private static String title(List<Panel> panels) {
    Across across = panels.getFirst().across();
    if (across.kind() == Across.Kind.VALUES) {
      return kind(panels) + " p99, server CPU per echo and memory per connection over " + across.name();
    }
    if (!across.equals(Across.CONNECTIONS)) {
      return panels.stream().map(panel -> panel.title().replaceFirst(",.*", "")).distinct().collect(Collectors.joining(", "))
          + " over " + across.name();
    }
    if (panels.getFirst().unit() == Unit.PER_S) {
      return CapacityPanel.TITLE;
    }
    return panels.getFirst().unit() == Unit.NS
        ? kind(panels) + " over the connections, both axes logarithmic"
        : "Server CPU per echo over the connections";
  }

  /** The kind of time that the first panel is of. */
  private static String kind(List<Panel> panels) {
    return panels.getFirst().title().replaceFirst(",.*", "");
  }
}
