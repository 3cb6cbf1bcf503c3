package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.harness.TestCheckout;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Climbs of a server of one's own at a port of its own, and what their runs say. */
final class OwnClimb {
  static final String PYTHON = "/usr/bin/python3";

  /** As wide as thresholds go: whether the line runs is asked, not how fast. */
  static final String STUDY =
      """
      name: mine
      question: Does a server that the project has never met climb, beside the floor?
      servers: [%s]
      rungs: %s
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 1s, drain: 1s}
      bounds: {response_time_p99: 1h, server_start: 20s}
      """
          + BusyHost.THRESHOLDS;

  final int port = freePort();
  private final Path dir;

  /** In an empty folder. */
  OwnClimb(Path dir) {
    this.dir = dir;
  }

  /** Below those that the kernel hands out: of these, another test may get one while the server is started anew. */
  static int freePort() {
    int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
    try (ServerSocket _ = new ServerSocket(port)) {
      return port;
    } catch (IOException e) {
      return freePort();
    }
  }

  /** What starts a program in Python at that port. */
  String python(String program, String... arguments) throws IOException {
    Path file = Files.writeString(dir.resolve("own.py"), program);
    return String.join(" ", Stream.concat(Stream.of(PYTHON, file.toString(), "" + port), Stream.of(arguments)).toList());
  }

  String results() {
    return dir.resolve("results").toString();
  }

  Path folder() throws IOException {
    return RunBelow.folder(dir.resolve("results"), "mine");
  }

  RunRecord run() throws IOException {
    return RunBelow.record(folder());
  }

  static RungRecord rung(RunRecord run, String server, int connections) {
    return run.rungs().stream()
        .filter(rung -> rung.server().equals(server) && rung.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  boolean accepts() {
    try (Socket trial = new Socket()) {
      trial.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** What samples.csv has of its descriptors. */
  List<Long> descriptors(String label, int connections) throws IOException {
    List<String> rows = Files.readAllLines(folder().resolve("samples.csv"));
    int column = List.of(rows.getFirst().split(",", -1)).indexOf("server_descriptors");
    return rows.stream()
        .map(row -> row.split(",", -1))
        .filter(row -> row[0].equals(label) && row[1].equals("" + connections) && !row[column].isEmpty())
        .map(row -> Long.valueOf(row[column]))
        .toList();
  }

  private LadderProcess start(String... options) throws IOException {
    Path home = Files.createDirectories(dir.resolve("checkout"));
    new TestCheckout(home).study("mine", STUDY.formatted("fake", "[20]"));
    String[] all = Stream.concat(Stream.of("run", "mine", "--port", "" + port, "--results", results()), Stream.of(options)).toArray(String[]::new);
    return LadderProcess.start(home, dir, all);
  }

  /** In a checkout without a floor: its one rung, of 20 connections, and what the ladder said. */
  Alone alone(String... options) throws Exception {
    try (LadderProcess ladder = start(options)) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isLessThan(2);
      assertThat(ladder.err()).doesNotContain("\tat ");
      return new Alone(rung(run(), "own", 20), ladder.err());
    }
  }

  /** The beginning of such a run. */
  LadderProcess startTwo(String first, String second, String... conditions) throws IOException {
    Stream<String> failIf = Stream.of(conditions).flatMap(condition -> Stream.of("--fail-if", condition));
    return start(Stream.concat(Stream.of("--own", first, "--own", second, "--set", "repeats=7"), failIf).toArray(String[]::new));
  }

  /** A climb of two servers in seven pairs at that rung, one more than an interval needs. */
  Two two(String first, String second, String... conditions) throws Exception {
    try (LadderProcess ladder = startTwo(first, second, conditions)) {
      int status = ladder.status();
      assertThat(ladder.err()).doesNotContain("\tat ");
      // A line may be broken between two words.
      return new Two(status, ladder.out().replaceAll("\\s+", " "));
    }
  }

  /**
   * A run of two servers.
   *
   * @param said on stdout, in one line
   */
  record Two(int status, String said) {}

  /** What the ladder said of a server that it refused to climb, on stderr; nothing was measured then. */
  String refused(String... options) throws Exception {
    try (LadderProcess ladder = start(options)) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).doesNotContain("\tat ");
      assertThat(dir.resolve("results/mine")).doesNotExist();
      return ladder.err();
    }
  }

  /**
   * A rung that was climbed alone.
   *
   * @param said on stderr
   */
  record Alone(RungRecord rung, String said) {
    /** The first reason of its verdict. */
    Reason why() {
      return Objects.requireNonNull(rung.load()).verdictReasons().getFirst();
    }
  }
}
