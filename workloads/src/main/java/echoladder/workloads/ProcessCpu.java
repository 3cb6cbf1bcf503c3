package echoladder.workloads;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What this process has had of the processors so far, in all of its threads. */
final class ProcessCpu {
  private ProcessCpu() {}

  static long ns() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }
}
