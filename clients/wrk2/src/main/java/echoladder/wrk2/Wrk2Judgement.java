package echoladder.wrk2;

import echoladder.client.LoadJudge;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.external.ToolProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What can be said against wrk2's own word. It exits with 0 whatever failed once it could connect. Pure. */
final class Wrk2Judgement {
  /** A warm-up is slow; what is slower than this and by this factor is no warm-up. */
  static final double WIPED_MS = 100;

  static final double WIPED_FACTOR = 20;

  private Wrk2Judgement() {}

  /** Doubts about figures that it gave. */
  static List<Reason> doubts(Wrk2Command asked, Wrk2Report report) {
    List<Reason> doubts = new ArrayList<>();
    connections(asked, report.errors(), doubts);
    calibration(asked, report, doubts);
    Recorded recorded = Recorded.of(asked, report);
    LoadJudge.achieved(recorded.perSecond * recorded.seconds, asked.requestsPerSecond() * recorded.seconds, LoadJudge.Bounds.DEFAULT)
        .ifPresent(doubts::add);
    if (report.errors().timeout() > 0 && !timeoutsAreFalse(asked)) {
      add(
          doubts,
          ReasonCode.UNANSWERED,
          "%,d times, looking every 2 s, a request was older than %d s; what never came back is in no time of wrk2's"
              .formatted(report.errors().timeout(), asked.timeoutSeconds()));
    }
    if (report.errors().status() > 0) {
      add(
          doubts,
          ReasonCode.ERROR_RESPONSES,
          "%,d of %,d answers had a status of 400 or above".formatted(report.errors().status(), report.requests()));
    }
    Long mismatches = report.mismatches();
    if (mismatches != null && mismatches > 0) {
      add(doubts, ReasonCode.ECHO_MISMATCH, "%,d answers were not the body that was sent".formatted(mismatches));
    }
    return doubts;
  }

  /** wrk2 measures from the last request, so a connection that the schedule leaves idle for longer looks overdue. */
  static boolean timeoutsAreFalse(Wrk2Command asked) {
    return asked.periodSeconds() >= asked.timeoutSeconds();
  }

  private static void connections(Wrk2Command asked, Wrk2Report.Errors errors, List<Reason> doubts) {
    int each = asked.connections() / asked.threads();
    if (each * asked.threads() < asked.connections()) {
      add(
          doubts,
          ReasonCode.CONNECTIONS_MISSING,
          "wrk2 opens %,d of %,d connections: %,d to each of %d threads, and drops the remainder"
              .formatted(each * asked.threads(), asked.connections(), each, asked.threads()));
    }
    if (errors.connect() > 0) {
      add(doubts, ReasonCode.CONNECTIONS_MISSING, "%,d connects failed".formatted(errors.connect()));
    }
    if (errors.read() + errors.write() > 0) {
      add(
          doubts,
          ReasonCode.CONNECTIONS_LOST,
          "connections broke, %,d times while read from and %,d times while written to, and were opened anew"
              .formatted(errors.read(), errors.write()));
    }
  }

  private static void calibration(Wrk2Command asked, Wrk2Report report, List<Reason> doubts) {
    int calibrated = report.calibrationMeansMs().size();
    if (calibrated < asked.threads()) {
      add(
          doubts,
          ReasonCode.CALIBRATION_SWALLOWED,
          "%d of %d threads calibrated, which was due 10 s + 5 ms x %,d connections = %.3f s after the start; "
                  .formatted(
                      calibrated,
                      asked.threads(),
                      asked.connections() / asked.threads(),
                      asked.calibrationSeconds())
              + "the run took %.3f s, so its times contain the ramp".formatted(report.seconds()));
      return;
    }
    double wiped = report.calibrationMeansMs().stream().max(Comparator.naturalOrder()).orElse(0.0);
    Distribution kept = report.corrected();
    if (kept != null && wiped > WIPED_MS && wiped > WIPED_FACTOR * kept.meanUs() / 1e3) {
      add(
          doubts,
          ReasonCode.CALIBRATION_SWALLOWED,
          "the calibration threw away times with a mean of %,.0f ms, %,.0f times the mean of what it kept"
              .formatted(wiped, wiped * 1e3 / kept.meanUs()));
    }
  }

  /** Answers per second since the calibration, or over the whole run where there was none. */
  static double achievedPerSecond(Wrk2Command asked, Wrk2Report report) {
    return Recorded.of(asked, report).perSecond();
  }

  /** What is in wrk2's histogram, or in its report where that is not of the time since the calibration alone. */
  private record Recorded(double seconds, double perSecond) {
    static Recorded of(Wrk2Command asked, Wrk2Report report) {
      Distribution recorded = report.corrected();
      // Nothing is recorded once the duration is over, however long the last thread takes to notice.
      double seconds = Math.min(report.seconds(), asked.durationSeconds()) - asked.calibrationSeconds();
      boolean calibrated = report.calibrationMeansMs().size() >= asked.threads() && seconds > 0;
      return calibrated && recorded != null && recorded.count() >= 0
          ? new Recorded(seconds, recorded.count() / seconds)
          : new Recorded(report.seconds(), report.requestsPerSecond());
    }
  }

  /** Why there is no report. */
  static Reason withoutReport(ToolProcess.Ended ended) {
    String said = ended.stderr().strip().lines().findFirst().orElse("it said nothing");
    if (said.startsWith("unable to connect")) {
      return new Reason(ReasonCode.CONNECTIONS_MISSING, "wrk2 gave up: " + said);
    }
    return new Reason(
        ReasonCode.CLIENT_DIED,
        "wrk2 ended %s without a report: \"%s\"".formatted(ended.how(), said));
  }

  private static void add(List<Reason> doubts, ReasonCode reason, String detail) {
    doubts.add(new Reason(reason, detail));
  }
}
