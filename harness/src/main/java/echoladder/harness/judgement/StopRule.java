package echoladder.harness.judgement;

import static java.util.stream.Collectors.joining;

import echoladder.client.Blame;
import echoladder.client.ClimbEffect;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a rung ends the climb of its server. It does if the server could not hold it in more than half of the study's
 * repeats. A rung that is invalid by the fault of the client or of others says nothing of the server, so the climb goes on.
 * Pure.
 */
public final class StopRule {
  /** What a climb that was not held says: a host that had nothing left to give is the limit behind it. */
  private static boolean told(ReasonCode reason) {
    return notHeld(reason) || reason.blame() == Blame.HOST || reason.ofALimit();
  }

  private static boolean serverFailed(ReasonCode reason) {
    return reason.onClimb() == ClimbEffect.SERVER_FAILED;
  }

  private static boolean notHeld(ReasonCode reason) {
    return reason.onClimb() == ClimbEffect.NOT_HELD;
  }

  /** With one of these, what is missing may be missing by the fault of the client, or of others on the host. */
  private static boolean excuses(ReasonCode reason) {
    return reason.onClimb() == ClimbEffect.EXCUSES;
  }

  /** These no delay explains, so what is set aside for it in a lab, where every send is late, excuses none of them. */
  private static boolean notByDelay(ReasonCode reason) {
    return notHeld(reason) && !reason.byLateness();
  }

  private StopRule() {}

  /**
   * Why a climb ends at a rung.
   *
   * @param end the kind
   * @param reason one sentence
   * @param limit that was met there; null = none that was seen
   */
  public record Why(End end, String reason, @Nullable KnownLimit limit) {
    Why(End end, String reason) {
      this(end, reason, null);
    }
  }

  /**
   * Why the climb ends at a rung of which so many repeats were tried, or null where it goes on.
   */
  public static @Nullable Why at(RungRepeats rung, Study study) {
    List<Why> whys = new ArrayList<>();
    for (RungRecord repeat : rung.rungs()) {
      Why why = at(repeat);
      if (why != null) {
        whys.add(why);
      }
    }
    // What the host does not allow, or lacks, is the same for every repeat.
    boolean tried = rung.any().status() == RungRecord.Status.MEASURED;
    if (whys.isEmpty() || (tried && 2 * whys.size() <= study.repeats())) {
      return null;
    }
    Why first = whys.getFirst();
    return study.repeats() == 1 || !tried
        ? first
        : new Why(
            first.end(),
            "in %d of %d repeats, first: %s".formatted(whys.size(), study.repeats(), first.reason()),
            first.limit());
  }

  private static @Nullable Why at(RungRecord rung) {
    if (rung.status() == RungRecord.Status.OUT_OF_REACH) {
      return new Why(End.OUT_OF_REACH, String.valueOf(rung.statusReason()));
    }
    if (rung.status() == RungRecord.Status.CLIENT_MISSING) {
      return new Why(End.CLIENT_MISSING, String.valueOf(rung.statusReason()));
    }
    if (rung.load() == null) {
      return null;
    }
    List<Reason> doubts = rung.load().verdictReasons();
    if (any(doubts, StopRule::serverFailed)) {
      return limited(rung, End.SERVER_FAILED, reasons(doubts, StopRule::serverFailed));
    }
    List<Reason> aside = rung.aside();
    List<Reason> all = Stream.concat(doubts.stream(), aside.stream()).toList();
    // Of some reasons a limit that was met is the cause, be the client late or dead besides: it may have died of it.
    boolean limit = rung.met() != null && any(doubts, ReasonCode::ofALimit) && !rung.has(ReasonCode.INTERRUPTED);
    boolean excused = any(doubts, StopRule::excuses) || (any(aside, StopRule::excuses) && !any(doubts, StopRule::notByDelay));
    if (limit || (any(doubts, StopRule::notHeld) && !excused)) {
      return limited(rung, End.NOT_HELD, reasons(all, StopRule::told));
    }
    if (excused) {
      return null;
    }
    return doubts.stream()
        .filter(doubt -> doubt.reason().onClimb() == ClimbEffect.TOO_SLOW)
        .findFirst()
        .map(doubt -> new Why(End.RESPONSE_TIME_BOUND, doubt.detail()))
        .orElse(null);
  }

  /** The limit behind it comes first, where what was seen names one. */
  private static Why limited(RungRecord rung, End end, String reasons) {
    MetLimit met = rung.met();
    return met == null
        ? new Why(end, reasons)
        : new Why(
            end, "%s; %s; see runbooks/symptoms/%s.md".formatted(met.sentence(), reasons, met.page()), met.limit());
  }

