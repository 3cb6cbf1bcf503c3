package echoladder.harness.compare;

import echoladder.harness.lab.Quotable;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.AxisPoint;
import echoladder.harness.study.KnobLevel;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;

/** Which servers of a run are compared with each other, and in which figures. Pure. */
public final class ServerPairs {
  private final RunRecord run;
  private final boolean polledInPart;

  /** Two of them, by their labels, in the order of the study. */
  public record Pair(String first, String second) {}

  public ServerPairs(RunRecord run) {
    this.run = run;
    this.polledInPart = run.study().servers().stream().map(this::polls).distinct().count() > 1;
  }

  /** Those that are compared in a figure. */
  public List<Pair> in(Metric figure) {
    List<ServerRecord> servers = run.servers().stream().filter(server -> tells(server.label(), figure)).toList();
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      for (ServerRecord second : servers.subList(i + 1, servers.size())) {
        if (compared(servers.get(i), second)) {
          pairs.add(new Pair(servers.get(i).label(), second.label()));
        }
      }
    }
    return pairs;
  }

  /**
   * Contenders under the same load; of the reference only how it does elsewhere on the host, as it is in their figures. In a study
   * of knobs the two values of each.
   */
  private boolean compared(ServerRecord first, ServerRecord second) {
    KnobLevel one = run.study().entry(first.label()).map(Study.Entry::knob).orElse(null);
    KnobLevel other = run.study().entry(second.label()).map(Study.Entry::knob).orElse(null);
    if (one != null || other != null) {
      return one != null && other != null && one.pairs(other);
    }
    boolean contenders = first.role().equals("contender") && second.role().equals("contender");
    return (contenders && run.study().alike(first.label(), second.label()))
        || run.study().placed(first.label(), second.label());
  }

  /** In a study whose client polls in some entries alone, times are those of these entries, all else is of the others. */
  private boolean tells(String label, Metric figure) {
    return !polledInPart || polls(run.study().entry(label).orElseThrow()) == (figure.claim() == Quotable.TIMES);
  }

  private boolean polls(Study.Entry entry) {
    return run.study().load(entry).spinNs() > 0;
  }

  /** Whether two of them differ in their server or on one axis alone. */
  public boolean neighbours(String first, String second) {
    Study.Entry a = run.study().entry(first).orElseThrow();
    Study.Entry b = run.study().entry(second).orElseThrow();
    AxisPoint atA = a.point();
    AxisPoint atB = b.point();
    if (atA == null || atB == null) {
      return true;
    }
    // An axis that only one of them has belongs to its server.
    long axes =
        atA.values().entrySet().stream()
            .filter(on -> atB.values().containsKey(on.getKey()) && !on.getValue().equals(atB.values().get(on.getKey())))
            .count();
    return axes + (a.base().equals(b.base()) ? 0 : 1) == 1;
  }
}
