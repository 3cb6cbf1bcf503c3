package echoladder.harness.report.text;

import echoladder.client.Churn;
import echoladder.client.Publish;
import echoladder.harness.common.Units;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.Idle;
import echoladder.harness.study.SlowPart;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a report says of the load that a study offers. */
public final class OfferedText {
  private OfferedText() {}

  /**
   * One thing that is said of a load.
   *
   * @param usual what all studies had before there was a choice: it is said only beside another
   */
  private record Clause(String text, boolean usual) {
    Clause(String text) {
      this(text, false);
    }
  }

  /** The offered load in one sentence; where servers got several, what these have in common, and of each what it has not. */
  public static String of(Study study) {
    if (study.load().staged() != null) {
      return StagedText.load(study, study.load().staged());
    }
    Map<StudyLoad, List<String>> loads = new LinkedHashMap<>();
    for (Study.Entry entry : study.servers()) {
      loads.computeIfAbsent(study.load(entry), load -> new ArrayList<>()).add(entry.label());
    }
    Map<StudyLoad, List<Clause>> clauses = new LinkedHashMap<>();
    loads.keySet().forEach(load -> clauses.put(load, clauses(study, load)));
    List<Clause> first = clauses.values().iterator().next();
    Set<Clause> common = new LinkedHashSet<>(first);
    clauses.values().forEach(common::retainAll);
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "%s; %s of steady state."
            .formatted(
                common.stream().filter(clause -> !clause.usual()).map(Clause::text).collect(Collectors.joining(", ")),
                Units.time(study.phases().steadyNs())));
    clauses.forEach(
        (load, all) -> {
          String own = all.stream().filter(clause -> !common.contains(clause)).map(Clause::text).collect(Collectors.joining(", "));
          if (!own.isEmpty()) {
            sentences.add(String.join(", ", loads.getOrDefault(load, List.of())) + ": " + own + ".");
          }
        });
    return String.join(" ", sentences);
  }

  private static List<Clause> clauses(Study study, StudyLoad load) {
    List<Clause> clauses = new ArrayList<>();
    clauses.add(new Clause(rate(study, load).replaceFirst("\\.0+(?= )", "")));
    clauses.add(new Clause(Units.bytes((long) load.messageBytes()) + " each"));
    clauses.add(new Clause(load.schedule().label() + " schedule"));
    clauses.add(new Clause(doing(load)));
    clauses.add(new Clause(load.inFlight() + " in flight per connection", load.publish() != null));
    clauses.add(new Clause("seed " + load.seed()));
    clauses.add(new Clause("processors " + load.cpus(), load.cpus().equals(Cpus.SHARED)));
    clauses.add(
        load.idle() == Idle.HALT ? new Clause("idle processors halt", true) : new Clause("idle processors poll"));
    clauses.add(
        load.spinNs() == 0
            ? new Clause("the client sleeps until a send is due", true)
            : new Clause("the client polls from " + Units.time(load.spinNs()) + " before a send is due"));
    clauses.add(
        load.slowReaders() == null ? new Clause("all connections read", true) : new Clause(slow(load, load.slowReaders())));
    clauses.add(load.tls() == null ? new Clause("plain", true) : new Clause("TLS " + load.tls()));
    clauses.add(churn(load.churn()));
    clauses.add(
        load.storm() == null
            ? new Clause("the server stays", true)
            : new Clause("the server killed and restarted after the hold (" + load.storm().name().toLowerCase(Locale.ROOT) + ")"));
    return clauses;
  }

  /** What else decides what a message costs, each behind a comma; empty of plain connections that all read. */
  static String besides(StudyLoad load) {
    return (load.slowReaders() == null ? "" : ", " + slow(load, load.slowReaders())) + (load.tls() == null ? "" : ", TLS " + load.tls());
  }

  private static String slow(StudyLoad load, SlowPart slow) {
    String some = Units.percent(slow.share()) + (load.publish() == null ? " of the connections that send" : " of the subscribers");
    return "%s read %s from the steady state on"
        .formatted(some, slow.bytesPerS() == null ? "nothing" : "at most " + Units.bytes(slow.bytesPerS()) + "/s");
  }

  /** What the connections do. */
  private static String doing(StudyLoad load) {
    String some = load.activeShare() == 1 ? "all connections" : Units.percent(load.activeShare()) + " of the connections";
    Publish published = load.published();
    return published == null ? some + " send"
        : published.topicSize() == 0 ? "each message pushed to " + some
        : "each message pushed to %,d of %s".formatted(published.topicSize(), some);
  }

  private static String rate(Study study, StudyLoad load) {
    String unit = load.publish() == null ? "messages/s" : "deliveries/s";
    return study.capacity() != null
        ? "searched rates up to %s %s in total".formatted(Units.plain(study.capacity().mostPerS()), unit)
        : load.severalRates()
        ? load.totalsPerS().stream().map(Units::plain).collect(Collectors.joining(", "))
            + " " + unit + " in total, one after the other against one process of each server per connection count and repeat"
        : load.totalPerS() != null
        ? "%,.6g %s in total on every rung".formatted(load.totalPerS(), unit)
        : "%,.6g %s per %s".formatted(load.perConnectionPerS(), unit, load.publish() == null ? "sending connection" : "subscriber");
  }

  private static Clause churn(@Nullable Churn churn) {
    return churn == null
        ? new Clause("connections stay", true)
        : new Clause("%s connections replaced (%s lives)".formatted(churn.rate(), churn.lifetime().name().toLowerCase(Locale.ROOT)));
  }
}
