package echoladder.workloads;

import java.util.Locale;

/**
 * What ended a workload.
 *
 * @param kind DONE where all that was asked for was done
 * @param detail a sentence: what was seen, and the limit behind it; empty for DONE
 */
record Ended(Kind kind, String detail) {
  static final Ended DONE = new Ended(Kind.DONE, "");

  /** Made while there is memory for it. */
  static final Ended HEAP_FULL = new Ended(Kind.ERROR, "java.lang.OutOfMemoryError: Java heap space");

  /** Who ended it. */
  enum Kind {
    DONE,
    /** An error of the runtime or the kernel: what the model itself breaks on. */
    ERROR,
    /** The workload's own guards, before the host suffers. */
    MEMORY_GUARD,
    TASK_GUARD,
    TIME_GUARD,
    /** Ctrl-C or SIGTERM. */
    SIGNAL;

    String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** By an error, in its own words. */
  static Ended by(Throwable error) {
    return new Ended(Kind.ERROR, String.valueOf(error));
  }
}
