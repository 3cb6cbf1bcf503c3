package echoladder.h2load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestLogTest {
  private static final double PERIOD_SECONDS = 0.05;
  private static final RequestLog.Window STEADY = new RequestLog.Window(1_700_000_000_000_000L, 1_700_000_010_000_000L);

  @TempDir Path folder;

  private RequestLog read(String rows) throws IOException {
    try (ServiceLog intervals = new ServiceLog(folder.resolve("times.hlog"))) {
      return RequestLog.read(new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)), PERIOD_SECONDS, STEADY, intervals);
    }
  }

  /** Rows of 1 ms each, one every millisecond. */
  private static String rows(int count) {
    return IntStream.range(0, count).mapToObj(i -> (1_700_000_000_000_000L + 1_000L * i) + "\t200\t1000\n").collect(Collectors.joining());
  }

  @Test
  void eachStatusIsCountedAndRightAnswersAreTimed() throws IOException {
    RequestLog log = read("1700000000000000\t200\t120\n1700000000000100\t503\t50\n1700000000000200\t-1\t7\t9\n");
    assertThat(log.rows()).isEqualTo(3);
    assertThat(log.answered()).isEqualTo(1);
    assertThat(log.failed()).isEqualTo(1);
    assertThat(log.service().getMaxValue()).isBetween(119_900L, 120_200L);
    assertThat(log.damage()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "1\t2", "x\t200\t1", "1700000000000000\t200\tx", "0\t200\t1", "1700000000000000\t2000\t1", "99999999999999999999\t200\t1",
        "9223372036854775807\t200\t1"
      })
  void whatIsNoRowIsDamage(String row) throws IOException {
    RequestLog log = read("1700000000000000\t200\t120\n" + row + "\n1700000000000000\t200\t120\n");
    assertThat(log.damage()).isEqualTo("row 2 of its log is '" + row + "'");
    assertThat(log.answered()).isEqualTo(1);
  }

  @Test
  void aRowWithoutEndIsDamage() throws IOException {
    assertThat(read("1700000000000000\t200\t1" + "0".repeat(1_000)).damage()).startsWith("row 1 of its log is '1700000000000000\t200\t10");
  }

  @Test
  void aTimeOfOverAnHourIsAnHour() throws IOException {
    assertThat(read("1699996400000001\t200\t9000000000000000000\n").service().getMaxValue()).isBetween(3_599_000_000_000L, 3_602_000_000_000L);
  }

  /** h2load's main duration is longer than what is measured. */
  @Test
  void onlyWhatEndedInTheSteadyStateIsTimed() throws IOException {
    RequestLog log = read("1699999999999000\t200\t900\n1699999999999000\t200\t1000\n1700000009999000\t200\t999\n1700000009999000\t-1\t1000\n");
    assertThat(log.rows()).isEqualTo(4);
    assertThat(log.ended()).isEqualTo(2);
    assertThat(log.answered()).isEqualTo(2);
    assertThat(log.failed()).isZero();
  }

  /** A request of 480 ms is in the way of the nine that its connection's schedule asks for meanwhile. */
  @Test
  void sendsThatWaitedAreCountedAndPercentilesTheyCouldMoveAreNotGiven() throws IOException {
    RequestLog log = read(rows(2_991) + "1700000000000000\t200\t480000\n");
    assertThat(log.heldBack()).isEqualTo(9);
    assertThat(log.percentiles().p90Ns()).isBetween(999_000L, 1_002_000L);
    assertThat(log.percentiles().p99Ns()).as("29.9 lie beyond it, and 9 waited").isNull();
    assertThat(log.percentiles().maxNs()).isBetween(479_000_000L, 481_000_000L);
    assertThat(read(rows(2_991)).percentiles().p99Ns()).isBetween(999_000L, 1_002_000L);
  }

  /** A row of another thread may come a little late; no second of the log is written twice. */
  @Test
  void eachSecondIsOneInterval() throws IOException {
    read(rows(1_500) + "1700000000999000\t200\t900\n" + "1700000003000000\t200\t100\n");
    StringBuilder seconds = new StringBuilder();
    try (HistogramLogReader log = new HistogramLogReader(folder.resolve("times.hlog").toFile())) {
      while (log.hasNext()) {
        Histogram one = (Histogram) log.nextIntervalHistogram();
        seconds.append(one.getStartTimeStamp() / 1_000 - 1_700_000_000L).append(':').append(one.getTotalCount()).append(' ');
      }
    }
    assertThat(seconds).hasToString("0:999 1:502 3:1 ");
  }

  @Test
  void aLogThatIsNotThereIsEmpty() throws IOException {
    try (ServiceLog intervals = new ServiceLog(folder.resolve("times.hlog"))) {
      assertThat(RequestLog.read(folder.resolve("none"), PERIOD_SECONDS, STEADY, intervals).rows()).isZero();
    }
    assertThat(Files.size(folder.resolve("times.hlog"))).isZero();
  }
}
