package echoladder.linux.process;

import echoladder.linux.Errno;
import java.io.IOException;

/**
 * Where the kernel keeps the threads of this process that wait to be woken. From Linux 6.17 on (CONFIG_FUTEX_PRIVATE_HASH) a process with
 * several threads has such a table of its own, with four slots per processor and 16 at least, however many threads it has
 * (kernel/futex/core.c, futex_hash_allocate_default). A wake-up looks through those that wait in one slot until it has found its own.
 * Before, all processes shared a table with 256 slots per processor.
 */
public final class FutexTable {
  // linux/prctl.h: PR_FUTEX_HASH_SET_SLOTS and PR_FUTEX_HASH_GET_SLOTS.
  private static final long SET_SLOTS = 1;
  private static final long GET_SLOTS = 2;

  private FutexTable() {}

  /** Slots of this process's own table; 0 = it has none: an older kernel, or one thread alone. */
  public static int slots() {
    return Math.max(0, new ProcessCalls().futexHash(GET_SLOTS, 0));
  }

  /**
   * Gives this process a table of that size, which the kernel then leaves as it is.
   *
   * @param slots a power of two, at least 2
   * @throws IOException where the kernel does not
   */
  public static void resize(int slots) throws IOException {
    int r = new ProcessCalls().futexHash(SET_SLOTS, slots);
    if (r < 0) {
      throw new IOException(
          "prctl(PR_FUTEX_HASH) with %,d slots: %s; Linux has it from 6.17 on, and takes powers of two".formatted(slots, Errno.name(-r)));
    }
  }
}
