package echoladder.h2load;

import echoladder.client.LoadJudge;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.external.ToolProcess;
import java.util.ArrayList;
import java.util.List;

/** What can be said against h2load's own word. It exits with 0 whatever failed. Pure. */
final class H2loadJudgement {
  /** The part of all sends that may wait for an earlier answer: with more, what lies beyond p99 is not known. */
  static final double HELD_BACK_MOST = 0.01;

  /** Answers that the slowest connection may lack at the borders of the main duration. */
  private static final double LACKING_AT_BORDERS = 2;

  /** Its timers go off every 10 ms where a connection sends more often. */
  private static final double TIMER_SECONDS = 0.01;

  private H2loadJudgement() {}

  /** Doubts about figures that it gave. */
  static List<Reason> doubts(H2loadCommand asked, H2loadReport report, RequestLog log) {
    List<Reason> doubts = new ArrayList<>();
    LoadJudge.achieved((double) log.answered(), (double) asked.scheduled(), LoadJudge.Bounds.DEFAULT).ifPresent(doubts::add);
    if (report.errored() > 0) {
      add(doubts, ReasonCode.CONNECTIONS_LOST, "%,d requests ended with their connection".formatted(report.errored()));
    }
    long others = report.answered().all() - report.answered().ok();
    if (others > 0) {
      add(
          doubts,
          ReasonCode.ERROR_RESPONSES,
          "%,d of %,d answers had another status than 2xx".formatted(others, report.answered().all()));
    }
    unanswered(asked, report, log, doubts);
    if (log.heldBackShare() > HELD_BACK_MOST) {
      add(
          doubts,
          ReasonCode.COORDINATED_OMISSION,
          "%,d sends waited for an earlier answer on their connection, %s of all, and their wait is in no time of h2load's"
              .formatted(log.heldBack(), LoadJudge.percent(log.heldBackShare())));
    }
    if (log.damage() != null) {
      add(doubts, ReasonCode.TIMES_CONTRADICTED, log.damage() + ", which is no start, status and time");
    } else if (log.rows() != report.done()) {
      add(
          doubts,
          ReasonCode.TIMES_CONTRADICTED,
          "its log has %,d requests, and its report says that %,d ended".formatted(log.rows(), report.done()));
    }
    return doubts;
  }

  /** It drops what is under way at its end, and says of a connection that fell silent only that it had few answers. */
  private static void unanswered(H2loadCommand asked, H2loadReport report, RequestLog log, List<Reason> doubts) {
    double each = asked.durationSeconds() / asked.periodSeconds();
    Double slowest = report.slowestPerSecond();
    double had = slowest == null ? each : slowest * asked.durationSeconds();
    if (had < LoadJudge.Bounds.DEFAULT.achievedShareLeast() * each - LACKING_AT_BORDERS) {
      add(
          doubts,
          ReasonCode.UNANSWERED,
          "a connection had %.2f answers per second where its schedule asks for %.2f; %,d requests were under way at the end"
              .formatted(slowest, 1 / asked.periodSeconds(), report.underWay()));
      return;
    }
    double slowestSeconds = log.service().getMaxValue() / 1e9;
    double explained = Math.ceil(asked.requestsPerSecond() * (slowestSeconds + TIMER_SECONDS));
    if (report.underWay() > explained) {
      add(
          doubts,
          ReasonCode.UNANSWERED,
          "%,d requests were under way at the end; a longest time of %.1f ms explains %,.0f"
              .formatted(report.underWay(), slowestSeconds * 1e3, explained));
    }
  }

  /** Why there is no report. */
  static Reason withoutReport(ToolProcess.Ended ended) {
    String said = ended.stderr().strip().lines().findFirst().orElse("it said nothing");
    if (said.contains("could not connect")) {
      return new Reason(ReasonCode.CONNECTIONS_MISSING, "h2load gave up: " + said);
    }
    return new Reason(
        ReasonCode.CLIENT_DIED,
        "h2load ended %s without a report: \"%s\"".formatted(ended.how(), said));
  }

  private static void add(List<Reason> doubts, ReasonCode reason, String detail) {
    doubts.add(new Reason(reason, detail));
  }
}
