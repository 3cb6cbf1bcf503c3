package echoladder.harness.verdict;

import static java.util.stream.Collectors.joining;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.harness.report.Units;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a rung ends the climb of its server. It does when the server could not hold it, in more than half of the study's
 * repeats; one that is invalid by the fault of the client or the host says nothing of the server, so the climb goes on.
 * Pure.
 */
public final class Ends {
  private static final Set<Invalidity> SERVER_FAILED = Set.of(Invalidity.SERVER_DIED, Invalidity.SERVER_NOT_READY);

  private static final Set<Invalidity> NOT_HELD =
      Set.of(
          Invalidity.CONNECTIONS_MISSING,
          Invalidity.CONNECTIONS_LOST,
          Invalidity.ECHO_MISMATCH,
          Invalidity.ERROR_RESPONSES,
          Invalidity.UNANSWERED,
          Invalidity.OFFERED_RATE_NOT_REACHED);

  /** With one of these, what is missing may be missing by the fault of the client, or of others on the host. */
  private static final Set<Invalidity> NOT_THE_SERVER =
      Set.of(Invalidity.CLIENT_DIED, Invalidity.LATE_SENDS, Invalidity.HOST_TOO_NOISY, Invalidity.INTERRUPTED);

  /** What a climb that was not held says: a host that had nothing left to give is the limit behind it. */
  private static final Set<Invalidity> TOLD =
      Set.copyOf(Stream.concat(NOT_HELD.stream(), Stream.of(Invalidity.HOST_SATURATED)).toList());

  private Ends() {}

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

  /** Why the climb ends at a rung of which so many repeats were tried, or null where it goes on. */
  public static @Nullable Why at(RungRepeats rung, Study study) {
    List<Why> whys = new ArrayList<>();
    for (RungRecord repeat : rung.rungs()) {
      Why why = at(repeat, study.bounds());
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

  private static @Nullable Why at(RungRecord rung, Study.Bounds bounds) {
    if (rung.status() == RungRecord.Status.OUT_OF_REACH) {
      return new Why(End.OUT_OF_REACH, String.valueOf(rung.statusReason()));
    }
    if (rung.status() == RungRecord.Status.CLIENT_MISSING) {
      return new Why(End.CLIENT_MISSING, String.valueOf(rung.statusReason()));
    }
    if (rung.load() == null) {
      return null;
    }
    List<Doubt> doubts = rung.load().verdictReasons();
    if (any(doubts, SERVER_FAILED)) {
      return limited(rung, End.SERVER_FAILED, reasons(doubts, SERVER_FAILED));
    }
    if (any(doubts, NOT_HELD) && !any(doubts, NOT_THE_SERVER)) {
      return limited(rung, End.NOT_HELD, reasons(doubts, TOLD));
    }
    Long p99 = rung.load().responseTime().p99Ns();
    if (p99 != null && p99 > bounds.responseTimeP99Ns() && !any(doubts, NOT_THE_SERVER)) {
      return new Why(
          End.RESPONSE_TIME_BOUND,
          "response time p99 was %s, the study's bound is %s"
              .formatted(Units.time(p99), Units.time(bounds.responseTimeP99Ns())));
    }
    return null;
  }

  /** The limit behind it comes first, where what was seen names one. */
  private static Why limited(RungRecord rung, End end, String reasons) {
    LimitsRecord limits = rung.limits();
    if (limits == null || limits.met().isEmpty()) {
      return new Why(end, reasons);
    }
    MetLimit met = limits.met().getFirst();
    return new Why(
        end, "%s; %s; see runbooks/symptoms/%s.md".formatted(met.sentence(), reasons, met.page()), met.limit());
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
    int measured = 0;
    int top = study.rungs().getLast();
    for (RungRepeats rung : RungRepeats.of(rungs)) {
      int connections = rung.any().connections();
      Why why = at(rung, study);
      if (why != null) {
        return new ClimbRecord(server, highest, why.end(), connections, why.reason(), why.limit());
      }
      if (!rung.valid().isEmpty()) {
        highest = connections;
      }
      measured += (int) rung.rungs().stream().filter(Ends::measured).count();
    }
    if (measured == study.rungs().size() * study.repeats()) {
      return new ClimbRecord(
          server, highest, End.TOP_OF_STUDY, null, "it was climbed to the study's highest rung, %,d".formatted(top),
          null);
    }
    return interrupted
        ? new ClimbRecord(server, highest, End.INTERRUPTED, null, "the run was stopped", null)
        : new ClimbRecord(server, highest, End.UNFINISHED, null, "the run had not ended when this was written", null);
  }

  private static boolean measured(RungRecord rung) {
    return rung.status() == RungRecord.Status.MEASURED && !rung.has(Invalidity.INTERRUPTED);
  }

  private static boolean any(List<Doubt> doubts, Set<Invalidity> of) {
    return doubts.stream().anyMatch(d -> of.contains(d.reason()));
  }

  private static String reasons(List<Doubt> doubts, Set<Invalidity> of) {
    return doubts.stream()
        .filter(d -> of.contains(d.reason()))
        .map(d -> d.reason().id() + ": " + d.detail())
        .collect(joining("; "));
  }
}
