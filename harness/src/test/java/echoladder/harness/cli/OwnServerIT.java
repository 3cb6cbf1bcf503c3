package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.linux.process.ProcessTree;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers in a language that the project has never met, which keep nothing of its contract but the echo. */
@Needs(Need.PYTHON)
class OwnServerIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /**
   * Echoes; with {@code dies} only until the fifth connection, with {@code greets} after words of its own, with {@code leaves} in a
   * process whose parents have ended, while the first one waits for a signal; with {@code says} its pid is in a file; with {@code burns}
   * after several times the work of an echo, and in more memory.
   */
  private static final String ECHO =
      """
      import asyncio, os, signal, sys

      kind = sys.argv[2] if len(sys.argv) > 2 else ""
      seen = 0
      held = b"x" * (64 << 20) if kind == "burns" else b""
      if kind == "says":
          with open(sys.argv[3], "w") as pid:
              pid.write(str(os.getpid()))
      if kind == "leaves":
          if os.fork() > 0:
              os.wait()
              signal.pause()
          if os.fork() > 0:
              os._exit(0)

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
                  if kind == "burns":
                      sum(range(30000))
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
  private OwnClimb own;

  @BeforeEach
  void climb() {
    own = new OwnClimb(dir);
  }

  private String command(String... kind) throws IOException {
    return own.python(ECHO, kind);
  }

  @Test
  void climbsBesideTheFloorByOneCommand() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), OwnClimb.STUDY.formatted("floor, go-echo", "[20, 40]"));
    try (LadderProcess ladder =
        LadderProcess.start(
            HOME, dir, "run", study.toString(), "--own", command(), "--port", "" + own.port, "--name", "asyncio", "--results", own.results())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.err()).contains("'asyncio' has no metrics page", "'asyncio' may open ", "4/4  asyncio  40  start server").doesNotContain("\tat ");
      assertThat(ladder.out()).contains("A server of the user's own: asyncio was started by its command");
    }
    assertThat(own.accepts()).as("it still runs").isFalse();
    RunRecord run = own.run();
    assertThat(run.servers()).extracting(RunRecord.ServerRecord::label).containsExactly("floor", "asyncio");
    assertThat(Objects.requireNonNull(run.servers().getLast().own()).command()).isEqualTo(command());
    assertThat(run.reproduce()).contains(" --own '" + command() + "' --port " + own.port + " --name asyncio");
    for (int connections : List.of(20, 40)) {
      RungRecord rung = OwnClimb.rung(run, "asyncio", connections);
      assertThat(rung.valid()).isTrue();
      assertThat(LoadMetrics.SERVER_CPU.value(rung)).isPositive();
      assertThat(LoadMetrics.SERVER_RSS.value(rung)).isGreaterThan(1 << 20);
      assertThat(HostMetrics.CPU_MULTIPLE_OF_FLOOR.value(rung)).isPositive();
      assertThat(HostMetrics.CONNECTIONS_OPEN.value(rung)).isNull();
      assertThat(RuntimeMetrics.GC_COUNT.value(rung)).isNull();
      assertThat(MemoryMetrics.LIVE_HEAP.value(rung)).isNull();
      assertThat(Objects.requireNonNull(rung.process()).metricsPort()).isNull();
      assertThat(own.descriptors("asyncio", connections)).as("at %s", connections).anyMatch(open -> open >= connections);
    }
    assertThat(OwnClimb.rung(run, "asyncio", 20).process()).isNotEqualTo(OwnClimb.rung(run, "asyncio", 40).process());
    assertThat(own.folder().resolve("REPORT.md")).content().contains("**A server of the user's own:** asyncio");
  }

  /** In pairs, whose interval fails the run. The memory is told whatever else the host does. */
  @Test
  @Tag("long")
  void ofTwoTheDearerFailsTheCondition() throws Exception {
    OwnClimb.Two two =
        own.two(
            command(), command("burns"), "B/A server_rss_bytes > 1.5", "B/A server_cpu_us_per_echo > 1.5", "B server_rss_bytes > 1GiB");
    assertThat(two.status()).as(two.said()).isEqualTo(1);
    assertThat(two.said())
        .containsPattern("B/A server_rss_bytes > 1\\.5', 20 connections: FAILS: B/A server RSS is [3-9]\\.")
        .doesNotContainPattern("B/A server_cpu_us_per_echo > 1\\.5', 20 connections: passes")
        .contains("B server_rss_bytes > 1GiB', 20 connections: passes: ");
    RunRecord run = own.run();
    assertThat(run.servers()).extracting(RunRecord.ServerRecord::label).containsExactly("A", "B");
    assertThat(run.reproduce())
        .contains(" --own '" + command() + "' --own '" + command("burns") + "' --port " + own.port)
        .contains("B/A server_cpu_us_per_echo > 1.5");
    String report = Files.readString(own.folder().resolve("REPORT.md"));
    assertThat(report).containsSubsequence("# mine", "of A", "fail-if 'B/A server_rss_bytes > 1.5'", "](a-or-b.svg)", "**A** carried 20 connections");
    assertThat(own.folder().resolve("a-or-b.svg")).isRegularFile();
    assertThat(own.folder().resolve("report.html")).content().containsSubsequence("B / A at 20 connections: each pair", "<h2 id=\"the-ladder\"");
    assertThat(own.accepts()).as("one still runs").isFalse();
  }

  /** A build server takes status 1 for a change that is worse. */
  @Test
  @Tag("long")
  void ofTwoThatAreStoppedNothingIsToldAndWhatWasMeasuredIsKept() throws Exception {
    try (LadderProcess ladder = own.startTwo(command(), command(), "B/A server_rss_bytes > 1.5")) {
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.err().contains("(1 of 7): "));
      ladder.signal("TERM");
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isEqualTo(4);
      assertThat(ladder.out()).containsPattern("CANNOT BE TOLD: the run\\s+did not come to its\\s+end");
    }
    assertThat(own.run().status()).isEqualTo(RunRecord.Status.INTERRUPTED);
    assertThat(own.accepts()).as("one still runs").isFalse();
  }

  @Test
  @Tag("long")
  void aServerAgainstItselfPasses() throws Exception {
    OwnClimb.Two two = own.two("before=" + command(), "after=" + command(), "after/before server_rss_bytes > 1.5", "after/before server_cpu_us_per_echo > 9");
    // On a host that others use, a CPU may not be given in one pair too many, which is no pass and no failure.
    assertThat(two.status()).as(two.said()).isEqualTo(two.said().contains("CANNOT BE TOLD") ? 4 : 0);
    assertThat(two.said()).contains("after/before server_rss_bytes > 1.5', 20 connections: passes: ").doesNotContain("FAILS");
  }

  @Test
  @Tag("long")
  void oneThatDiesInMidRungIsSaid() throws Exception {
    Reason why = own.alone("--own", command("dies")).why();
    assertThat(why.reason()).isEqualTo(ReasonCode.SERVER_DIED);
    assertThat(why.detail()).contains("ended with exit status 7", "its log ends: no more than five");
  }

  /** Whose work is done by a process that descends from nobody. */
  @Test
  @Tag("long")
  void whatHasLeftItsParentsIsMeasuredAndStopped() throws Exception {
    RungRecord rung = own.alone("--own", command("leaves")).rung();
    assertThat(rung.valid()).as("%s", rung.load()).isTrue();
    assertThat(LoadMetrics.SERVER_CPU.value(rung)).isPositive();
    assertThat(own.descriptors("own", 20)).anyMatch(open -> open >= 20);
    assertThat(own.accepts()).as("it still runs").isFalse();
  }

  @Test
  @Tag("long")
  void oneThatAnswersSomethingElseIsSaid() throws Exception {
    assertThat(own.refused("--own", command("greets")))
        .contains("server 'own', tried before the climb: echo check of ", "it answers another protocol", "'220 welcome to a line protocol");
    assertThat(own.accepts()).as("it still runs").isFalse();
  }

  /** As a container or a unit is started: what listens is started by somebody else, who was only asked to. */
  @Test
  void oneWhoseListenerIsNoneOfItsProcessesIsToldWhoListens() throws Exception {
    Path pid = dir.resolve("pid");
    String said = own.refused("--own", "env -i setsid -f " + command("says", pid.toString()) + " & sleep 60; :");
    long listener = Long.parseLong(Files.readString(pid).trim());
    try {
      assertThat(said)
          .contains(" listens at 127.0.0.1:%d; process %d (python3) does".formatted(own.port, listener))
          .contains("docker, systemd and ssh start nothing; climb the process that serves there with --own-pid " + listener);
    } finally {
      ProcessHandle.of(listener).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  @Tag("long")
  void climbsOverWebSocket() throws Exception {
    RungRecord rung = own.alone("--own", own.python(WEBSOCKET), "--protocol", "websocket", "--path", "/chat").rung();
    assertThat(rung.valid()).as("%s", rung.load()).isTrue();
    assertThat(LoadMetrics.SERVER_CPU.value(rung)).isPositive();
    RunRecord run = own.run();
    assertThat(Objects.requireNonNull(run.servers().getLast().own()).websocketPath()).isEqualTo("/chat");
    assertThat(run.reproduce()).contains(" --protocol websocket ", " --path /chat");
    assertThat(own.accepts()).as("it still runs").isFalse();
  }

  @Test
  @Tag("long")
  void oneThatRefusesTheUpgradeIsSaid() throws Exception {
    assertThat(own.refused("--own", own.python(WEBSOCKET), "--protocol", "websocket"))
        .contains("its answer to the upgrade at /echo begins with 'HTTP/1.1 404 Not Found'");
  }

  @Test
  @Tag("long")
  void oneThatRunsAlreadyIsNeitherStoppedNorCalledFresh() throws Exception {
    Process running = new ProcessBuilder("sh", "-c", "ulimit -Sn 64; exec " + command()).redirectErrorStream(true).start();
    try {
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(own::accepts);
      OwnClimb.Alone alone = own.alone("--own-pid", "" + running.pid());
      assertThat(alone.said())
          .contains("'own' may open 64 descriptors (its soft limit; ", "too few for a rung of 20 connections; 'prlimit --pid " + running.pid());
      RungRecord rung = alone.rung();
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
