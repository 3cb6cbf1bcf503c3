package echoladder.harness.report.text;

import echoladder.harness.common.Units;
import echoladder.harness.results.ResumedRecord;
import echoladder.harness.results.RunRecord;
import java.util.List;
import java.util.stream.Collectors;

/** What a report says of a run that was taken up again: it was made in parts, between which something may have changed. */
public final class ResumedText {
  private ResumedText() {}

  /** One paragraph, its words marked as in Markdown; empty = it went through in one. */
  public static String of(RunRecord run) {
    List<ResumedRecord> resumed = run.resumed();
    return resumed.isEmpty()
        ? ""
        : "**Resumed:** this run was not made in one: it ended before its time and was taken up again %s. %s"
            .formatted(
                times(resumed),
                resumed.stream().map(ResumedText::sentence).collect(Collectors.joining(" ")));
  }

  /** How often a run was resumed and what changed, in a few words for a terminal; empty = it went through in one. */
  static String brief(RunRecord run) {
    List<ResumedRecord> resumed = run.resumed();
    if (resumed.isEmpty()) {
      return "";
    }
    long changed = resumed.stream().flatMap(part -> part.differences().stream()).map(d -> d.name()).distinct().count();
    return "resumed %s; %s".formatted(
        times(resumed), changed == 0 ? "nothing around it had changed"
            : "what had changed around it (%d) is in the report".formatted(changed));
  }

  private static String times(List<ResumedRecord> resumed) {
    return resumed.size() == 1 ? "once" : resumed.size() + " times";
  }

  private static String sentence(ResumedRecord part) {
    String changed =
        part.differences().stream()
            .map(d -> "`%s` was '%s' and had become '%s'".formatted(d.name(), d.begun(), d.now()))
            .collect(Collectors.joining(", "));
    int again = part.measuredAgain().size();
    return "%s with %d %s kept%s; %s."
        .formatted(
            Units.clockTime(part.resumedAt()),
            part.rungsKept(),
            part.rungsKept() == 1 ? "rung" : "rungs",
            again == 0 ? "" : " and %d measured again, whose interval logs were not whole".formatted(again),
            changed.isEmpty() ? "nothing that is recorded of its surroundings had changed" : changed);
  }
}
