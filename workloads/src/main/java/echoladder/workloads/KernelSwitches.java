package echoladder.workloads;

import echoladder.workloads.TurnSample.Seen;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** The kernel's counts of the switches of platform threads, those by preemption among them. Any thread. */
final class KernelSwitches {
  private static final byte[] VOLUNTARY = NumberFile.key("voluntary_ctxt_switches:");
  private static final byte[] OTHERS = NumberFile.key("nonvoluntary_ctxt_switches:");

  private final AtomicLong switches = new AtomicLong();
  private final AtomicLong turns = new AtomicLong();

  /** So far; {@link NumberFile#MISSING} where it cannot be read. */
  static long ofThisThread() {
    try (NumberFile status = new NumberFile("/proc/thread-self/status").refresh()) {
      return status.after(VOLUNTARY) + status.after(OTHERS);
    } catch (IOException e) {
      return NumberFile.MISSING; // Of thousands of threads some may find no descriptor; the figure is a share.
    }
  }

  /** Adds those of this thread since that count of them, and the turns that it had meanwhile. */
  void add(long before, long had) {
    long after = before == NumberFile.MISSING ? NumberFile.MISSING : ofThisThread();
    if (after != NumberFile.MISSING) {
      switches.addAndGet(after - before);
      turns.addAndGet(had);
    }
  }

  Seen seen() {
    return new Seen(switches.get(), turns.get());
  }
}
