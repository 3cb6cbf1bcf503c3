package echoladder.harness.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The forms of what options take, how a misspelt one is told, and what becomes of what is printed. */
class OptionsIT {
  private static final List<String> FULL = List.of("sh", "-c", "exec \"$0\" \"$@\" >/dev/full");

  private static final String[] INCOMPLETE = {"ladder: what this printed on stdout is incomplete", "/dev/full: No space left on device"};

  @TempDir private static Path home;
  @TempDir private Path logs;
  private static WarmLadder warm;

  @BeforeAll
  static void checkout() throws IOException {
    new TestCheckout(home).study("s", TestCheckout.STUDY);
    warm = new WarmLadder(home);
  }

  @AfterAll
  static void end() {
    warm.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "doctor --conections 5|Unknown option: '--conections'",
        "doctor --conections 5|did you mean --connections?",
        "run s --wait-quit 1m|Unknown option: '--wait-quit'",
        "run s --wait-quit 1m|did you mean --watch or --wait-quiet",
        "load --target 127.0.0.1:1 --conections 5 --rate 5 --duration 1s|Unknown option: '--conections'",
        "load --target 127.0.0.1:1 --conections 5 --rate 5 --duration 1s|did you mean --connections",
        "size --conections 5|Unknown option: '--conections'",
        "soak --conections 500|did you mean --connections?",
        "doctor --connections 0|--connections: 0 is not allowed; a count, as in 5000, 100k or 1m",
        "doctor --connections 1.5|--connections: '1.5' is not a count, as in 5000, 100k or 1m",
        "doctor --connections 5 --port http|--port: 'http' is no whole number",
        "size --connections many|--connections: 'many' is not a count",
        "soak --connections 0|--connections: 0 is not allowed; a count",
        "load --target 127.0.0.1:1 --connections 5 --rate 0/s --duration 1s|--rate: 0 is not allowed; a rate per second",
        "load --target 127.0.0.1:1 --connections 0 --rate 5 --duration 1s|--connections: 0 is not allowed; a count",
        "load --target 127.0.0.1:1 --connections 5 --rate 5/m --duration 1s|--rate: '5/m' is not a rate per second, as in 5000, 5000/s or 5k/s",
        "load --target 127.0.0.1:1 --connections 5 --rate 5 --duration 1s --server-metrics h^x|--server-metrics: 'h^x' is no URL",
        "plan s --set rungs=[1.5]|--set rungs=[1.5]: rungs[0]: 1.5 is not allowed; a whole number of connections, 1 to 5000000, also as in 100k",
        "plan s --set rungs=[many]|--set rungs=[many]: rungs[0]: 'many' is not allowed; a whole number of connections",
        "tune show /no/such.conf|the profile /no/such.conf cannot be read: there is no /no/such.conf",
        "index /no/such/folder|/no/such/folder: the published runs cannot be listed: there is no /no/such/folder",
        "tune minimal --connections 0 --server fake|--connections: 0 is not allowed; a count, as in 5000, 100k or 1m",
        "tune minimal --connections 5 --server fake --connect-rate 5/h|--connect-rate or --connect-timeout: '5/h' is not a rate per second, as in 5000, 5000/s or 5k/s",
        "tune minimal --connections 5 --server fake --connect-rate 0|--connect-rate: 0 is not allowed; a rate per second",
        "report /no/such/folder|/no/such/folder: there is no such run; give its folder",
      })
  void whatIsWrongIsSaidInWordsOfTheUser(String arguments, String message) throws IOException {
    WarmLadder.Ended ended = warm.execute(arguments.split(" "));
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains("ladder: ", message).doesNotContain("\tat ", "Exception", "java.", "is not a long");
    assertThat(ended.out()).isEmpty();
  }

  /** One of the verbs below tune makes its settings by the journals of a run. */
  @Test
  void helpListsWhatIsTaken() throws IOException {
    assertThat(warm.execute("tune", "apply", "--help").out()).contains("--state=DIR", "--proc-sys=DIR");
    assertThat(warm.execute("tune", "minimal", "--help").out()).doesNotContain("--state", "--proc-sys");
    assertThat(warm.execute("run", "--help").out()).contains(" [STUDY]\n");
    assertThat(warm.execute("plan", "--help").out()).contains(" [STUDY]\n");
  }

  /** Counts and rates are taken in each form by each verb, and by a study. */
  @ParameterizedTest
  @ValueSource(strings = {"rungs=[0.002k]", "load.rate.total=0.1k", "load.rate.total=100", "load.rate.total=100/s", "load.churn=1", "phases.connect_rate=5k/s"})
  void aStudyTakesCountsAndRatesAsOptionsDo(String setting) throws IOException {
    WarmLadder.Ended ended = warm.execute("plan", "s", "--set", setting, "--set", "repeats=1");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).containsPattern("fake +2 +100 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2000", "2k", "0.002m"})
  void verbsTakeCountsInEachForm(String count) throws IOException {
    assertThat(warm.execute("doctor", "--connections", count).out()).startsWith("2,000 connections");
  }

  /** What each verb understands stands in what it says of a number that is beyond its bounds. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "load --target 127.0.0.1:1 --connections 6000k|connections: 6000000 is not allowed; 1 to 5000000",
        "load --target 127.0.0.1:1 --connections 6m|connections: 6000000 is not allowed; 1 to 5000000",
        "load --target 127.0.0.1:1 --connections 6000000|connections: 6000000 is not allowed; 1 to 5000000",
        "load --target 127.0.0.1:1 --connections 5 --rate 20m/s|rate: 2.0E7 is not allowed",
        "load --target 127.0.0.1:1 --connections 5 --rate 20000k|rate: 2.0E7 is not allowed",
        "load --target 127.0.0.1:1 --connections 5 --rate 20000000/s|rate: 2.0E7 is not allowed",
        "size --connections 2000000k|--connections 2000000000 is not from 1 to 1000000000",
        "size --connections 2000m|--connections 2000000000 is not from 1 to 1000000000",
        "size --connections 2000000000|--connections 2000000000 is not from 1 to 1000000000",
        "soak --connections 50k|--connections 50000 is not from 100 to 20000",
        "soak --connections 0.05m|--connections 50000 is not from 100 to 20000",
        "soak --connections 50000|--connections 50000 is not from 100 to 20000",
      })
  void otherVerbsTakeThemToo(String arguments, String message) throws IOException {
    WarmLadder.Ended ended = warm.execute(arguments.split(" "));
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains(message);
  }

  /** A disk may be full where results are to go. What a verb measured and how it ended is no better than what can be read of it. */
  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "plan s", "environment", "doctor --connections 5 --json", "completion"})
  void resultsThatCannotBeWrittenAreStatus3(String arguments) throws InterruptedException {
    try (LadderProcess ladder = LadderProcess.startWith(FULL, home, logs, arguments.split(" "))) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains(INCOMPLETE);
    }
  }

  /** With what is published, and without writing among it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain EMFILE", "size --connections 10000 --server netty", "tune show 10k", "compare MEMORY MEMORY", "pool PLACEMENT OTHER",
        "report MEMORY --out LOGS/out", "index --to LOGS"
      })
  void answersThatCannotBeWrittenAreStatus3(String arguments) throws InterruptedException {
    Path published = Checkout.find().root().resolve("results/reference");
    String[] words =
        arguments
            .replace("MEMORY", published.resolve("memory/20261123T062015Z-df3b").toString())
            .replace("PLACEMENT", published.resolve("placement/20261125T085354Z-2c98").toString())
            .replace("OTHER", published.resolve("placement/20261125T103000Z-ef8f").toString())
            .replace("LOGS", logs.toString())
            .split(" ");
    try (LadderProcess ladder = LadderProcess.startWith(FULL, Checkout.find().root(), logs, words)) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains(INCOMPLETE);
    }
  }

  /** What it measured is in its folder all the same. Before it began it said what it had planned, as 'plan' does. */
  @Test
  void aRunWhoseTableCannotBeWrittenIsStatus3() throws Exception {
    try (LadderProcess ladder = LadderProcess.startWith(FULL, home, logs, "run", "s", "--results", logs.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains(INCOMPLETE).containsPattern("planned: 1 of 1 rungs are within reach of this host; about \\d.*, at most \\d");
      assertThat(warm.execute("plan", "s").out().lines().filter(line -> line.contains(" within reach ")))
          .singleElement()
          .satisfies(total -> assertThat(ladder.err()).contains("planned: " + total + "\n"));
    }
    assertThat(RunBelow.record(logs.resolve("results"), "s").rungs()).hasSize(1);
  }

  @Test
  void aLoadWhoseResultCannotBeWrittenIsStatus3() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> echo(server));
      String[] load = {"load", "--target", "127.0.0.1:" + server.getLocalPort(), "--connections", "1", "--rate", "20", "--duration", "1s"};
      try (LadderProcess ladder = LadderProcess.startWith(FULL, home, logs, load)) {
        assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
        assertThat(ladder.err()).contains(INCOMPLETE);
      }
    }
  }

  private static void echo(ServerSocket server) {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> {
          try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
          } catch (IOException e) {
            // The load has ended.
          }
        });
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void printsTheEnvironmentOfARun() throws IOException {
    WarmLadder.Ended ended = warm.execute("environment");
    assertThat(ended.status()).isZero();
    JsonNode environment = new JsonMapper().readTree(ended.out());
    assertThat(environment.propertyNames()).contains("ladder", "kernel", "cpu", "memory", "limits", "sysctl", "not_shown");
    assertThat(environment.path("memory").path("total_bytes").asLong()).isPositive();
    assertThat(ended.err()).isEmpty();
  }

  @Test
  void aShellCompletesVerbsAndOptions() throws Exception {
    Path script = Files.writeString(logs.resolve("completion"), warm.execute("completion").out());
    String typed = "COMP_WORDS=(ladder %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_ladder; echo \"${COMPREPLY[@]}\"; ";
    Process bash =
        new ProcessBuilder("bash", "-c", "source " + script + "; " + typed.formatted("si") + typed.formatted("run --wat")).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    assertThat(new String(bash.getInputStream().readAllBytes(), UTF_8)).isEqualTo("size site\n--watch\n");
    assertThat(bash.waitFor()).isZero();
  }
}
