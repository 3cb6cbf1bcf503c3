package echoladder.harness.compare;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import java.util.ArrayList;
import java.util.List;

/**
 * One server, by its label, at one connection count and rate, measured validly in both of two runs.
 *
 * @param first of the first run
 * @param second of the second
 */
record CommonRung(RungRepeats first, RungRepeats second) {

  /** By server in the order of the first run, ascending. */
  static List<CommonRung> of(RunRecord first, RunRecord second) {
    List<RungRepeats> theirs = RungRepeats.of(second.rungs());
    List<CommonRung> common = new ArrayList<>();
    for (RunRecord.ServerRecord server : first.servers()) {
      for (RungRepeats ours : RungRepeats.of(first.rungs())) {
        if (ours.any().server().equals(server.label()) && !ours.valid().isEmpty()) {
          theirs.stream()
              .filter(other -> same(ours, other) && !other.valid().isEmpty())
              .findFirst()
              .ifPresent(other -> common.add(new CommonRung(ours, other)));
        }
      }
    }
    return common;
  }

  private static boolean same(RungRepeats a, RungRepeats b) {
    return a.any().key().repeat(1).equals(b.any().key().repeat(1));
  }
}
