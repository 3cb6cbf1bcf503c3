package echoladder.harness.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import echoladder.harness.TestCheckout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user types and what comes back; as a process of its own where more than its words and its status are asked. */
class UsageIT {
  private static final String STUDY = TestCheckout.STUDY.replace("rungs: [2]", "rungs: [2, 4000000]");

  @TempDir private static Path home;
  @TempDir private Path logs;
  private static WarmLadder warm;

  @BeforeAll
  static void checkout() throws IOException {
    new TestCheckout(home)
        .study("s", STUDY)
        .study("bad", STUDY.replace("name: s", "name: bad").replace("steady: 1s", "steady: 1"));
    warm = new WarmLadder(home);
  }

  @AfterAll
  static void end() {
    warm.close();
  }

  private LadderProcess ladder(String... arguments) {
    return LadderProcess.start(home, logs, arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|a verb is missing: run, plan, doctor, explain, tune, lab, serve, load, report, compare, pool, size, index, site, environment, soak, completion, man",
        "''|ladder:   ./ladder run       ",
        "climb|Unmatched argument at index 0: 'climb'",
        "climb|there is no such verb; the verbs are run, plan, doctor, explain, tune, lab, serve, load, report, compare, pool, size",
        "explain|Missing required parameter: 'TEXT'",
        "run nothing|there is no study 'nothing'; known studies: bad, s",
        "run bad|studies/bad/study.yaml:7: phases.steady: 1 is not allowed; length of the part that is recorded",
        "plan bad|studies/bad/study.yaml:7: phases.steady: 1 is not allowed; length of the part that is recorded",
        "run s --servers fake,none|--servers none: study 's' has no such server; it has fake",
        "run s --client wrk|--client wrk: there is no such client; known: open-loop, closed-loop, ",
        "run s --client wrk2|servers[0]: 'fake' speaks tcp, which wrk2 does not; clients that fit: open-loop, ",
        "run s --set phases.steady=3|--set phases.steady=3: phases.steady: 3 is not allowed; length of the part",
        "plan s --set phases.stedy=3s|--set phases.stedy=3s: phases.stedy: unknown key; known here: connect_rate",
        "run s --set steady|--set steady: not KEY=VALUE",
        "plan s --jdk /nowhere|--jdk: '/nowhere' is not allowed; there is no program /nowhere/bin/java",
        "run s --fast|Unknown option: '--fast'",
        "doctor --connections 5 --servr fake|did you mean --server",
        "rum s|did you mean run",
        "run s --attach 127.0.0.1:9|--attach needs --server-metrics URL, e.g. http://10.0.0.2:9100/metrics",
        "plan s --attach 127.0.0.1:9|--attach needs --server-metrics URL, e.g. http://10.0.0.2:9100/metrics",
        "run s --server-metrics http://127.0.0.1:9/metrics|--server-metrics goes with --attach HOST:PORT",
        "run s --attach 127.0.0.1 --server-metrics http://127.0.0.1:9/metrics|--attach: target '127.0.0.1' is not",
        "run s --attach 127.0.0.1:9 --server-metrics http://127.0.0.1:9|--server-metrics: 'http://127.0.0.1:9' is not",
        "run s --attach 8.8.8.8:9 --server-metrics http://127.0.0.1:9/metrics|--attach: refusing to load 8.8.8.8:9",
        "run s --attach 127.0.0.1:9 --server-metrics http://8.8.8.8:9/m|--server-metrics: refusing to load 8.8.8.8:9",
        "run s --source-address localhost|--source-address localhost is no IPv4 address of this host",
        "run s --source-address 192.0.2.1|--source-address 192.0.2.1 is no IPv4 address of this host",
        "run --resume /no/such/run|/no/such/run: there is no such run; give its folder",
        "run s --set repeats=2 --resume x|--resume goes on with the run's own study and settings, so leave out: STUDY, --set",
        "run s --wait-quiet soon|--wait-quiet: 'soon' is not a time with its unit ms, s, m or h",
        "run s --wait-quiet 25h|--wait-quiet: '25h' is more than 24h",
        "run s --results|Missing required parameter for option '--results' (DIR)",
        "lab|Missing required parameter: 'COMMAND'",
        "lab --memory 16 -- true|--memory: '16' is not an amount of memory with its unit M or G, 256M to 4096G",
        "lab --memory 16K -- true|--memory: '16K' is not an amount of memory with its unit M or G, 256M to 4096G",
        "lab --memory 255M -- true|--memory 255M is outside of 256M to 4096G",
        "lab --timeout soon -- true|--timeout: 'soon' is not a time with its unit ms, s, m or h, 1s to 24h",
        "lab --timeout 0s -- true|--timeout 0s is outside of 1s to 24h",
        "tune minimal --connections 11m --server fake|--connections 11000000 is not from 1 to 10000000",
        "tune minimal --connections 5 --server nothing|there is no server 'nothing'; known servers: fake",
        "tune minimal --connections 5 --server fake --from nofile|--from nofile: not KEY=VALUE",
        "tune minimal --connections 5 --server fake --state x|--state and --proc-sys do not go with minimal",
        "doctor --connections 5 --overwrite|--overwrite goes with --write DIR",
        "doctor|needed: --connections N, what this host shall hold; or --pid PID, a process that runs",
        "doctor --connections 5 --watch 1s|--watch goes with --pid PID",
        "doctor --pid 0|--pid 0 is no process id; 'pgrep -a NAME' lists them",
        "doctor --pid 1 --server fake|--pid looks at a process as it is: --server, --option, --role, --port, --tuples, --tls and --write are of a host",
        "doctor --pid 1 --connections 0|--connections: 0 is not allowed; a count",
        "doctor --pid 1 --watch 10ms|--watch 10ms is outside of 100ms to 1h",
        "doctor --pid 1 --watch soon|--watch: 'soon' is not a time with its unit ms, s, m or h",
        "serve nothing|there is no server 'nothing'; known servers: fake",
        "report|Missing required parameter: 'DIR'",
        "compare a|DIR: at least 2 of them are needed, and 1 is given",
        "pool|RUN: at least 2 of them are needed, and none are given",
        "load|needed: --target HOST:PORT, the server",
        "site|Missing required option: '--out=DIR'",
        "site --out x|there is no results/index.csv, so there are no results to show; './ladder index' writes it",
      })
  void badUsageIsOneMessageAndStatus2(String arguments, String message) throws IOException {
    WarmLadder.Ended ended = warm.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains(message).contains("ladder: ").doesNotContain("\tat ", "Exception", "SLF4J", "java.");
    assertThat(ended.out()).isEmpty();
    assertThat(home.resolve("results")).doesNotExist();
  }

