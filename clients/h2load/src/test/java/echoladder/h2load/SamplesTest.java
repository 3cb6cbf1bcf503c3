package echoladder.h2load;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded runs of h2load 1.52.0 against a server that fails in one way. It ended with 0 after each, but for the one that did not end. */
class SamplesTest {
  private static final RequestLog.Window ALWAYS = new RequestLog.Window(0, Long.MAX_VALUE);

  private static String text(String file) throws IOException {
    try (@Nullable InputStream in = SamplesTest.class.getResourceAsStream("/samples/h2load-" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long option(String meta, String name) {
    Matcher value = Pattern.compile("--" + name + " (\\d+)").matcher(meta);
    assertThat(value.find()).as("%s in %s", name, meta).isTrue();
    return Long.parseLong(value.group(1));
  }

  private static H2loadCommand asked(String meta) {
    int connections = (int) option(meta, "clients");
    long durationMs = option(meta, "duration");
    return new H2loadCommand(
        connections, 1, (double) connections * option(meta, "rps"), 0, option(meta, "warm-up-time"), durationMs, durationMs, 64, "127.0.0.1:9471");
  }

  /** The log as it was recorded, or as many requests of 2 ms as the report has. */
  private static RequestLog log(String name, H2loadReport report, double periodSeconds) throws IOException {
    try (ServiceLog intervals = new ServiceLog(Path.of("/dev/null"))) {
      try (@Nullable InputStream in = SamplesTest.class.getResourceAsStream("/samples/h2load-" + name + ".log")) {
        if (in != null) {
          return RequestLog.read(in, periodSeconds, ALWAYS, intervals);
        }
      }
    }
    Histogram service = RequestLog.empty();
    service.recordValueWithCount(2_000_000, report.answered().ok());
    return new RequestLog(service, report.done(), report.done(), 0, 0, null);
  }

  private static List<Reason> doubts(String name) throws IOException {
    String meta = text(name + ".meta");
    Optional<H2loadReport> report = H2loadReport.parse(text(name + ".stdout"));
    if (report.isEmpty()) {
      return List.of(H2loadJudgement.withoutReport(new ToolProcess.Ended(137, text(name + ".stdout"), "", true)));
    }
    H2loadCommand asked = asked(meta);
    return H2loadJudgement.doubts(asked, report.get(), log(name, report.get(), asked.periodSeconds()));
  }

  @ParameterizedTest
  @CsvSource({
    "normal,''",
    "stall,COORDINATED_OMISSION",
    "silent,OFFERED_RATE_NOT_REACHED UNANSWERED",
    "one-silent,UNANSWERED",
    "503s,OFFERED_RATE_NOT_REACHED ERROR_RESPONSES",
    "server-dies,OFFERED_RATE_NOT_REACHED UNANSWERED",
    "refused,OFFERED_RATE_NOT_REACHED UNANSWERED",
    "closing,CLIENT_DIED",
  })
  void eachHasItsReasons(String name, String reasons) throws IOException {
    List<ReasonCode> expected = Arrays.stream(reasons.split(" ")).filter(reason -> !reason.isEmpty()).map(ReasonCode::valueOf).toList();
    assertThat(doubts(name)).extracting(Reason::reason).isEqualTo(expected);
  }

  @Test
  void aSilentConnectionIsSeenByItsAnswers() throws IOException {
    assertThat(doubts("one-silent").getFirst().detail())
        .isEqualTo("a connection had 0.00 answers per second where its schedule asks for 10.00; 0 requests were under way at the end");
  }

  /** A second in which nothing is answered: 20 connections, each with a request that took a second, and nine that waited behind it. */
  @Test
  void aStallIsInTheMaximumAndInNoPercentileThatItCouldMove() throws IOException {
    RequestLog log = log("stall", H2loadReport.parse(text("stall.stdout")).orElseThrow(), 0.1);
    assertThat(log.rows()).isEqualTo(600);
    assertThat(log.heldBack()).isBetween(180L, 220L);
    assertThat(log.percentiles().maxNs()).isGreaterThan(900_000_000L);
    assertThat(log.percentiles().p90Ns()).isNull();
    RequestLog normal = log("normal", H2loadReport.parse(text("normal.stdout")).orElseThrow(), 0.1);
    assertThat(normal.heldBack()).isZero();
    assertThat(normal.percentiles().p90Ns()).isBetween(1_000_000L, 12_000_000L);
  }
}
