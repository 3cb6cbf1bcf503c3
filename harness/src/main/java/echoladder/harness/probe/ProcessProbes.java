package echoladder.harness.probe;

import echoladder.harness.common.HostCpu;
import echoladder.harness.common.ProcText;
import echoladder.linux.process.ProcessCpu;
import echoladder.linux.process.ProcessMemory;
import echoladder.linux.process.ProcessTree;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** CPU, memory and threads of server and client, as the kernel tells of their processes, and CPU of the host. */
final class ProcessProbes {
  private final Subject subject;
  private final ProcessCpu cpu = new ProcessCpu();

  ProcessProbes(Subject subject) {
    this.subject = subject;
  }

  /** CPU by the kernel's nanosecond clock of each process. */
  void cpu(Reading into) {
    both(into, Figure.SERVER_CPU_NS, Figure.CLIENT_CPU_NS, this::cpuNs, ProcessTree::cpuNs);
  }

  private @Nullable Long cpuNs(long pid) {
    long ns = cpu.ns(pid);
    return ns < 0 ? null : (Long) ns;
  }

  /** CPU of the whole host, and of each processor. */
  static void hostCpu(Reading into) {
    List<String> stat = ProcText.lines("/proc/stat");
    long now = System.nanoTime();
    into.put(HostCpu.each(stat, now));
    HostCpu host = HostCpu.parse(stat, now);
    if (host != null) {
      into.put(Figure.HOST_CPU_NS, host.allNs());
      into.put(Figure.HOST_IDLE_NS, host.idleNs());
      into.put(Figure.HOST_STEAL_NS, host.stealNs());
    }
  }

  /** Resident memory. */
  void rss(Reading into) {
    both(into, Figure.SERVER_RSS_BYTES, Figure.CLIENT_RSS_BYTES, ProcessMemory::rssBytes, ProcessTree::rssBytes);
  }

  /** Threads of the server, as the kernel counts them: a virtual thread is none. */
  void threads(Reading into) {
    long threads = 0;
    for (long pid : subject.serverPids()) {
      threads += ProcText.number(ProcText.lines("/proc/" + pid + "/status"), "Threads:").orElse(0);
    }
    if (threads > 0) {
      into.put(Figure.SERVER_THREADS, threads);
    }
  }

  /** A number of the server and the sum of the client's processes, of those that still have one. */
  private void both(
      Reading into, Figure server, Figure client, Function<Long, @Nullable Long> of, Function<ProcessTree, @Nullable Long> ofTree) {
    ProcessTree tree = subject.tree();
    Long ofServer = tree != null ? ofTree.apply(tree) : subject.serverPid() == null ? null : of.apply(subject.serverPid());
    if (ofServer != null) {
      into.put(server, ofServer);
    }
    subject.clientPids().get().stream().map(of).filter(Objects::nonNull).reduce(Long::sum).ifPresent(sum -> into.put(client, sum));
  }
}
