package echoladder.openloop.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Turns SIGINT and SIGTERM into a call, and lets the main thread finish with its own exit status. */
public final class Interruptible implements AutoCloseable {
  // Longer than a drain: what a stopped load still has to do is to account and to close.
  private static final int STOP_BOUND_SECONDS = 30;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean fired;

  private Interruptible(Runnable onSignal) {
    hook =
        new Thread(
            () -> {
              fired = true;
              onSignal.run();
              try {
                done.await(STOP_BOUND_SECONDS, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              // Without this the JVM would report the signal (130, 143) instead of "done, but invalid".
              Runtime.getRuntime().halt(1);
            },
            "on-signal");
  }

  /** Calls {@code onSignal} when a signal comes, until this is closed. */
  public static Interruptible by(Runnable onSignal) {
    Interruptible interruptible = new Interruptible(onSignal);
    Runtime.getRuntime().addShutdownHook(interruptible.hook);
    return interruptible;
  }

  @Override
  public void close() {
    done.countDown();
    if (!fired) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The signal came just now; the hook ends the process.
        fired = true;
      }
    }
  }
}
