package echoladder.harness.probe;

import echoladder.harness.common.ProcText;
import java.util.List;

/**
 * CPU of the whole host from the first line of /proc/stat, in steps of 10 ms per processor: all of it, idle (with
 * waiting for disks), and steal.
 */
final class HostCpuProbe implements Probe {
  // USER_HZ is 100 on every architecture that has a JVM: it is part of the kernel's interface, not the timer's rate.
  private static final long TICK_NS = 10_000_000L;
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;
  private static final int STEAL = 7;

  @Override
  public void sample(Reading into) {
    read(ProcText.lines("/proc/stat"), into);
  }

  /** From the lines of /proc/stat: user nice system idle iowait irq softirq steal, then guests that user contains. */
  static void read(List<String> stat, Reading into) {
    if (stat.isEmpty() || !stat.getFirst().startsWith("cpu ")) {
      return;
    }
    String[] ticks = stat.getFirst().substring(4).trim().split(" ", -1);
    if (ticks.length <= STEAL) {
      return;
    }
    long all = 0;
    for (int i = 0; i <= STEAL; i++) {
      all += Long.parseLong(ticks[i]);
    }
    into.put(Figure.HOST_CPU_NS, all * TICK_NS);
    into.put(Figure.HOST_IDLE_NS, (Long.parseLong(ticks[IDLE]) + Long.parseLong(ticks[IOWAIT])) * TICK_NS);
    into.put(Figure.HOST_STEAL_NS, Long.parseLong(ticks[STEAL]) * TICK_NS);
  }
}
