package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.Verdict;
import echoladder.client.figures.Percentiles;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.shard.Shards;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client as the process, or processes, that it is. */
@Timeout(120)
class OpenLoopClientTest {
  // A period of 0.5 s and three of them: each connection sends three messages, wherever the steady state begins.
  private static final int CONNECTIONS = 300;
  private static final double RATE_PER_S = 600;
  private static final Duration STEADY = Duration.ofMillis(1_500);
  private static final long SCHEDULED = 900;

  @TempDir private Path folder = Path.of("");

  private static LoadPlan.Builder plan(Target target) {
    return Measured.plan(target, CONNECTIONS, RATE_PER_S, STEADY);
  }

  private OpenLoopClient client(List<String> javaCommand) {
    return new OpenLoopClient(javaCommand, folder.resolve("client.log"));
  }

  private LoadResult run(List<String> javaCommand, LoadPlan plan) throws IOException {
    return client(javaCommand).run(plan, folder.resolve("load.hlog"), new Phases(phase -> {}));
  }

  private String stderr() throws IOException {
    return Files.readString(folder.resolve("client.log"));
  }

  /** Keeps the phases in their order, and hands on those in which there is progress. */
  private static final class Phases implements LoadListener {
    private final List<Phase> seen = new ArrayList<>();
    private final Consumer<Phase> onProgress;
    private int progresses;

    /** @param onProgress told of the phase in which there was progress */
    Phases(Consumer<Phase> onProgress) {
      this.onProgress = onProgress;
    }

    @Override
    public void phase(Phase phase, long monotonicNs) {
      seen.add(phase);
    }

    @Override
    public void progress(Progress progress) {
      progresses++;
      onProgress.accept(progress.phase());
    }
  }

