package echoladder.harness.cli.run;

import echoladder.client.AsidePrinter;

/**
 * While the host is looked at, before anything is measured: a signal ends the process at once, with the status that a shell expects
 * of that (130, 143), and says that there is nothing to keep.
 */
final class BeforeTheClimb implements AutoCloseable {
  private final Thread hook = new Thread(BeforeTheClimb::say, "on-signal");

  /** From now on, until it is closed. */
  BeforeTheClimb() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private static void say() {
    AsidePrinter err = new AsidePrinter(System.err);
    err.print("\nladder: stopped before the first rung; nothing was measured, so there is nothing to keep\n");
    err.flush(UntilSignal.PRINT_BOUND);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The signal came just now, and the process ends.
    }
  }
}
