package echoladder.harness.run;

import echoladder.harness.host.Fleet;
import echoladder.harness.study.Idle;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.IdlePolling;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Puts a study's {@code load.idle} in force on the processors of this host, or of all hosts of a run, until it is closed.
 *
 * @param here null = this host is left as it is
 * @param hosts null = no other host is asked
 */
public record IdleProcessors(@Nullable IdlePolling here, @Nullable Fleet hosts) {
  /**
   * As that entry's load says.
   *
   * @throws IOException where a host cannot do it
   */
  static IdleProcessors of(RunSetup setup, Study.Entry entry) throws IOException {
    return setup.study().load(entry).idle() == Idle.HALT ? new IdleProcessors(null, null) : Testbed.of(setup).pollIdle();
  }

  /** Leaves the processors as they were; a sentence where that failed, null where not. */
  @Nullable String end() {
    try {
      if (here != null) {
        here.close();
      }
      if (hosts != null && hosts.lost() == null) {
        hosts.idle(false);
      }
      return null;
    } catch (IOException e) {
      return "idle processors may poll until the run ends: " + e.getMessage();
    }
  }
}