  @Test
  void tellsItsPhasesAndItsLogSaysWhatItsResultSays() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofMillis(3)))) {
      Path log = folder.resolve("load.hlog");
      Phases phases = new Phases(phase -> {});
      LoadResult result = client(ClientProcess.javaCommand()).run(plan(server.target()).build(), log, phases);

      assertThat(phases.seen)
          .containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN, Phase.HOLD, Phase.ROLL_CALL);
      assertThat(phases.progresses).isPositive();
      assertThat(result.condition().shards()).isEqualTo(1);
      assertThat(result.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(result.messages().scheduled()).isEqualTo(SCHEDULED);
      assertThat(result.messages().answered()).isEqualTo(SCHEDULED);
      assertThat(result.pace().offeredPerS()).isCloseTo(RATE_PER_S, within(RATE_PER_S / 100));
      assertThat(result.condition().tcpNodelay()).isTrue();
      assertThat(result.cost().clientRssBytes()).isNotNull().isPositive();
      assertThat(result.cost().clientCpuUsPerEcho()).isNotNull().isPositive();
      assertThat(result.messages().echoesInSteady()).isPositive();

      Measured load = new Measured(result, Measured.read(log));
      assertThat(load.responses().getTotalCount()).isEqualTo(SCHEDULED);
      assertSame(load.responses(), result.times().response());
      assertSame(load.times(TimeKind.SERVICE), result.times().service());
      assertSame(load.times(TimeKind.CONNECT), result.times().connect());
      assertSame(load.times(TimeKind.FIRST_ECHO), result.times().firstEcho());
      assertSame(load.times(TimeKind.LATENESS), result.times().sendLateness());
      assertSame(load.times(TimeKind.SERVER), result.times().server());
      assertSame(load.times(TimeKind.RECEIVE_DELAY), result.times().receiveDelay());
      assertThat(load.times(TimeKind.CONNECT).getTotalCount()).isEqualTo(CONNECTIONS);
      // The server's own count of everything it answered, ramp and warm-up included.
      assertThat(load.allResponses().getTotalCount() + CONNECTIONS).as("and the roll call").isEqualTo(server.record().answered());
    }
  }

  /** Whatever was wrong with the pid: no CPU beside echoes is no figure. */
  @Test
  void aServerThatUsedNoCpuIsAnotherProcess() throws Exception {
    Process idle = new ProcessBuilder("sleep", "100").start();
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadResult result = run(ClientProcess.javaCommand(), plan(server.target()).serverPid(idle.pid()).build());
      assertThat(result.messages().echoesInSteady()).isPositive();
      assertThat(result.cost().serverCpuUsPerEcho()).isNull();
      assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
      assertThat(result.verdictReasons())
          .filteredOn(doubt -> doubt.reason() == ReasonCode.SERVER_MISMATCH)
          .singleElement()
          .satisfies(doubt -> assertThat(doubt.detail()).startsWith("process " + idle.pid() + " used no CPU while the client counted"));
    } finally {
      idle.destroyForcibly();
    }
  }

  private static void assertSame(Histogram log, Percentiles result) {
    // 20 samples must lie beyond a percentile: of 900, 45 lie beyond p95 and 9 beyond p99.
    assertThat(result.p50Ns()).isEqualTo(log.getValueAtPercentile(50));
    assertThat(result.p90Ns()).isEqualTo(log.getValueAtPercentile(90));
    assertThat(result.p99Ns()).isNull();
    assertThat(result.p9999Ns()).isNull();
    assertThat(result.maxNs()).isEqualTo(log.getMaxValue());
  }

  @Test
  void shardsOverProcessesUnderALowDescriptorLimitAndMergesWhatTheySaw() throws Exception {
    Duration delay = Duration.ofMillis(20);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(delay))) {
      int limit = 400;
      int each = limit - Shards.RESERVED_DESCRIPTORS;
      LoadResult result = run(ClientProcess.javaCommand(limit), plan(server.target()).build());
      assertThat(result.condition().shards()).isEqualTo(Math.ceilDiv(CONNECTIONS, each)).isGreaterThan(2);
      assertThat(result.connections().requested()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().established()).as(stderr()).isEqualTo(CONNECTIONS);
      assertThat(result.connections().held()).as("over all shards").isEqualTo(CONNECTIONS);
      assertThat(result.errors()).isEmpty();
      assertThat(result.messages().scheduled()).isEqualTo(SCHEDULED);
      assertThat(result.messages().answered()).isEqualTo(SCHEDULED);
      assertThat(server.record().accepted()).isEqualTo(CONNECTIONS);

      Measured load = new Measured(result, Measured.read(folder.resolve("load.hlog")));
      assertThat(load.responses().getTotalCount()).isEqualTo(SCHEDULED);
      assertThat(load.responses().getMinValue()).isGreaterThanOrEqualTo((long) (0.999 * delay.toNanos()));
      assertThat(load.allResponses().getTotalCount() + CONNECTIONS).as("and the roll call").isEqualTo(server.record().answered());
      assertSame(load.responses(), result.times().response());
      assertSame(load.times(TimeKind.SERVER), result.times().server());
      assertThat(load.times(TimeKind.SERVER).getMinValue()).isGreaterThanOrEqualTo((long) (0.999 * delay.toNanos()));
    }
  }

  @Test
  void aClientThatWasKilledIsAResultWithThatReason() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      OpenLoopClient client = client(ClientProcess.javaCommand());
      Path log = folder.resolve("load.hlog");
      Phases phases =
          new Phases(
              phase -> {
                if (phase == Phase.STEADY) {
                  Objects.requireNonNull(client.process()).kill();
                }
              });
      LoadPlan plan = Measured.plan(server.target(), 50, 500, Duration.ofSeconds(30)).build();
      LoadResult result = client.run(plan, log, phases);
      assertThat(result.valid()).isFalse();
      assertThat(result.verdictReasons()).extracting(d -> d.reason()).containsExactly(ReasonCode.CLIENT_DIED);
      assertThat(result.verdictReasons().getFirst().detail()).contains("killed by signal 9");
      assertThat(client.process()).isNull();
      // What had been measured by then is on disk.
      assertThat(Measured.read(log)).containsKeys(TimeKind.FIRST_ECHO, TimeKind.RESPONSE);
    }
  }

  @Test
  void aClientThatSaysALineWithoutEndIsAResultWithThatReason() throws Exception {
    List<String> endless = List.of("sh", "-c", "head -c 40000000 /dev/zero | tr '\\0' x; exit 3");
    LoadPlan plan = Measured.plan(new Target("127.0.0.1", 9), 1, 10, Duration.ofSeconds(1)).build();
    LoadResult result = client(endless).run(plan, folder.resolve("load.hlog"), new Phases(phase -> {}));
    assertThat(result.verdictReasons()).extracting(d -> d.reason()).containsExactly(ReasonCode.CLIENT_DIED);
    assertThat(result.verdictReasons().getFirst().detail()).contains("with exit status 3");
  }

  @Test
  void aCrashLeavesItsFileBesideTheLog() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      OpenLoopClient client = client(ClientProcess.javaCommand());
      AtomicLong pid = new AtomicLong();
      Phases phases =
          new Phases(
              phase -> {
                if (phase == Phase.STEADY && pid.get() == 0) {
                  pid.set(Objects.requireNonNull(client.process()).pid());
                  signal("SEGV", pid.get());
                }
              });
      LoadPlan plan = Measured.plan(server.target(), 50, 500, Duration.ofSeconds(30)).build();
      LoadResult result = client.run(plan, folder.resolve("load.hlog"), phases);
      assertThat(result.verdictReasons()).extracting(d -> d.reason()).containsExactly(ReasonCode.CLIENT_DIED);
      assertThat(folder.resolve("hs_err_pid" + pid + ".log")).exists();
    }
  }

  private static void signal(String name, long pid) {
    try {
      assertThat(new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anInterruptEndsTheLoadAndKeepsWhatWasMeasured() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      OpenLoopClient client = client(ClientProcess.javaCommand());
      Thread running = Thread.currentThread();
      Phases phases =
          new Phases(
              phase -> {
                if (phase == Phase.STEADY) {
                  Thread.ofPlatform().start(running::interrupt);
                }
              });
      long beganNs = System.nanoTime();
      LoadResult result =
          client.run(
              Measured.plan(server.target(), 50, 500, Duration.ofSeconds(90)).build(),
              folder.resolve("load.hlog"),
              phases);
      assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
      assertThat(System.nanoTime() - beganNs).isLessThan(60_000_000_000L);
      assertThat(result.verdictReasons()).extracting(d -> d.reason()).contains(ReasonCode.INTERRUPTED);
      assertThat(result.connections().established()).isEqualTo(50);
      assertThat(client.process()).isNull();
    }
  }

  @Test
  void aLoadThatIsNotPossibleIsAnErrorThatSaysWhy() {
    Target documentation = new Target("192.0.2.1", 9);
    assertThatThrownBy(() -> run(ClientProcess.javaCommand(), plan(documentation).build()))
        .isInstanceOf(LoadNotPossibleException.class)
        .hasMessageContaining("192.0.2.1")
        .hasMessageContaining("--allow-target");
  }

  @Test
  void aJavaThatIsNotThereIsAnError() {
    assertThatThrownBy(() -> run(List.of("/no/such/java"), plan(new Target("127.0.0.1", 9)).build()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/no/such/java");
  }
}
