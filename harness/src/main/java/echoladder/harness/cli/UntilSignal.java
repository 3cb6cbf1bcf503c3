package echoladder.harness.cli;

import echoladder.harness.run.StopSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGINT and SIGTERM into a stop signal and lets the main thread finish what it does then: stop what it started,
 * write what was measured. The process then exits with status 1: done, but incomplete.
 */
final class UntilSignal implements AutoCloseable {
  /** Client and server have shorter bounds each; beyond this something hangs and the process ends all the same. */
  private static final int BOUND_SECONDS = 90;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean fired;
  private volatile int status = 1;

  private UntilSignal(StopSignal stop, String words, int boundSeconds) {
    hook =
        new Thread(
            () -> {
              fired = true;
              // First, as a terminal that is held lets nobody print.
              stop.request();
              System.err.println("\nladder: " + words);
              try {
                if (!done.await(boundSeconds, TimeUnit.SECONDS)) {
                  System.err.println("ladder: could not stop within " + boundSeconds + " s");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              // Without this the JVM would report the signal (130, 143).
              Runtime.getRuntime().halt(status);
            },
            "on-signal");
  }

  static UntilSignal stopping(StopSignal stop) {
    return stopping(stop, "stopping; what was measured is kept", BOUND_SECONDS);
  }

  /** With other words to the user, and another bound. */
  static UntilSignal stopping(StopSignal stop, String words, int boundSeconds) {
    UntilSignal until = new UntilSignal(stop, words, boundSeconds);
    Runtime.getRuntime().addShutdownHook(until.hook);
    return until;
  }

  /** What the process exits with after a signal, where that is not 1. */
  void status(int ended) {
    status = ended;
  }

  @Override
  public void close() {
    System.out.flush();
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
