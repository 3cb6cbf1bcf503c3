package echoladder.harness.report;

import echoladder.client.Churn;
import echoladder.client.Schedule;
import echoladder.harness.common.Units;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.Idle;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a report says of the load that a study offers. */
final class OfferedText {
  private OfferedText() {}

  /** The offered load in one sentence, or one for each that some of the servers got. */
  static String of(Study study) {
    if (study.load().staged() != null) {
      return StagedText.load(study, study.load().staged());
    }
    Map<StudyLoad, List<String>> loads = new LinkedHashMap<>();
    for (Study.Entry entry : study.servers()) {
      loads.computeIfAbsent(study.load(entry), load -> new ArrayList<>()).add(entry.label());
    }
    List<String> sentences = new ArrayList<>();
    loads.forEach(
        (load, labels) ->
            sentences.add((loads.size() == 1 ? "" : String.join(", ", labels) + ": ") + of(study, load)));
    return String.join(" ", sentences);
  }

  private static String of(Study study, StudyLoad load) {
    String rate =
        study.capacity() != null
            ? "searched rates up to %s messages/s in total".formatted(Units.plain(study.capacity().mostPerS()))
            : load.severalRates()
            ? load.totalsPerS().stream().map(Units::plain).collect(Collectors.joining(", "))
                + " messages/s in total, one after the other against one process of each server per connection count and repeat"
            : load.totalPerS() != null
            ? "%,.6g messages/s in total on every rung".formatted(load.totalPerS())
            : "%,.6g messages/s per sending connection".formatted(load.perConnectionPerS());
    return "%s, %s each, %s schedule, %s, %d in flight per connection, seed %d%s%s; %s of steady state."
        .formatted(
            rate.replaceFirst("\\.0+(?= )", ""),
            Units.bytes((long) load.messageBytes()),
            load.schedule() == Schedule.BURST ? "burst (all at once)" : load.schedule().name().toLowerCase(Locale.ROOT),
            load.activeShare() == 1
                ? "all connections send"
                : Units.percent(load.activeShare()) + " of the connections send",
            load.inFlight(),
            load.seed(),
            placement(load),
            comings(load),
            Units.time(study.phases().steadyNs()));
  }

  /** What becomes of its connections; empty where they stay. */
  private static String comings(StudyLoad load) {
    Churn replaced = load.churn();
    String churn =
        replaced == null
            ? ""
            : ", %s connections replaced (%s lives)".formatted(replaced.rate(), replaced.lifetime().name().toLowerCase(Locale.ROOT));
    return load.storm() == null ? churn
        : churn + ", the server killed and restarted after the hold (" + load.storm().name().toLowerCase(Locale.ROOT) + ")";
  }

  /** Where it runs, and whether idle processors and its client poll; empty for what all studies had before there was a choice. */
  private static String placement(StudyLoad load) {
    String cpus = load.cpus().equals(Cpus.SHARED) ? "" : ", processors " + load.cpus();
    String idle = load.idle() == Idle.HALT ? "" : ", idle processors poll";
    String where = cpus + idle;
    return load.spinNs() == 0 ? where : where + ", the client polls from " + Units.time(load.spinNs()) + " before a send is due";
  }
}
