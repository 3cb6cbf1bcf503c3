package echoladder.linux.process;

import static echoladder.linux.Downcall.CAPTURE;
import static echoladder.linux.Downcall.call;
import static echoladder.linux.Downcall.errno;
import static echoladder.linux.Downcall.impossible;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import echoladder.linux.cpu.CpuList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The system calls on processes, their threads and the kernel's log that this package alone makes; what
 * {@link echoladder.linux.sockets.SystemCalls} says holds.
 */
final class ProcessCalls {
  private static final int O_CLOEXEC = 0x80000;
  private static final int RLIMIT_NOFILE = 7;
  private static final int SYSLOG_ACTION_READ_ALL = 3;
  private static final int SCHED_IDLE = 5;
  private static final int RUSAGE_CHILDREN = -1;
  private static final int RUSAGE_BYTES = 144;

  private static final MethodHandle CLOCK_GETTIME = call("clock_gettime", JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle PRLIMIT = call("prlimit64", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SCHED_SETAFFINITY = call("sched_setaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle SCHED_SETSCHEDULER = call("sched_setscheduler", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle PIPE2 = call("pipe2", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle GETRUSAGE = call("getrusage", JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle KLOGCTL = call("klogctl", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);

  private final MemorySegment capture = Arena.ofAuto().allocate(CAPTURE);
  private final MemorySegment word = Arena.ofAuto().allocate(JAVA_INT);
  private final MemorySegment pair = Arena.ofAuto().allocate(16, 8);

  /** Lets a thread (0 = the calling one) run on these processors alone. */
  int affinity(int tid, CpuList cpus) {
    byte[] mask = cpus.mask();
    MemorySegment words = Arena.ofAuto().allocate(mask.length, 8);
    MemorySegment.copy(mask, 0, words, JAVA_BYTE, 0, mask.length);
    try {
      return result((int) SCHED_SETAFFINITY.invokeExact(capture, tid, (long) mask.length, words));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Lets a thread run only where nothing else wants the processor: SCHED_IDLE. */
  int idle(int tid) {
    word.set(JAVA_INT, 0, 0);
    try {
      return result((int) SCHED_SETSCHEDULER.invokeExact(capture, tid, SCHED_IDLE, word));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /**
   * Makes a pipe that is open as long as this process lives, and that nothing started by it inherits.
   *
   * @param ends gets the descriptors of its reading end and its writing end
   * @return 0, or a negated errno
   */
  int pipeForLife(int[] ends) {
    try {
      int r = result((int) PIPE2.invokeExact(capture, pair, O_CLOEXEC));
      MemorySegment.copy(pair, JAVA_INT, 0, ends, 0, 2);
      return r;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Nanoseconds on a clock of clock_gettime(2), or a negated errno. */
  long clockNs(int clock) {
    try {
      int r = result((int) CLOCK_GETTIME.invokeExact(capture, clock, pair));
      return r < 0 ? r : pair.get(JAVA_LONG, 0) * 1_000_000_000L + pair.get(JAVA_LONG, 8);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** User and system CPU of the children that were waited for, and of those that they waited for, ns: getrusage(2). */
  long endedChildrenCpuNs() {
    MemorySegment usage = Arena.ofAuto().allocate(RUSAGE_BYTES, 8);
    try {
      int r = result((int) GETRUSAGE.invokeExact(capture, RUSAGE_CHILDREN, usage));
      return r < 0 ? r : timevalNs(usage, 0) + timevalNs(usage, 16);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private static long timevalNs(MemorySegment usage, long at) {
    return usage.get(JAVA_LONG, at) * 1_000_000_000L + usage.get(JAVA_LONG, at + 8) * 1_000L;
  }

  /** Reads RLIMIT_NOFILE of a process (0 = this one) into {soft, hard} of {@code limits}: two unsigned 64-bit words. */
  int descriptorLimit(int pid, MemorySegment limits) {
    try {
      return result((int) PRLIMIT.invokeExact(capture, pid, RLIMIT_NOFILE, MemorySegment.NULL, limits));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Copies the newest {@code bytes} of the kernel's log into {@code text}; how many there were. */
  int kernelLog(MemorySegment text, int bytes) {
    try {
      return result((int) KLOGCTL.invokeExact(capture, SYSLOG_ACTION_READ_ALL, text, bytes));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private int result(int r) {
    return r >= 0 ? r : -errno(capture);
  }
}
