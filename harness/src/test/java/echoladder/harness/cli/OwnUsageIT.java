package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Checkout;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a server of the user's own before anything is started, and the beginning of one that is to stay. */
class OwnUsageIT {
  @TempDir private static Path home;
  @TempDir private Path logs;
  private static WarmLadder warm;

  @BeforeAll
  static void checkout() throws IOException {
    new TestCheckout(home)
        .study("s", TestCheckout.STUDY)
        .write(
            "servers/broken/server.yaml",
            "name: broken\ntitle: Broken\nprotocol: tcp\nrole: contender\nruntime: native\ncommand: [sh, -c, 'exit 7']\n");
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
        "run s --port 9000|--port goes with --own 'COMMAND' or --own-pid PID",
        "run s --own cat|--own needs --port PORT, the port on 127.0.0.1 where the server accepts",
        "run s --own cat --port 0|--port 0 is not from 1 to 65535",
        "run s --own cat --port 9 --own-pid 1|--own starts a server and --own-pid takes a server that runs; leave one of the two out",
        "run s --own cat --port 9 --name Mine|--name 'Mine' is no label: lower-case letters, digits and '-'",
        "run s --own cat --port 9 --name fake|--name fake: the project has a server of that name",
        "run s --own cat --port 9 --protocol quic|--protocol 'quic' is none of tcp, http and websocket",
        "run s --own cat --port 9 --path /x|--path goes with --protocol http or websocket",
        "run s --own cat --port 9 --protocol websocket --expect-status 200|--expect-status goes with --protocol http",
        "run s --own cat --port 9 --protocol websocket --servers fake|--servers: fake speaks tcp and your server speaks websocket: they do not compare",
        "run s --own cat --port 9 --protocol http --expect-status 99|--expect-status: 99 is not allowed; 200 to 599",
        "run s --own cat --port 9 --protocol http --request /no/file|--request /no/file: there is no such file",
        "run s --own cat --port 9 --protocol http --servers fake|--servers: fake speaks tcp and your server speaks http: they do not compare",
        "run s --own cat --port 9 --subscribe-path /x|--subscribe-path goes with --protocol http",
        "run s --own cat --port 9 --protocol http --publish-path x|--publish-path: x is not allowed",
        "run s --own cat --port 9 --protocol http --subscribe-path /x|--subscribe-path and --publish-path go with a study that publishes",
        "run s --own cat --port 9 --protocol websocket --publish-path /x|--subscribe-path and --publish-path go with a study that publishes",
        "run s --own cat --port 9 --protocol websocket --path /x --publish-path /x|--path is where an echo is asked for; leave it out",
        "run s --own cat --port 9 --protocol websocket --publish-path x|--publish-path: x is not allowed",
        "run s --publish-path /x|--publish-path goes with --own 'COMMAND' or --own-pid PID, or with --attach HOST:PORT",
        "run s --attach 127.0.0.1:9 --server-metrics http://127.0.0.1:9/metrics --path /x|--path goes with --own 'COMMAND' or --own-pid PID",
        "run s --attach 127.0.0.1:9 --server-metrics http://127.0.0.1:9/metrics --publish-path x|--publish-path: x is not allowed",
        "plan s --attach 127.0.0.1:9 --server-metrics http://127.0.0.1:9/metrics --publish-path /x|--subscribe-path and --publish-path go with a study that",
        "run s --own cat --port 9 --client tcpkali|--client tcpkali with --own: a foreign load tool is checked against the server's metrics page",
        "run s --own cat --port 9 --hosts /dev/null|--hosts cannot be given with --own",
        "run s --own cat --port 9 --attach 127.0.0.1:9|--own climbs your server on this host and --attach climbs a server elsewhere",
        "plan s --own cat|--own needs --port PORT, the port on 127.0.0.1 where the server accepts",
        "plan s --own cat --port 9 --attach 127.0.0.1:9|--own climbs your server on this host and --attach climbs a server elsewhere",
        "index . --to .|: there is no STUDY/RUN-ID/run.json below it, so the lists would be empty",
        "index results --check some|--check looks at one run and writes no list; leave DIR and --to out",
        "run s --own cat --port 9 --protocol http --set load.slow_readers=0.5|--own: connections that send on without reading (load.slow_readers) speak TCP alone, and your server speaks http",
        "plan s --own cat --port 9 --protocol websocket --set load.slow_readers=0.5|(load.slow_readers) speak TCP alone, and your server speaks websocket",
        "run s --own cat --port 9 --set load.storm=rush|--own: study 's' kills its server and starts it again; name another study",
        "run s --own cat --own cat --own cat --port 9|--own is given 3 times: one server is climbed beside the floor, two are compared in pairs",
        "run s --own cat --own cat --port 9 --port 8 --port 7|--port is given 3 times, and there are two servers; give one port for all, or one for each",
        "run s --own cat --port 9 --port 8|--port is given 2 times, and there is one server",
        "run s --own cat --own cat --port 9 --name x|--name names one server, and there are two; name them with --own LABEL=COMMAND",
        "run s --own a=cat --own cat --port 9|--own 'a=cat' has the label 'a' and the other --own has none; give both a label, or none; a variable",
        "run s --own GOGC=5 --own GOGC=9 --port 9|--own: both servers have the label 'GOGC'; the report needs two; a variable of a command is set with env",
        "run s --own a=cat --own b= --port 9|--own b=: the command is empty",
        "run s --own fake=cat --own b=cat --port 9|--own fake: the project has a server of that name; give your server another name",
        "run s --own cat --own cat --port 9 --set fail_if=[x]|--fail-if: a condition is judged by the interval of a figure over repeats; study 's' has 1 repeats",
        "plan s --own cat --own cat --port 9 --set repeats=6 --fail-if x|--fail-if 'x': it is no condition: it has to be LABEL/LABEL FIGURE > RATIO",
        "run s --own cat --own cat --port 9 --set repeats=6 --fail-if C|--fail-if 'C': it is no condition",
        "serve --new Mine|--new 'Mine' is no name of a server",
        "serve --new fake|--new fake: there is such a server already",
      })
  void badUsageIsOneMessageAndStatus2(String arguments, String message) throws IOException {
    WarmLadder.Ended ended = warm.execute(arguments.split(" "));
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains(message).contains("ladder: ").doesNotContain("\tat ", "Exception", "SLF4J");
    assertThat(ended.out()).isEmpty();
    assertThat(home.resolve("results")).doesNotExist();
  }

  /** The plan of the run that would be; the server need not be there. */
  @Test
  void aServerOfOnesOwnIsPlannedWithoutBeingStarted() throws IOException {
    WarmLadder.Ended ended = warm.execute("plan", "s", "--own", "no-such-program", "--port", "9", "--name", "mine");
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("mine", "1 of 1 rungs are within reach");
    assertThat(home.resolve("results")).doesNotExist();
  }

  /** Neither of two may be missing, and the conditions are checked before anything else. */
  @Test
  void twoServersAndTheirConditionsAreCheckedBeforehand() throws IOException {
    String[] two = {"run", "s", "--own", "cat", "--own", "no-such-program", "--port", "9", "--set", "repeats=6", "--fail-if"};
    WarmLadder.Ended condition = warm.execute(with(two, "B/A server_cpu > 1.05"));
    assertThat(condition.status()).isEqualTo(2);
    assertThat(condition.err()).contains("there is no figure 'server_cpu'; the nearest are server_cpu_us_per_echo, ").doesNotContain("\tat ");
    WarmLadder.Ended missing = warm.execute(with(two, "B/A server_cpu_us_per_echo > 1.05"));
    assertThat(missing.status()).isEqualTo(3);
    assertThat(missing.err()).contains("there is no command 'no-such-program'");
    assertThat(home.resolve("results")).doesNotExist();
  }

  private static String[] with(String[] words, String more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void aServerOfOnesOwnThatCannotBeStartedIsStatus3() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + taken.getLocalPort();
      WarmLadder.Ended inUse = warm.execute("run", "s", "--own", "sleep 60", "--port", port);
      assertThat(inUse.status()).isEqualTo(3);
      assertThat(inUse.err()).contains("ladder: port " + port + " is in use").doesNotContain("\tat ");
      WarmLadder.Ended missing = warm.execute("run", "s", "--own", "no-such-program 1", "--port", port);
      assertThat(missing.status()).isEqualTo(3);
      assertThat(missing.err()).contains("there is no command 'no-such-program'");
      WarmLadder.Ended gone = warm.execute("run", "s", "--own-pid", "" + (1 << 23), "--port", port);
      assertThat(gone.status()).isEqualTo(3);
      assertThat(gone.err()).contains("--own-pid 8388608: there is no such process");
      Process stranger = new ProcessBuilder("sleep", "60").start();
      try {
        WarmLadder.Ended other = warm.execute("run", "s", "--own-pid", "" + stranger.pid(), "--port", port);
        assertThat(other.status()).isEqualTo(3);
        assertThat(other.err())
            .contains("process %d (sleep) does not listen at 127.0.0.1:%s; process %d (java) does"
                .formatted(stranger.pid(), port, ProcessHandle.current().pid()));
      } finally {
        stranger.destroyForcibly();
      }
    }
    assertThat(home.resolve("results")).doesNotExist();
  }

  /** The CPU and memory of the ladder's own client would count as the server's: of the process that has started the ladder, and of all above it. */
  @Test
  void whatHasStartedTheLadderIsNotClimbed() throws IOException {
    try (ServerSocket accepts = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ProcessHandle here = ProcessHandle.current();
      List<ProcessHandle> above = Stream.iterate(Optional.of(here), Optional::isPresent, at -> at.orElseThrow().parent()).map(Optional::orElseThrow).toList();
      for (ProcessHandle ancestor : List.of(here, above.get(1), above.getLast())) {
        WarmLadder.Ended ended = warm.execute("run", "s", "--own-pid", "" + ancestor.pid(), "--port", "" + accepts.getLocalPort());
        assertThat(ended.status()).as(ended.err()).isEqualTo(3);
        assertThat(ended.err())
            .containsPattern(
                "--own-pid %1$d: process %1$d \\(.+\\) has started this process, so the CPU of the load's client would count as the server's"
                    .formatted(ancestor.pid()))
            .doesNotContain("\tat ");
        assertThat(ended.out()).isEmpty();
      }
    }
    assertThat(home.resolve("results")).doesNotExist();
  }

  /** It would be found out only after the first rung of the study's own servers. */
  @Test
  void aServerThatWasAddedToTheStudyAndDoesNotStartIsStatus3() throws IOException {
    WarmLadder.Ended ended = warm.execute("run", "s", "--servers", "fake,broken");
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err())
        .contains("server 'broken', tried before the climb: the server ended with exit status 7 before its ready line", "nothing was measured");
    assertThat(home.resolve("results")).doesNotExist();
  }

  @Test
  void aNewServerWorksAsItStands() throws Exception {
    Path other = Files.createDirectory(logs.resolve("checkout"));
    new TestCheckout(other);
    try (LadderProcess ladder = LadderProcess.start(other, logs, "serve", "--new", "mine")) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).contains("servers/mine/server.yaml is written and works as it stands");
    }
    assertThat(ServerManifest.all(new Checkout(other)).get("mine")).isNotNull();
    Path program = Path.of("..", "go-echo", "target", "go-echo").toRealPath();
    Files.createDirectories(other.resolve("go-echo/target"));
    Files.createSymbolicLink(other.resolve("go-echo/target/go-echo"), program);
    try (LadderProcess ladder = LadderProcess.start(other, logs, "serve", "mine")) {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> ladder.out().contains("\"ready\":true"));
      ladder.signal("TERM");
      ladder.status();
    }
  }
}
