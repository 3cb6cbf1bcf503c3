package echoladder.h2load;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.external.ToolProcess;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way in which h2load looks well and is not: 100 connections, 2,000 requests/s for 10 s. */
class H2loadJudgementTest {
  private static final H2loadCommand ASKED = new H2loadCommand(100, 1, 2_000, 0.3, 10_325, 10_000, 10_000, 64, "127.0.0.1:9000");

  private static RequestLog log(long answered, long heldBack, long rows) {
    Histogram service = RequestLog.empty();
    service.recordValueWithCount(500_000, answered);
    return new RequestLog(service, rows, rows, 0, heldBack, null);
  }

  private static List<Reason> doubts(long started, long errored, long bad, @Nullable Double slowest, RequestLog log) {
    H2loadReport report = new H2loadReport(started, log.rows(), errored, new H2loadReport.Answers(log.answered(), 0, 0, bad), slowest);
    return H2loadJudgement.doubts(ASKED, report, log);
  }

  @Test
  void aRightLoadIsNotDoubted() {
    assertThat(doubts(20_000, 0, 0, 19.9, log(20_000, 0, 20_000))).isEmpty();
    assertThat(doubts(20_010, 0, 0, null, log(20_000, 100, 20_000))).as("some under way at the end").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "18900,18900,0,0,18.9,0,OFFERED_RATE_NOT_REACHED",
    "20000,20000,3,0,20,0,CONNECTIONS_LOST",
    "20000,20000,0,7,20,0,ERROR_RESPONSES",
    "20001,20000,0,0,0,0,UNANSWERED",
    "20030,20000,0,0,20,0,UNANSWERED",
    "20000,20000,0,0,20,300,COORDINATED_OMISSION",
  })
  void eachFaultHasItsReason(long started, long answered, long errored, long bad, double slowest, long heldBack, ReasonCode reason) {
    assertThat(doubts(started, errored, bad, slowest, log(answered, heldBack, answered))).extracting(Reason::reason).containsExactly(reason);
  }

  @Test
  void aLogThatIsNotThatOfTheReportIsDoubted() {
    RequestLog log = log(20_000, 0, 20_000);
    H2loadReport report = new H2loadReport(20_001, 20_001, 0, new H2loadReport.Answers(20_001, 0, 0, 0), 20.0);
    assertThat(H2loadJudgement.doubts(ASKED, report, log))
        .containsExactly(new Reason(ReasonCode.TIMES_CONTRADICTED, "its log has 20,000 requests, and its report says that 20,001 ended"));
  }

  @ParameterizedTest
  @CsvSource({
    "client could not connect to host,0,false,CONNECTIONS_MISSING,h2load gave up: client could not connect to host",
    "'',139,false,CLIENT_DIED,'h2load ended with exit status 139 without a report: \"it said nothing\"'",
    "'',137,true,CLIENT_DIED,'h2load ended by force, as it outlived its time, without a report: \"it said nothing\"'",
  })
  void withoutAReportItsLastWordsAre(String said, int exit, boolean killed, ReasonCode reason, String detail) {
    assertThat(H2loadJudgement.withoutReport(new ToolProcess.Ended(exit, "", said, killed))).isEqualTo(new Reason(reason, detail));
  }
}
