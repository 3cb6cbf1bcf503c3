package echoladder.wrk2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.Reason;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every recorded run comes to its figures, or to the reason that it deserves. */
class SamplesTest {
  /** Name, requests, seconds, requests per second, errors as connect/read/write/timeout/status. */
  private static final String FIGURES =
      """
      wrk2-500s                     | 1992 | 4.00      | 497.79 | 0/0/0/0/1992
      wrk2-closeconn                | 1992 | 4.00      | 497.87 | 0/0/0/0/0
      wrk2-fdlimit                  | 942  | 4.00      | 235.40 | 106/0/0/106/0
      wrk2-highlat-U                | 1800 | 6.13      | 293.79 | 0/0/0/0/0
      wrk2-lowrate-per-conn         | 202  | 10.00     | 20.19  | 0/0/0/300/0
      wrk2-lua-json                 | 1992 | 4.000302  | 497.96 | 0/0/0/0/0
      wrk2-normal-11s               | 5494 | 11.00     | 499.40 | 0/0/0/0/0
      wrk2-oddconns                 | 309  | 3.06      | 100.93 | 0/0/0/0/0
      wrk2-server-dies              | 1238 | 6.13      | 202.10 | 0/6/263291/46/0
      wrk2-server-fin               | 50   | 6.05      | 8.26   | 0/0/0/20/0
      wrk2-short-5s                 | 2493 | 5.00      | 498.46 | 0/0/0/0/0
      wrk2-somefail                 | 2492 | 5.00      | 498.32 | 0/4/1/0/0
      wrk2-stall-in-calibration-12s | 5993 | 12.00     | 499.41 | 0/0/0/0/0
      wrk2-stall-to-end             | 1288 | 6.13      | 210.16 | 0/0/0/50/0
      wrk2-stall2s-U                | 4493 | 9.00      | 499.16 | 0/0/0/0/0
      wrk2-twourls                  | 301  | 3.00      | 100.31 | 0/0/0/0/0
      """;

  /** Name, and what is said against it by its figures and by our count of connections. */
  private static final String REASONS =
      """
      wrk2-500s                     | calibration-swallowed error-responses
      wrk2-closeconn                | calibration-swallowed connections-lost
      wrk2-fdlimit                  | connections-missing calibration-swallowed offered-rate-not-reached unanswered connections-missing
      wrk2-highlat-U                | calibration-swallowed offered-rate-not-reached
      wrk2-lowrate-per-conn         | calibration-swallowed
      wrk2-lua-json                 | calibration-swallowed
      wrk2-normal-11s               | ''
      wrk2-norate                   | client-died
      wrk2-oddconns                 | connections-missing calibration-swallowed connections-missing
      wrk2-refused                  | connections-missing
      wrk2-server-dies              | connections-lost calibration-swallowed offered-rate-not-reached unanswered
      wrk2-server-fin               | calibration-swallowed offered-rate-not-reached unanswered
      wrk2-short-5s                 | calibration-swallowed
      wrk2-somefail                 | connections-lost calibration-swallowed connections-lost
      wrk2-stall-in-calibration-12s | calibration-swallowed
      wrk2-stall-to-end             | calibration-swallowed offered-rate-not-reached unanswered
      wrk2-stall2s-U                | calibration-swallowed
      wrk2-t3c2                     | client-died
      wrk2-twourls                  | calibration-swallowed
      """;

  @ParameterizedTest
  @CsvSource(textBlock = FIGURES, delimiter = '|')
  void figuresAreThoseThatItPrinted(String name, long requests, double seconds, double perSecond, String errors)
      throws IOException {
    Wrk2Report report = Sample.read(name).report().orElseThrow();
    assertThat(report.requests()).isEqualTo(requests);
    assertThat(report.seconds()).isEqualTo(seconds, within(1e-9));
    assertThat(report.requestsPerSecond()).isEqualTo(perSecond);
    Wrk2Report.Errors e = report.errors();
    assertThat("%d/%d/%d/%d/%d".formatted(e.connect(), e.read(), e.write(), e.timeout(), e.status())).isEqualTo(errors);
  }

  @ParameterizedTest
  @CsvSource(textBlock = REASONS, delimiter = '|')
  void whatWentWrongIsNamed(String name, String reasons) throws IOException {
    List<Reason> doubts = Sample.read(name).doubts();
    assertThat(doubts.stream().map(d -> d.reason().id()).collect(Collectors.joining(" "))).isEqualTo(reasons);
  }

