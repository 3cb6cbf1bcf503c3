package echoladder.linux.process;

import static echoladder.linux.Downcall.CAPTURE;
import static echoladder.linux.Downcall.call;
import static echoladder.linux.Downcall.errno;
import static echoladder.linux.Downcall.impossible;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import echoladder.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Where the kernel keeps the threads of this process that wait to be woken. From Linux 6.17 on (CONFIG_FUTEX_PRIVATE_HASH) a process with
 * several threads has such a table of its own, with four slots per processor and 16 at least, however many threads it has
 * (kernel/futex/core.c, futex_hash_allocate_default). A wake-up looks through those that wait in one slot until it has found its own.
 * Before, all processes shared a table with 256 slots per processor.
 */
public final class FutexTable {
  // linux/prctl.h: PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS and PR_FUTEX_HASH_GET_SLOTS.
  private static final int FUTEX_HASH = 78;
  private static final long SET_SLOTS = 1;
  private static final long GET_SLOTS = 2;

  private static final MethodHandle PRCTL = call(1, "prctl", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private FutexTable() {}

  /** Slots of this process's own table; 0 = it has none: an older kernel, or one thread alone. */
  public static int slots() {
    return Math.max(0, prctl(GET_SLOTS, 0));
  }

  /**
   * Gives this process a table of that size, which the kernel then leaves as it is.
   *
   * @param slots a power of two, at least 2
   * @throws IOException where the kernel does not
   */
  public static void resize(int slots) throws IOException {
    int r = prctl(SET_SLOTS, slots);
    if (r < 0) {
      throw new IOException(
          "prctl(PR_FUTEX_HASH) with %,d slots: %s; Linux has it from 6.17 on, and takes powers of two".formatted(slots, Errno.name(-r)));
    }
  }

  /** What it gives, or the negative error number. */
  private static int prctl(long operation, long slots) {
    MemorySegment capture = Arena.ofAuto().allocate(CAPTURE);
    try {
      int r = (int) PRCTL.invokeExact(capture, FUTEX_HASH, operation, slots, 0L, 0L);
      return r < 0 ? -errno(capture) : r;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }
}