  /** The streams and the status of a process are those. */
  @Test
  void badUsageEndsTheProcessWithStatus2() throws InterruptedException {
    try (LadderProcess ladder = ladder("run", "nothing")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err())
          .contains("ladder: there is no study 'nothing'; known studies: bad, s")
          .doesNotContain("\tat ", "Exception", "SLF4J");
      assertThat(ladder.out()).isEmpty();
    }
  }

  /** Its port is held and not listened at: one that was let go might be another test's by then. */
  @Test
  void aServerThatCannotBeReachedIsNotClimbed() throws Exception {
    SystemCalls sys = new SystemCalls();
    int held = sys.tcpSocket();
    assertThat(sys.bind(held, SocketAddress.of("127.0.0.1", 0))).isZero();
    String nobody = "127.0.0.1:" + sys.localPort(held);
    HttpServer page = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    page.createContext("/metrics", exchange -> {
      byte[] text = "process_cpu_seconds_total 1.5\n".getBytes(UTF_8);
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text);
      exchange.close();
    });
    page.start();
    String there = "http://127.0.0.1:" + page.getAddress().getPort() + "/metrics";
    try (LadderProcess noServer = ladder("run", "s", "--attach", nobody, "--server-metrics", there);
        LadderProcess noPage =
            ladder("run", "s", "--attach", nobody, "--server-metrics", "http://" + nobody + "/metrics")) {
      assertThat(noServer.status()).isEqualTo(3);
      assertThat(noServer.err()).contains("ladder: cannot connect to " + nobody + ": Connection refused");
      assertThat(noPage.status()).isEqualTo(3);
      assertThat(noPage.err())
          .contains("ladder: GET http://" + nobody + "/metrics failed: no connection could be made")
          .doesNotContain("Exception");
      assertThat(home.resolve("results")).doesNotExist();
    } finally {
      page.stop(0);
      sys.close(held);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "run", "plan", "doctor", "explain", "tune", "tune minimal", "lab", "serve", "load", "report", "compare", "size", "index", "site", "environment", "soak", "completion", "man"})
  void everyVerbHelpsWithAnExample(String verb) throws IOException {
    WarmLadder.Ended ended = warm.execute((verb + " --help").trim().split(" ", -1));
    assertThat(ended.status()).isZero();
    assertThat(ended.out()).contains("Usage: ladder", "Example", "ladder " + (verb.isEmpty() ? "run" : verb));
    assertThat(ended.err()).isEmpty();
  }

  @Test
  void hasAVersion() throws InterruptedException {
    try (LadderProcess ladder = ladder("--version")) {
      assertThat(ladder.status()).isZero();
      assertThat(ladder.out()).matches("ladder \\d+\\.\\d+\\.\\d+\\S* \\(JVM 25.*\\)\ncommit .+\nbuild  .+\n");
    }
  }

  @Test
  void planSaysWhatIsOutOfReachAndTouchesNothing() throws Exception {
    try (LadderProcess ladder = ladder("plan", "s")) {
      assertThat(ladder.status()).isZero();
      assertThat(ladder.out()).contains("fake", "4,000,000", "out of reach: ", "1 of 2 rungs are within reach");
      assertThat(ladder.err()).isEmpty();
    }
    try (var files = Files.list(home)) {
      assertThat(files.map(f -> f.getFileName().toString())).containsExactlyInAnyOrder("studies", "servers");
    }
  }

  @Test
  void aRunThatDependsOnAMissingToolIsStatus3WithTheWayOn() throws Exception {
    try (LadderProcess ladder = ladder("run", "s", "--client", "tcpkali", "--tcpkali", "/no/such/tcpkali")) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err())
          .isEqualTo(
              "ladder: tcpkali: /no/such/tcpkali is not a program; it comes from https://github.com/satori-com/tcpkali;"
                  + " name it with --tcpkali PATH, or use --client open-loop\n");
      assertThat(home.resolve("results")).doesNotExist();
    }
    try (LadderProcess ladder = ladder("plan", "s", "--client", "tcpkali", "--tcpkali", "/no/such/tcpkali")) {
      assertThat(ladder.status()).isZero();
      assertThat(ladder.out()).contains("client missing: tcpkali: ", "0 of 2 rungs");
    }
  }

  @Test
  void aResultsFolderThatCannotBeIsStatus3() throws Exception {
    Path file = Files.createFile(logs.resolve("a-file"));
    try (LadderProcess ladder = ladder("run", "s", "--results", file.toString())) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("ladder: cannot create a run folder in").doesNotContain("\tat ");
    }
  }

  @Test
  void aFolderThatIsNoCheckoutIsSaid() throws Exception {
    try (LadderProcess ladder = LadderProcess.start(Path.of("/no/such/checkout"), logs, "plan")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("-Decholadder.home=/no/such/checkout is not a folder");
    }
  }

  /** The folder of somebody else: what its link leads to is as it was, and nothing is written. */
  @Test
  void aLinkInAResultFolderIsRefused() throws Exception {
    Path victim = Files.writeString(logs.resolve("victim"), "mine");
    Path folder = Files.createDirectory(logs.resolve("run"));
    Files.copy(Path.of("src/test/resources/golden/run.json"), folder.resolve("run.json"));
    Files.createSymbolicLink(folder.resolve(".REPORT.md.next"), victim);
    for (String[] verb :
        new String[][] {
          {"report", folder.toString()}, {"compare", folder.toString(), folder.toString()}, {"run", "--resume", folder.toString()}
        }) {
      try (LadderProcess ladder = ladder(verb)) {
        assertThat(ladder.status()).as(ladder.err()).isEqualTo(2);
        assertThat(ladder.err()).contains(".REPORT.md.next is a link to " + victim).doesNotContain("\tat ");
      }
    }
    assertThat(victim).hasContent("mine");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  /** Two that write into one folder: the second says who has it. */
  @Test
  void aReportOfARunThatIsClimbedIsRefused() throws Exception {
    Path folder = Files.createDirectory(logs.resolve("run"));
    Files.copy(Path.of("src/test/resources/golden/run.json"), folder.resolve("run.json"));
    try (RunLock climbed = RunLock.of(new RunFolder(folder)).take();
        LadderProcess ladder = ladder("report", folder.toString())) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("is being climbed, or its report written, by process " + ProcessHandle.current().pid());
      climbed.remove();
    }
    try (LadderProcess ladder = ladder("report", folder.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    assertThat(folder.resolve("REPORT.md")).isRegularFile();
    assertThat(folder.resolve("run.lock")).doesNotExist();
  }
}
