package echoladder.harness.cli.run;

import echoladder.client.AsidePrinter;
import echoladder.harness.run.StopSignal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGINT and SIGTERM into a stop signal and lets the main thread finish what it does then: stop what it started,
 * write what was measured. The process then exits with status 1: done, but incomplete.
 */
public final class UntilSignal implements AutoCloseable {
  /** Client and server have shorter bounds each; beyond this something hangs and the process ends all the same. */
  private static final int BOUND_SECONDS = 90;

  /** A terminal that is held lets nobody print. */
  static final Duration PRINT_BOUND = Duration.ofSeconds(2);

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean fired;
  private volatile int status = 1;

  private UntilSignal(StopSignal stop, String words, int boundSeconds) {
    hook =
        new Thread(
            () -> {
              fired = true;
              // First, as printing may have to wait.
              stop.request();
              AsidePrinter err = new AsidePrinter(System.err);
              err.print("\nladder: " + words + "\n");
              try {
                if (!done.await(boundSeconds, TimeUnit.SECONDS)) {
                  err.print("ladder: could not stop within " + boundSeconds + " s\n");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              err.flush(PRINT_BOUND);
              // Without this the JVM would report the signal (130, 143).
              Runtime.getRuntime().halt(status);
            },
            "on-signal");
  }

  public static UntilSignal stopping(StopSignal stop) {
    return stopping(stop, "stopping; what was measured is kept", BOUND_SECONDS);
  }

  /** With other words to the user, and another bound. */
  public static UntilSignal stopping(StopSignal stop, String words, int boundSeconds) {
    UntilSignal until = new UntilSignal(stop, words, boundSeconds);
    Runtime.getRuntime().addShutdownHook(until.hook);
    return until;
  }

  /** What the process exits with after a signal, where that is not 1. */
  public void status(int ended) {
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
