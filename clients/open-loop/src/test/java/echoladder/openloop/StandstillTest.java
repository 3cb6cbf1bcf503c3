package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.openloop.shard.Silence;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client process that stands still, as by SIGSTOP, in a debugger or on a frozen machine: nobody waits for it for ever. */
@Timeout(120)
class StandstillTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(4);

  @TempDir private Path folder = Path.of("");

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
                Stopped.process(pids.getFirst());
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
              new Reason(
                  ReasonCode.CLIENT_DIED,
                  "the client process said nothing for 4 s, so it was killed: it stood still (SIGSTOP, a debugger), or its machine"
                      + " did; see runbooks/symptoms/client-died.md"));
      assertThat(ProcessHandle.of(pids.getFirst()).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }
}
