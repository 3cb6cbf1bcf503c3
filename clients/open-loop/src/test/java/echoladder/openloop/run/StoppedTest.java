package echoladder.openloop.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.openloop.Measured;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A load that is stopped as soon as a phase is said, which is before that phase begins. */
class StoppedTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource(names = {"RAMP", "WARM_UP", "STEADY", "DRAIN"})
  void itsTimesAreNoneOrPositive(Phase phase) throws Exception {
    AtomicReference<OpenLoopRun> run = new AtomicReference<>();
    LoadEvents stopping =
        new LoadEvents() {
          @Override
          public void phase(Phase begun, long monotonicNs) {
            if (begun == phase) {
              run.get().stop();
            }
          }

          @Override
          public void progress(Progress progress) {}

          @Override
          public void hold() {}
        };
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      run.set(new OpenLoopRun(Measured.plan(server.target(), 5, 100, Duration.ofSeconds(1)).build(), dir.resolve("load.hlog"), stopping));
      LoadResult result = run.get().run();
      assertThat(result.verdictReasons()).extracting(Reason::reason).contains(ReasonCode.INTERRUPTED);
      assertThat(result.pace().rampSeconds()).isNotNegative();
      assertThat(result.pace().warmUpSeconds()).isNotNegative();
      assertThat(result.pace().steadySeconds()).isNotNegative();
      assertThat(result.pace().connectsPerS()).isNotNegative();
    }
  }
}
