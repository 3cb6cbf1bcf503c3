package echoladder.harness.report.plot;

import echoladder.client.Verdict;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The intervals of capacities over the connections: a mark at the highest rate held, a bar up to the lowest that was not. */
final class CapacityPanel {
  static final String TITLE = "Highest rate held over the connections, bar: up to the lowest rate not held";

  private CapacityPanel() {}

  /** One panel; none where no rate was held. */
  static List<Panel> of(RunRecord run) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < run.servers().size(); i++) {
      String label = run.servers().get(i).label();
      List<Mark> marks =
          run.capacity().stream()
              .filter(row -> row.server().equals(label))
              .flatMap(row -> mark(row).stream())
              .sorted(Comparator.comparingInt(Mark::place))
              .toList();
      if (!marks.isEmpty()) {
        lines.add(new Line(i, marks));
      }
    }
    return lines.isEmpty() ? List.of() : List.of(new Panel("Highest rate held", Unit.PER_S, true, Across.CONNECTIONS, lines));
  }

  /** Hollow where it was not confirmed. */
  private static List<Mark> mark(CapacityRecord row) {
    Double held = row.capacityHeldPerS();
    if (held == null) {
      return List.of();
    }
    double high = row.capacityNotHeldPerS() == null ? held : row.capacityNotHeldPerS();
    return List.of(
        new Mark(row.connections(), held, held, high, 1, row.confirmed() ? Verdict.VALID : Verdict.INVALID, row.atLeast() != null));
  }
}
