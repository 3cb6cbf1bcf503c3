package echoladder.harness.resume;

import echoladder.harness.common.Refusal;
import echoladder.linux.process.Starter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a killed harness has left running. All that it started ends with it, which may take some seconds; where its guard was
 * killed too, load tools of others stay. A resumed run begins when none is left, as they would take CPU and ports from it.
 */
final class Orphans {
  /** A server's drain, and a lab that takes its guest down. */
  private static final int OWN_END_S = 15;

  private static final int TERM_S = 10;
  private static final int KILL_S = 10;
  private static final int LOOK_MS = 100;

  private Orphans() {}

  /**
   * Waits for their end, and ends those that stay.
   *
   * @param harness that is gone; null = not known, as of a run before this was recorded
   * @param notes takes lines for the user
   * @throws Refusal (cannot run) where one stays all the same
   */
  static void end(@Nullable Starter harness, Consumer<String> notes) {
    if (harness == null || harness.equals(Starter.own()) || gone(harness, OWN_END_S)) {
      return;
    }
    List<ProcessHandle> left = harness.started();
    notes.accept("ending what the killed harness has left running: " + names(left));
    left.forEach(ProcessHandle::destroy);
    if (!gone(harness, TERM_S)) {
      harness.started().forEach(ProcessHandle::destroyForcibly);
    }
    if (!gone(harness, KILL_S)) {
      throw Refusal.cannotRun(
          "processes of the harness that was killed still run, and would take CPU from this one: " + names(harness.started())
              + "; end them and try again");
    }
  }

  private static boolean gone(Starter harness, int seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!harness.started().isEmpty()) {
      if (System.nanoTime() > end) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  private static String names(List<ProcessHandle> processes) {
    return processes.stream()
        .map(process -> process.pid() + " (" + process.info().command().orElse("unknown") + ")")
        .collect(Collectors.joining(", "));
  }
}
