package echoladder.harness.probe;

import echoladder.harness.common.HostCpu;

/** CPU of the whole host, see {@link HostCpu}. */
final class HostCpuProbe implements Probe {
  @Override
  public void sample(Reading into) {
    HostCpu cpu = HostCpu.now();
    if (cpu != null) {
      into.put(Figure.HOST_CPU_NS, cpu.allNs());
      into.put(Figure.HOST_IDLE_NS, cpu.idleNs());
      into.put(Figure.HOST_STEAL_NS, cpu.stealNs());
    }
  }
}
