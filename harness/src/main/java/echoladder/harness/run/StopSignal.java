package echoladder.harness.run;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The wish that the run ends early. A signal sets it; whoever starts something that waits registers here how to end it. Any thread.
 */
public final class StopSignal {
  private final Set<Runnable> actions = new LinkedHashSet<>();
  private boolean requested;

  /** Whether it was given. */
  public synchronized boolean requested() {
    return requested;
  }

  /** Gives it: runs the registered actions, once. */
  public void request() {
    Set<Runnable> now;
    synchronized (this) {
      if (requested) {
        return;
      }
      requested = true;
      now = new LinkedHashSet<>(actions);
    }
    now.forEach(Runnable::run);
  }

  /** While the returned handle is open, {@code action} is run when the signal comes; at once if it came already. */
  public Registration onStop(Runnable action) {
    boolean already;
    synchronized (this) {
      actions.add(action);
      already = requested;
    }
    if (already) {
      action.run();
    }
    return () -> {
      synchronized (this) {
        actions.remove(action);
      }
    };
  }

  /** Ends a registration. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
