package echoladder.harness.capacity;

import echoladder.client.ClimbEffect;
import echoladder.client.LoadJudge;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Times;
import echoladder.harness.results.CapacityRecord.Outcome;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Says of a rung whether its rate was held. Pure. */
public final class TryJudge {
  private TryJudge() {}

  /**
   * What a try showed.
   *
   * @param why what gave way, or what was in the way; none where the rate was held
   */
  public record Judged(Outcome outcome, List<Reason> why) {
    public Judged {
      why = List.copyOf(why);
    }
  }

  /** What a rung that was measured showed, by the study's bound on the p99 of the server time. */
  public static Judged of(RungRecord rung, long boundNs) {
    LoadResult load = Objects.requireNonNull(rung.load());
    List<Reason> doubts =
        Stream.concat(load.verdictReasons().stream(), rung.aside().stream()).toList();
    List<Reason> lost =
        those(doubts, reason -> reason.onClimb() == ClimbEffect.NOT_HELD || reason.onClimb() == ClimbEffect.SERVER_FAILED);
    if (!lost.isEmpty()) {
      return doubts.stream().noneMatch(doubt -> doubt.reason().spoils())
          ? new Judged(Outcome.LOST, those(doubts, ReasonCode::saturates))
          : new Judged(Outcome.UNDECIDED, those(doubts, ReasonCode::spoils));
    }
    // Without stamps the upper bound has to do: what it holds, the server time holds.
    Long p99 = ServerTimes.percentiles(load).p99Ns();
    if (p99 == null) {
      return undecided(ReasonCode.OFFERED_RATE_NOT_REACHED, "fewer than 2,000 messages have no p99", doubts);
    }
    if (p99 <= boundNs) {
      List<Reason> other = those(doubts, reason -> reason.spoils() && !reason.onlyHarder());
      return new Judged(other.isEmpty() ? Outcome.HELD : Outcome.UNDECIDED, other);
    }
    return beyond(rung, p99, boundNs, doubts);
  }

  private static Judged beyond(RungRecord rung, long p99, long boundNs, List<Reason> doubts) {
    List<Reason> spoiling = those(doubts, ReasonCode::spoils);
    if (!spoiling.isEmpty()) {
      return new Judged(Outcome.UNDECIDED, spoiling);
    }
    String bound = Units.time(boundNs);
    boolean stamped = ServerTimes.stamped(rung);
    Double onTime = stamped ? (Double) (double) p99 : LoadMetrics.ON_TIME_P99.value(rung);
    if (onTime == null || onTime <= boundNs) {
      return undecided(
          ReasonCode.LATE_SENDS,
          "response time p99 was %s, the study's bound is %s; of messages sent on time it was %s"
              .formatted(Units.time(p99), bound, onTime == null ? "not known" : Units.time(Math.round(onTime))),
          doubts);
    }
    Times kind = ServerTimes.of(List.of(rung));
    if (Quoting.gaps(kind, Percentile.P99, rung.figures())) {
      return undecided(
          ReasonCode.HOST_TOO_NOISY,
          "%s p99 was %s, the study's bound is %s; gaps of the host may explain %s of the messages beyond the p99"
              .formatted(kind.words(), Units.time(p99), bound, LoadJudge.percent(Quoting.share(kind.at(Percentile.P99), rung))),
          doubts);
    }
    List<Reason> gave = new ArrayList<>();
    gave.add(
        new Reason(
            ReasonCode.RESPONSE_TIME_BEYOND_BOUND,
            "%s p99 was %s%s, the study's bound is %s"
                .formatted(
                    kind.words(), Units.time(p99), stamped ? "" : ", of messages sent on time " + Units.time(Math.round(onTime)), bound)));
    gave.addAll(those(doubts, reason -> reason.saturates() && reason != ReasonCode.RESPONSE_TIME_BEYOND_BOUND));
    return new Judged(Outcome.TOO_SLOW, gave);
  }

  private static Judged undecided(ReasonCode reason, String detail, List<Reason> beside) {
    List<Reason> why = new ArrayList<>(List.of(new Reason(reason, detail)));
    why.addAll(those(beside, ReasonCode::spoils));
    return new Judged(Outcome.UNDECIDED, why);
  }

  private static List<Reason> those(List<Reason> doubts, Predicate<ReasonCode> which) {
    return doubts.stream().filter(doubt -> which.test(doubt.reason())).toList();
  }
}
