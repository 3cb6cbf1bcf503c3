package echoladder.harness.probe;

import echoladder.linux.ProcessCpu;

/** CPU of server and client by the kernel's nanosecond clock of each process. */
final class CpuProbe implements Probe {
  private final Subject subject;
  private final ProcessCpu cpu = new ProcessCpu();

  CpuProbe(Subject subject) {
    this.subject = subject;
  }

  @Override
  public void sample(Reading into) {
    Long pid = subject.serverPid();
    long server = pid == null ? -1 : cpu.ns(pid);
    if (server >= 0) {
      into.put(Figure.SERVER_CPU_NS, server);
    }
    long sum = 0;
    boolean any = false;
    for (long client : subject.clientPids().get()) {
      long ns = cpu.ns(client);
      any |= ns >= 0;
      sum += Math.max(0, ns);
    }
    if (any) {
      into.put(Figure.CLIENT_CPU_NS, sum);
    }
  }
}
