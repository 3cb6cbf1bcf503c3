package echoladder.linux.process;

/**
 * CPU time of a process by the kernel's nanosecond clock for it (clock_getcpuclockid(3)): all threads, also ended
 * ones, user and system together. Unlike /proc/PID/stat it does not count in ticks of 10 ms.
 */
public final class ProcessCpu {
  // From clock_getcpuclockid(3): the complement of the pid, shifted by 3, with CPUCLOCK_SCHED (2) as the kind.
  private static final int SCHED = 2;
  // CPUCLOCK_PERTHREAD of the kernel: then the number is a thread's. It has to be one of the caller's process.
  private static final int OF_A_THREAD = 4;
  private static final int CLOCK_THREAD_CPUTIME_ID = 3;

  private final ProcessCalls sys = new ProcessCalls();

  /** CPU nanoseconds of {@code pid} so far, or -1 where there is no such process. Synchronized: any thread may ask. */
  public synchronized long ns(long pid) {
    long ns = sys.clockNs(~(int) pid << 3 | SCHED);
    return ns < 0 ? -1 : ns;
  }

  /** CPU nanoseconds of this process so far. */
  public long ownNs() {
    return ns(ProcessHandle.current().pid());
  }

  /** CPU nanoseconds of the calling thread so far. */
  public synchronized long callingThreadNs() {
    return sys.clockNs(CLOCK_THREAD_CPUTIME_ID);
  }

  /** CPU nanoseconds of the thread {@code tid} of this process so far, or -1 where it has no such thread. */
  public synchronized long ownThreadNs(long tid) {
    long ns = sys.clockNs(~(int) tid << 3 | OF_A_THREAD | SCHED);
    return ns < 0 ? -1 : ns;
  }

  /**
   * CPU nanoseconds of this process and of the children that it has waited for, with those that they waited for. By how much
   * it grew around a child is what the child took, whatever that started, and what this process did for it.
   */
  public synchronized long ownWithEndedChildrenNs() {
    return ownNs() + sys.endedChildrenCpuNs();
  }
}
