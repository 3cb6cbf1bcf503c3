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
record IdleProcessors(@Nullable IdlePolling here, @Nullable Fleet hosts) {
  /**
   * As that entry's load says.
   *
   * @throws IOException where a host cannot do it
   */
  static IdleProcessors of(RunSetup setup, Study.Entry entry) throws IOException {
    if (setup.study().load(entry).idle() == Idle.HALT) {
      return new IdleProcessors(null, null);
    }
    Fleet hosts = setup.hosts();
    if (hosts == null) {
      return new IdleProcessors(IdlePolling.begin(), null);
    }
    IdleProcessors all = new IdleProcessors(null, hosts);
    try {
      hosts.idle(true);
    } catch (IOException e) {
      // Those that were asked before the one that says no.
      String failure = all.end();
      throw new IOException(failure == null ? e.getMessage() : e.getMessage() + "; " + failure, e);
    }
    return all;
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