  /** A climb that did not end at its highest rung: what it met there stands beside what it carried. */
  private static ClimbRecord top(
      String server, @Nullable Integer highest, Study study, List<RungRecord> rungs, @Nullable List<ClimbRecord.OfRates> rates) {
    int top = study.rungs().getLast();
    String reason = "it was climbed to the study's highest rung, %,d".formatted(top);
    MetLimit met =
        rungs.stream().filter(r -> r.connections() == top).map(RungRecord::met).filter(Objects::nonNull).findFirst().orElse(null);
    return met == null
        ? new ClimbRecord(server, highest, End.TOP_OF_STUDY, null, reason, null, rates)
        : new ClimbRecord(
            server, highest, End.TOP_OF_STUDY, null,
            "%s; %s; see runbooks/symptoms/%s.md".formatted(reason, met.inPassing(), met.page()), met.limit(), rates);
  }

  /** The climbs of a run whose rungs so far are these. */
  public static List<ClimbRecord> climbs(Study study, List<RungRecord> rungs, boolean interrupted) {
    List<ClimbRecord> climbs = new ArrayList<>();
    for (Study.Entry entry : study.servers()) {
      List<RungRecord> own = rungs.stream().filter(r -> r.server().equals(entry.label())).toList();
      climbs.add(climb(entry.label(), study, own, interrupted));
    }
    return climbs;
  }

  private static ClimbRecord climb(String server, Study study, List<RungRecord> rungs, boolean interrupted) {
    Integer highest = null;
    boolean all = true;
    List<ClimbRecord.OfRates> rates = new ArrayList<>();
    List<RungRepeats> ladder = RungRepeats.of(rungs);
    for (int connections : ladder.stream().map(rung -> rung.any().connections()).distinct().sorted().toList()) {
      List<RungRepeats> own =
          ladder.stream()
              .filter(rung -> rung.any().connections() == connections)
              .sorted(Comparator.comparingDouble(rung -> rung.any().ratePerS()))
              .toList();
      ClimbRecord.OfRates held = ClimbRecord.OfRates.at(connections);
      for (RungRepeats rung : own) {
        Why why = at(rung, study);
        if (why != null && EndedClimbs.whole(study, rung.any().key(), why.end())) {
          return new ClimbRecord(server, highest, why.end(), connections, why.reason(), why.limit(), told(rates));
        }
        if (why != null && held.endedAtPerS() == null) {
          held = held.ended(rung.any().ratePerS(), why.end(), why.reason(), why.limit());
        } else if (!rung.valid().isEmpty() && held.endedAtPerS() == null) {
          held = held.valid(rung.any().ratePerS());
          highest = connections;
        }
        all &= held.endedAtPerS() != null || rung.rungs().stream().filter(StopRule::measured).count() == study.repeats();
      }
      all &= own.size() == study.entry(server).map(entry -> study.load(entry).ratesPerS(connections).size()).orElse(1);
      if (own.getFirst().any().stand() != null) {
        rates.add(held);
      }
    }
    all &= ladder.stream().map(rung -> rung.any().connections()).distinct().count() == study.rungs().size();
    if (all) {
      return top(server, highest, study, rungs, told(rates));
    }
    return interrupted
        ? new ClimbRecord(server, highest, End.INTERRUPTED, null, "the run was stopped", null, told(rates))
        : new ClimbRecord(server, highest, End.UNFINISHED, null, unfinished(rungs), null, told(rates));
  }

  /** Why nothing is known beyond a rung: what is said of the first that was not tried. */
  private static String unfinished(List<RungRecord> rungs) {
    return rungs.stream()
        .filter(rung -> rung.status() == RungRecord.Status.NOT_ATTEMPTED)
        .findFirst()
        .map(rung -> "%,d was not tried: %s".formatted(rung.connections(), rung.statusReason()))
        .orElse("the run had not ended when this was written");
  }

  private static @Nullable List<ClimbRecord.OfRates> told(List<ClimbRecord.OfRates> rates) {
    return rates.isEmpty() ? null : rates;
  }

  private static boolean measured(RungRecord rung) {
    return rung.status() == RungRecord.Status.MEASURED && !rung.has(ReasonCode.INTERRUPTED);
  }

  private static boolean any(List<Reason> doubts, Predicate<ReasonCode> of) {
    return doubts.stream().anyMatch(d -> of.test(d.reason()));
  }

  private static String reasons(List<Reason> doubts, Predicate<ReasonCode> of) {
    return doubts.stream()
        .filter(d -> of.test(d.reason()))
        .map(d -> d.reason().id() + ": " + d.detail())
        .collect(joining("; "));
  }
}
