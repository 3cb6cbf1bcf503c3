package echoladder.harness.soak;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** This process itself. A child that it has left behind counts with its descriptors. */
final class SampledLadder implements Sampled {
  private final KernelSample kernel = new KernelSample(ProcessHandle.current().pid());

  @Override
  public SoakSample at(double seconds) {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return kernel.with(seconds, heap, direct);
  }
}
