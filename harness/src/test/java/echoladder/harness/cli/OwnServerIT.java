package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.linux.ProcessTree;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers in a language that the project has never met, which keep nothing of its contract but the echo. */
@Needs(Need.PYTHON)
class OwnServerIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final String PYTHON = "/usr/bin/python3";

  /** As wide as thresholds go: whether the line runs is asked, not how fast. */
  private static final String STUDY =
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

  /** Echoes; with {@code dies} only until the fifth connection, with {@code greets} after words of its own. */
  private static final String ECHO =
      """
      import asyncio, os, sys

      kind = sys.argv[2] if len(sys.argv) > 2 else ""
      seen = 0

      async def echo(reader, writer):
          global seen
          seen += 1
          if kind == "dies" and seen > 5:
              print("no more than five", flush=True)
              os._exit(7)
          if kind == "greets":
              writer.write(b"220 welcome to a line protocol, please say hello\\r\\n")
          try:
              while data := await reader.read(65536):
                  writer.write(data)
                  await writer.drain()
          finally:
              writer.close()

      async def main():
          server = await asyncio.start_server(echo, "127.0.0.1", int(sys.argv[1]), backlog=1024)
          await server.serve_forever()

      asyncio.run(main())
      """;

  /** Upgrades at /chat, and echoes the message in each frame that is no close. */
  private static final String WEBSOCKET =
      """
      import asyncio, base64, hashlib, struct, sys

      async def talk(reader, writer):
          try:
              head = await reader.readuntil(b"\\r\\n\\r\\n")
              if not head.startswith(b"GET /chat HTTP/1.1"):
                  writer.write(b"HTTP/1.1 404 Not Found\\r\\nContent-Length: 0\\r\\n\\r\\n")
                  return
              fields = {name.lower(): value for name, value in (line.split(b": ", 1) for line in head.split(b"\\r\\n")[1:-2])}
              accept = hashlib.sha1(fields[b"sec-websocket-key"] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
              writer.write(b"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                           b"Sec-WebSocket-Accept: " + base64.b64encode(accept) + b"\\r\\n\\r\\n")
              while True:
                  first, second = await reader.readexactly(2)
                  length = second & 127
                  if length == 126:
                      length, = struct.unpack(">H", await reader.readexactly(2))
                  mask = await reader.readexactly(4)
                  data = bytes(b ^ mask[i & 3] for i, b in enumerate(await reader.readexactly(length)))
                  writer.write(bytes([first]) + (bytes([length]) if length < 126 else struct.pack(">BH", 126, length)) + data)
                  await writer.drain()
                  if first & 15 == 8:
                      return
          except (asyncio.IncompleteReadError, ConnectionError):
              pass
          finally:
              writer.close()

      async def main():
          server = await asyncio.start_server(talk, "127.0.0.1", int(sys.argv[1]), backlog=1024)
          await server.serve_forever()

      asyncio.run(main())
      """;

  @TempDir private Path dir;

  private final int port = freePort();

  /** Below those that the kernel hands out: of these, another test may get one while the server is started anew. */
  private static int freePort() {
    int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
    try (ServerSocket _ = new ServerSocket(port)) {
      return port;
    } catch (IOException e) {
      return freePort();
    }
  }

  private String command(String kind) throws IOException {
    return (PYTHON + " " + Files.writeString(dir.resolve("echo.py"), ECHO) + " " + port + " " + kind).trim();
  }

  private Path folder() throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("results/mine"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  private static RunRecord run(Path folder) throws IOException {
    String json = Files.readString(folder.resolve("run.json"));
    assertThat(RunSchema.complaints(json)).isEmpty();
    return RunFolder.parse(json);
  }

  private static RungRecord rung(RunRecord run, String server, int connections) {
    return run.rungs().stream()
        .filter(rung -> rung.server().equals(server) && rung.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  private boolean accepts() {
    try (Socket trial = new Socket()) {
      trial.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void climbsBesideTheFloorByOneCommand() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.formatted("floor, go-echo", "[20, 40]"));
    try (LadderProcess ladder =
        LadderProcess.start(
            HOME, dir, "run", study.toString(), "--own", command(""), "--port", "" + port, "--name", "asyncio", "--results",
            dir.resolve("results").toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.err()).contains("'asyncio' has no metrics page", "4/4  asyncio  40  start server").doesNotContain("\tat ");
      assertThat(ladder.out()).contains("A server of the user's own: asyncio was started by its command");
    }
    assertThat(accepts()).as("it still runs").isFalse();
    RunRecord run = run(folder());
    assertThat(run.servers()).extracting(RunRecord.ServerRecord::label).containsExactly("floor", "asyncio");
    assertThat(Objects.requireNonNull(run.servers().getLast().own()).command()).isEqualTo(command(""));
    assertThat(run.reproduce()).contains(" --own '" + command("") + "' --port " + port + " --name asyncio");
    for (int connections : List.of(20, 40)) {
      RungRecord own = rung(run, "asyncio", connections);
      assertThat(own.valid()).isTrue();
      assertThat(LoadMetrics.SERVER_CPU.value(own)).isPositive();
      assertThat(LoadMetrics.SERVER_RSS.value(own)).isGreaterThan(1 << 20);
      assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(own)).isPositive();
      assertThat(HostMetrics.CONNECTIONS_OPEN.value(own)).isNull();
      assertThat(RuntimeMetrics.GC_COUNT.value(own)).isNull();
      assertThat(MemoryMetrics.LIVE_HEAP.value(own)).isNull();
      assertThat(Objects.requireNonNull(own.process()).metricsPort()).isNull();
      assertThat(descriptors(connections)).as("at %s", connections).anyMatch(open -> open >= connections);
    }
    assertThat(rung(run, "asyncio", 20).process()).isNotEqualTo(rung(run, "asyncio", 40).process());
    assertThat(folder().resolve("REPORT.md")).content().contains("**A server of the user's own:** asyncio");
  }

  private List<Long> descriptors(int connections) throws IOException {
    List<String> rows = Files.readAllLines(folder().resolve("samples.csv"));
    int column = List.of(rows.getFirst().split(",", -1)).indexOf("server_descriptors");
    return rows.stream()
        .map(row -> row.split(",", -1))
        .filter(row -> row[0].equals("asyncio") && row[1].equals("" + connections) && !row[column].isEmpty())
        .map(row -> Long.valueOf(row[column]))
        .toList();
  }

  /** In a checkout without a floor: one rung each. */
  private RungRecord alone(String... options) throws Exception {
    Path home = Files.createDirectories(dir.resolve("checkout"));
    new TestCheckout(home).study("mine", STUDY.formatted("fake", "[20]"));
    String[] all =
        Stream.concat(
                Stream.of("run", "mine", "--port", "" + port, "--results", dir.resolve("results").toString()), Stream.of(options))
            .toArray(String[]::new);
    try (LadderProcess ladder = LadderProcess.start(home, dir, all)) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isLessThan(2);
      assertThat(ladder.err()).doesNotContain("\tat ");
    }
    return rung(run(folder()), "own", 20);
  }

  private static Doubt first(RungRecord rung) {
    return Objects.requireNonNull(rung.load()).verdictReasons().getFirst();
  }

  @Test
  void oneThatDiesInMidRungIsSaid() throws Exception {
    Doubt why = first(alone("--own", command("dies")));
    assertThat(why.reason()).isEqualTo(Invalidity.SERVER_DIED);
    assertThat(why.detail()).contains("ended with exit status 7", "its log ends: no more than five");
  }

  @Test
  @Tag("thorough")
  void oneThatAnswersSomethingElseIsSaid() throws Exception {
    Doubt why = first(alone("--own", command("greets")));
    assertThat(why.reason()).isEqualTo(Invalidity.SERVER_NOT_READY);
    assertThat(why.detail()).contains("it answers another protocol", "'220 welcome to a line protocol");
    assertThat(accepts()).as("it still runs").isFalse();
  }

  @Test
  @Tag("thorough")
  void climbsOverWebSocket() throws Exception {
    String command = PYTHON + " " + Files.writeString(dir.resolve("chat.py"), WEBSOCKET) + " " + port;
    RungRecord rung = alone("--own", command, "--protocol", "websocket", "--path", "/chat");
    assertThat(rung.valid()).as("%s", rung.load()).isTrue();
    assertThat(LoadMetrics.SERVER_CPU.value(rung)).isPositive();
    RunRecord run = run(folder());
    assertThat(Objects.requireNonNull(run.servers().getLast().own()).websocketPath()).isEqualTo("/chat");
    assertThat(run.reproduce()).contains(" --protocol websocket ", " --path /chat");
    assertThat(accepts()).as("it still runs").isFalse();
  }

  @Test
  @Tag("thorough")
  void oneThatRefusesTheUpgradeIsSaid() throws Exception {
    String command = PYTHON + " " + Files.writeString(dir.resolve("chat.py"), WEBSOCKET) + " " + port;
    Doubt why = first(alone("--own", command, "--protocol", "websocket"));
    assertThat(why.reason()).isEqualTo(Invalidity.SERVER_NOT_READY);
    assertThat(why.detail()).contains("its answer to the upgrade at /echo begins with 'HTTP/1.1 404 Not Found'");
  }

  @Test
  @Tag("thorough")
  void oneThatRunsAlreadyIsNeitherStoppedNorCalledFresh() throws Exception {
    Process running = new ProcessBuilder("sh", "-c", "exec " + command("")).redirectErrorStream(true).start();
    try {
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::accepts);
      RungRecord rung = alone("--own-pid", "" + running.pid());
      assertThat(rung.valid()).isTrue();
      assertThat(LoadMetrics.SERVER_CPU.value(rung)).isPositive();
      assertThat(MemoryMetrics.RSS_PER_CONNECTION.value(rung)).isNull();
      assertThat(rung.process()).isNull();
      assertThat(ProcessTree.runs(running.toHandle())).isTrue();
    } finally {
      running.destroyForcibly();
      running.waitFor();
    }
  }
}
