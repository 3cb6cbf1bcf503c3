package echoladder.tcpkali;

import static org.assertj.core.api.Assertions.assertThat;

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
  private static final Set<String> SEEN_IN_OTHER_TESTS = Set.of("tcpkali-tty", "tcpkali-backlog-full-ct1");

  private static final String FIGURES =
      """
      tcpkali-2src-2dst            | 0         | 0         | 2.00059 | {}
      tcpkali-backlog-full         | 400       | 0         | 4.00163 | {}
      tcpkali-backpressure-CO      | 157625596 | 157641656 | 6.00145 | {50.0=0.1, 66.0=0.5, 75.0=1.7, 90.0=5.5, 99.0=27.6, 100.0=1999.9}
      tcpkali-backpressure-nostall | 157610832 | 157610832 | 6.00122 | {50.0=0.1, 66.0=0.1, 75.0=0.1, 90.0=0.2, 99.0=2.1, 100.0=10.2}
      tcpkali-bias-all-slow        | 25005     | 24795     | 5.00129 | {50.0=80.4, 90.0=80.9, 99.0=81.2, 100.0=84.3}
      tcpkali-bias-lifetime        | 24020     | 23770     | 5.00033 | {50.0=80.3, 90.0=80.9, 99.0=81.1, 100.0=81.6}
      tcpkali-bias-messagemarker   | 165297    | 163680    | 5.00142 | {50.0=0.2, 90.0=0.4, 99.0=0.6, 100.0=0.8}
      tcpkali-bias-slow-from-60    | 25010     | 24770     | 5.00188 | {50.0=0.0, 90.0=0.1, 99.0=0.6, 100.0=1.7}
      tcpkali-blackhole            | 25050     | 0         | 5.00029 | {95.0=0.0, 99.0=0.0, 99.5=0.0}
      tcpkali-highlat-overload     | 30040     | 29200     | 6.00082 | {50.0=212.1, 90.0=295.7, 99.0=299.9, 100.0=301.5}
      tcpkali-normal               | 50015     | 50015     | 5.00063 | {50.0=0.0, 90.0=0.1, 99.0=0.2, 99.9=0.9, 100.0=2.9}
      tcpkali-server-dies          | 5550      | 5550      | 5.00252 | {95.0=0.1, 99.0=1.5, 99.5=1.8}
      tcpkali-sigint               | 890       | 890       | 1.78364 | {95.0=0.2, 99.0=0.2, 99.5=0.2}
      tcpkali-somefail             | 50150     | 50150     | 5.00076 | {95.0=0.1, 99.0=0.3, 99.5=0.7}
      tcpkali-stall-to-end         | 5960      | 2500      | 6.00187 | {50.0=0.0, 90.0=0.0, 99.0=0.8, 100.0=1.2}
      tcpkali-stall2s              | 5970      | 5970      | 6.00028 | {50.0=0.0, 90.0=1439.9, 99.0=1955.1, 100.0=1982.3}
      tcpkali-statsd               | 4980      | 4980      | 5.00107 | {95.0=0.1, 99.0=1.7, 99.5=3.0}
      tcpkali-ws-client            | 0         | 180       | 3.00588 | {}
      tcpkali-ws-echo              | 1034      | 658       | 4.00552 | {50.0=0.0, 99.0=0.1, 100.0=0.1}
      tcpkali-ws-server            | 180       | 3360      | 8.00072 | {}
      """;

  private static final String REASONS =
      """
      tcpkali-2src-2dst            | ''
      tcpkali-backpressure-CO      | coordinated-omission
      tcpkali-backpressure-nostall | ''
      tcpkali-badmarker            | client-died
      tcpkali-badsrc               | client-died
      tcpkali-bias-all-slow        | ''
      tcpkali-bias-lifetime        | ''
      tcpkali-bias-messagemarker   | times-contradicted
      tcpkali-bias-slow-from-60    | times-contradicted
      tcpkali-blackhole            | offered-rate-not-reached unanswered
      tcpkali-highlat-overload     | ''
      tcpkali-limit30000-hard20000 | connections-missing
      tcpkali-max100-of-200        | connections-missing
      tcpkali-nohost               | client-died
      tcpkali-nomsg-marker         | client-died
      tcpkali-noport               | client-died
      tcpkali-normal               | ''
      tcpkali-refused              | connections-missing
      tcpkali-sigterm              | client-died
      tcpkali-softlimit1024        | connections-missing
      tcpkali-somefail             | connections-lost
      tcpkali-stall-to-end         | offered-rate-not-reached unanswered
      tcpkali-stall2s              | ''
      tcpkali-statsd               | ''
      tcpkali-stopmsg              | client-died
      tcpkali-usage-rate           | client-died
      tcpkali-workers3             | client-died
      """;

  @ParameterizedTest
  @CsvSource(textBlock = FIGURES, delimiter = '|')
  void figuresAreThoseThatItPrinted(String name, long sent, long received, double seconds, String message)
      throws IOException {
    TcpkaliReport report = Sample.read(name).report().orElseThrow();
    assertThat(report.sentBytes()).isEqualTo(sent);
    assertThat(report.receivedBytes()).isEqualTo(received);
    assertThat(report.seconds()).isEqualTo(seconds);
    assertThat(report.message().msByPercent()).hasToString(message);
  }

  @ParameterizedTest
  @CsvSource(textBlock = REASONS, delimiter = '|')
  void whatWentWrongIsNamed(String name, String reasons) throws IOException {
    assertThat(ids(Sample.read(name).doubts())).isEqualTo(reasons);
  }

  private static String ids(List<Reason> doubts) {
    return doubts.stream().map(d -> d.reason().id()).collect(Collectors.joining(" "));
  }

  @Test
  void aQueueThatTakesNoMoreConnectionsIsSeenByOurOwnCount() throws IOException {
    // 80 messages went out and each connection was to send 8: 10 of 100 were connected. It says "Ramped up to 100".
    Sample sending = Sample.read("tcpkali-backlog-full");
    assertThat(sending.ended().stderr()).contains("Ramped up to 100 connections.");
    assertThat(sending.ended().exit()).isZero();
    assertThat(ids(sending.doubts(10, 10))).isEqualTo("offered-rate-not-reached unanswered connections-missing");
    assertThat(ids(Sample.read("tcpkali-backlog-full-ct1").doubts(10, 10))).isEqualTo("connections-missing");
  }

  @Test
  void aServerThatDiesIsSeenByOurOwnCount() throws IOException {
    Sample died = Sample.read("tcpkali-server-dies");
    assertThat(died.ended().exit()).isZero();
    List<Reason> doubts = died.doubts(50, 0);
    assertThat(ids(doubts)).isEqualTo("offered-rate-not-reached connections-lost");
    assertThat(doubts.getFirst().detail()).isEqualTo("1,110 echoes in a steady state that intended 2,501, 44.38 % (achieved_share_least 95.00 %)");
    assertThat(doubts.getLast().detail()).startsWith("50 of 50 connections were gone");
  }

  @Test
  void whatIsSaidNamesTheFigures() throws IOException {
    assertThat(detail("tcpkali-somefail"))
        .isEqualTo("22 connections were closed and others opened in their place; the tool says nothing of it");
    assertThat(detail("tcpkali-bias-slow-from-60"))
        .isEqualTo(
            "48 messages were under way; a longest time of 1.7 ms, which is what it reports of 20 of 200 connections, "
                + "explains 4");
    assertThat(detail("tcpkali-backpressure-CO"))
        .isEqualTo(
            "one message took 2,000 ms, so on its connection alone 4.1 % of all took over 1,000 ms; p99 is 27.6 ms");
    assertThat(Sample.read("tcpkali-stall-to-end").doubts().getLast().detail())
        .isEqualTo("692 messages had no echo at the end, those of 3.5 s; tcpkali's times leave them out");
    assertThat(detail("tcpkali-refused"))
        .isEqualTo("tcpkali gave up: Could not create 50 connections in allotted time (5s)");
    assertThat(detail("tcpkali-softlimit1024")).contains("socket EMFILE").contains("descriptor-limit.md");
    assertThat(detail("tcpkali-usage-rate"))
        .isEqualTo(
            "tcpkali ended with exit status 64 without a report: "
                + "\"Decrease --connections=5000, or increase --duration=10 or --connect-rate=100.\"");
  }

  private static String detail(String name) throws IOException {
    return Sample.read(name).doubts().getFirst().detail();
  }

  @Test
  void anInterruptFromOutsideIsTold() throws IOException {
    assertThat(TcpkaliJudgement.tooEarly(Sample.read("tcpkali-sigint").ended()).reason().id()).isEqualTo("interrupted");
    assertThat(TcpkaliJudgement.tooEarly(Sample.read("tcpkali-normal").ended()).reason().id()).isEqualTo("client-died");
  }

  @Test
  void aTerminalsOutputIsReadToo() throws IOException {
    TcpkaliReport report = TcpkaliReport.parse(Sample.text("tcpkali-tty.typescript")).orElseThrow();
    assertThat(report.sentBytes()).isEqualTo(7_500);
    assertThat(report.seconds()).isEqualTo(3.00249);
    assertThat(report.connect().msByPercent()).hasToString("{95.0=0.2, 99.0=0.2, 99.5=1.3}");
    assertThat(report.firstByte().msByPercent()).hasToString("{95.0=201.3, 99.0=202.7, 99.5=204.7}");
    assertThat(report.message().msByPercent()).hasToString("{95.0=0.1, 99.0=1.2, 99.5=1.6}");
  }

  @Test
  void noRecordedRunIsLeftOut() throws IOException, URISyntaxException {
    Path folder = Path.of(Objects.requireNonNull(SamplesTest.class.getResource("/samples")).toURI());
    Set<String> recorded;
    try (Stream<Path> files = Files.list(folder)) {
      recorded = files.map(f -> f.getFileName().toString().replaceFirst("\\.[a-z]+$", "")).collect(Collectors.toSet());
    }
    Set<String> tested = new TreeSet<>(SEEN_IN_OTHER_TESTS);
    for (String row : (FIGURES + REASONS).lines().toList()) {
      tested.add(row.split("\\|", -1)[0].strip());
    }
    assertThat(tested).containsExactlyInAnyOrderElementsOf(recorded);
  }
}