  @Test
  void correctedAndUncorrectedTimesAreToldApart() throws IOException {
    Wrk2Report stalled = Sample.read("wrk2-stall2s-U").report().orElseThrow();
    Distribution corrected = Objects.requireNonNull(stalled.corrected());
    assertThat(corrected.spectrum()).startsWith(new Distribution.Step(47, 1)).hasSizeGreaterThan(40);
    assertThat(corrected.spectrum().getLast().count()).isEqualTo(4_490);
    assertThat(corrected.withSpectrum(List.of()))
        .hasToString(
            "Distribution[usByPercent={50.0=1050.0, 75.0=1880.0, 90.0=1110000.0, 99.0=1910000.0, 99.9=1990000.0, "
                + "99.99=2000000.0, 99.999=2000000.0, 100.0=2000000.0}, count=4490, meanUs=227324.0, maxUs=1998848.0, spectrum=[]]");
    assertThat(Objects.requireNonNull(stalled.uncorrected()).withSpectrum(List.of()))
        .hasToString(
            "Distribution[usByPercent={50.0=117.0, 75.0=192.0, 90.0=520.0, 99.0=1910000.0, 99.9=1990000.0, "
                + "99.99=2000000.0, 99.999=2000000.0, 100.0=2000000.0}, count=4490, meanUs=22068.0, maxUs=1998848.0, spectrum=[]]");
    Wrk2Report normal = Sample.read("wrk2-normal-11s").report().orElseThrow();
    assertThat(Objects.requireNonNull(normal.corrected()).count()).isEqualTo(430);
    assertThat(normal.uncorrected()).isNull();
    assertThat(normal.calibrationMeansMs()).containsExactly(0.899, 0.897);
  }

  @Test
  void jsonIsExact() throws IOException {
    Wrk2Report report = Sample.read("wrk2-lua-json").report().orElseThrow();
    Distribution times = Objects.requireNonNull(report.corrected());
    assertThat(times.usByPercent()).containsEntry(50.0, 777.0).containsEntry(99.0, 1866.0).containsEntry(99.9, 2004.0);
    assertThat(times.maxUs()).isEqualTo(2070);
    assertThat(times.meanUs()).isEqualTo(776.0);
    assertThat(report.mismatches()).isNull();
  }

  @Test
  void aPercentileWithTooFewTimesBeyondItIsNotGiven() throws IOException {
    Wrk2Report report = Sample.read("wrk2-normal-11s").report().orElseThrow();
    // Of 430 times, 43 lie beyond p90 and 4 beyond p99.
    assertThat(Objects.requireNonNull(report.corrected()).percentiles())
        .hasToString(
            "Percentiles[p50Ns=930000, p90Ns=1410000, p99Ns=null, p999Ns=null, p9999Ns=null, maxNs=4912000]");
  }

  @Test
  void whatIsSaidNamesTheFigures() throws IOException {
    assertThat(detail("wrk2-short-5s"))
        .isEqualTo(
            "0 of 2 threads calibrated, which was due 10 s + 5 ms x 25 connections = 10.125 s after the start; "
                + "the run took 5.000 s, so its times contain the ramp");
    assertThat(detail("wrk2-stall-in-calibration-12s"))
        .isEqualTo("the calibration threw away times with a mean of 452 ms, 538 times the mean of what it kept");
    assertThat(detail("wrk2-oddconns"))
        .isEqualTo("wrk2 opens 9 of 10 connections: 3 to each of 3 threads, and drops the remainder");
    assertThat(detail("wrk2-refused"))
        .isEqualTo("wrk2 gave up: unable to connect to 127.0.0.1:9 Connection refused");
    assertThat(detail("wrk2-norate"))
        .isEqualTo(
            "wrk2 ended with exit status 1 without a report: "
                + "\"Throughput MUST be specified with the --rate or -R option\"");
    assertThat(Sample.read("wrk2-closeconn").doubts().getLast().detail()).startsWith("1,790 connections were closed");
  }

  @Test
  void timeoutsOfIdleConnectionsAreFalse() throws IOException {
    // 100 connections at 20/s: each is idle for 5 s, and wrk2 looks for requests older than 2 s.
    assertThat(Wrk2Judgement.timeoutsAreFalse(Sample.read("wrk2-lowrate-per-conn").asked())).isTrue();
    assertThat(Wrk2Judgement.timeoutsAreFalse(Sample.read("wrk2-stall-to-end").asked())).isFalse();
  }

  private static String detail(String name) throws IOException {
    return Sample.read(name).doubts().getFirst().detail();
  }

  @Test
  void noRecordedRunIsLeftOut() throws IOException, URISyntaxException {
    Path folder = Path.of(Objects.requireNonNull(SamplesTest.class.getResource("/samples")).toURI());
    Set<String> recorded;
    try (Stream<Path> files = Files.list(folder)) {
      recorded =
          files
              .map(f -> f.getFileName().toString())
              .map(f -> f.replaceFirst("\\.[a-z]+$", ""))
              .collect(Collectors.toSet());
    }
    Set<String> tested = new TreeSet<>();
    for (String row : (FIGURES + REASONS).lines().toList()) {
      tested.add(row.split("\\|", -1)[0].strip());
    }
    assertThat(tested).containsExactlyInAnyOrderElementsOf(recorded);
  }
}
