package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** A client process that stands still, as by SIGSTOP, in a debugger or on a frozen machine: nobody waits for it for ever. */
@Timeout(120)
class StandstillTest {
  private static final int SIGSTOP = 19;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(4);

  @TempDir private Path folder = Path.of("");

  private static void standStill(long pid) {
    assertThat(new SystemCalls().kill((int) pid, SIGSTOP)).isZero();
  }

  /** Whether it was told to stop meanwhile or not, it is killed, and the result names why. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClientThatStandsStillIsKilledAndNamed(boolean toldToStop) throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Silence silence = toldToStop ? new Silence(LONG, LONG, SHORT) : new Silence(LONG, SHORT, LONG);
      OpenLoopClient client = new OpenLoopClient(ClientProcess.javaCommand(), folder.resolve("client.log"), silence);
      List<Long> pids = new ArrayList<>();
      AtomicBoolean steady = new AtomicBoolean();
      LoadListener stopping =
          new LoadListener() {
            @Override
            public void phase(Phase phase, long monotonicNs) {
              if (phase == Phase.STEADY && !steady.getAndSet(true)) {
                pids.add(Objects.requireNonNull(client.process()).pid());
                standStill(pids.getFirst());
                if (toldToStop) {
                  client.stop();
                }
              }
            }

            @Override
            public void progress(Progress progress) {}
          };
      LoadPlan plan = Measured.plan(server.target(), 50, 500, Duration.ofMinutes(1)).build();
      LoadResult result = client.run(plan, folder.resolve("load.hlog"), stopping);
      assertThat(result.verdictReasons())
          .containsExactly(
              new Doubt(
                  Invalidity.CLIENT_DIED,
                  "the client process said nothing for 4 s, so it was killed: it stood still (SIGSTOP, a debugger), or its machine"
                      + " did; see runbooks/symptoms/client-died.md"));
      assertThat(ProcessHandle.of(pids.getFirst()).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void aShardThatStandsStillIsKilledAndNamed() throws Exception {
    ShardProcess shard = ShardProcess.start(ClientProcess.javaCommand(), new Silence(LONG, SHORT, LONG));
    try {
      String status = JsonMapper.shared().writeValueAsString(ShardRequest.of(ShardRequest.Op.STATUS));
      // Without a load it has none, and says so.
      assertThat(shard.ask(status)).contains("OPEN comes first");
      standStill(shard.pid());
      assertThatThrownBy(() -> shard.ask(status))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "client shard, pid %d, said nothing for 4 s, so it was killed: it stood still (SIGSTOP, a debugger), or its machine did; see"
                  .formatted(shard.pid())
                  + " runbooks/symptoms/client-died.md");
    } finally {
      shard.close();
    }
  }

  /**
   * The end of stdin, which a shard otherwise ends with, is nothing to one that stands still. The guard of the process that started it
   * asks it to end, and kills it 20 s later: too long to be waited for here.
   */
  @Test
  void aShardIsUnderTheGuardOfTheProcessThatStartedIt() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      List<String> command = new ArrayList<>(ClientProcess.javaCommand(Shards.RESERVED_DESCRIPTORS + 50));
      command.addAll(
          List.of(
              LoadMain.class.getName(), "--target", server.target().toString(), "--connections", "80", "--rate", "100", "--duration", "90s"));
      Process load =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        await().atMost(60, TimeUnit.SECONDS).until(() -> server.record().accepted() == 80);
        List<ProcessHandle> shards = load.descendants().filter(StandstillTest::isShard).toList();
        assertThat(shards).hasSize(2);
        assertThat(shards)
            .allSatisfy(
                shard ->
                    assertThat(Files.readString(Path.of("/proc/" + shard.pid() + "/environ")).split("\0"))
                        .anyMatch(entry -> entry.matches("ECHOLADDER_GUARDED_BY=[^:]+:" + load.pid() + ":\\d+")));
      } finally {
        List<ProcessHandle> all = load.descendants().toList();
        load.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  private static boolean isShard(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(ShardMain.class.getName());
  }
}
