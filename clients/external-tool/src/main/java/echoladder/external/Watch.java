package echoladder.external;

import static java.util.stream.Collectors.toMap;

import echoladder.client.LoadPlan;
import echoladder.linux.EstablishedConnections;
import echoladder.linux.ProcessCpu;
import echoladder.linux.ProcessMemory;
import echoladder.linux.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Looks at kernel, server and tool from outside. One thread. */
public final class Watch implements AutoCloseable {
  private final List<SocketAddress> targets;
  private final @Nullable Long serverPid;
  private final @Nullable ServerPage page;
  private final ProcessCpu cpu = new ProcessCpu();

  public Watch(LoadPlan plan, List<SocketAddress> targets) {
    // An address named twice is one address, and its connections are counted once.
    this.targets = List.copyOf(targets.stream().collect(toMap(SocketAddress::toString, t -> t, (a, b) -> a)).values());
    this.serverPid = plan.serverPid();
    this.page = plan.serverMetrics() == null ? null : new ServerPage(plan.serverMetrics());
  }

  /** Whether the server has a metrics page to be asked. */
  public boolean hasPage() {
    return page != null;
  }

  /**
   * Looks at everything. The processes' CPU is read last, so that the looking itself lies before a span that begins
   * here; with {@code cpuFirst} it is read first, for a span that ends here.
   *
   * @param toolPids the tool's processes; none before it was started
   */
  Sighting look(List<Long> toolPids, boolean cpuFirst) {
    Cpu early = cpuFirst ? cpu(toolPids) : null;
    Integer kernel = established();
    Map<String, Double> series = page == null ? Map.of() : page.read();
    Cpu taken = early != null ? early : cpu(toolPids);
    Double pageCpu = series.get("process_cpu_seconds_total");
    Double pageRss = series.get("process_resident_memory_bytes");
    return new Sighting(
        taken.atNs,
        kernel,
        whole(series.get("echo_connections_open")),
        whole(series.get("echo_connections_accepted_total")),
        whole(series.get("echo_sent_bytes_total")),
        serverPid != null ? taken.serverNs : pageCpu == null ? null : (Long) (long) (pageCpu * 1e9),
        serverPid != null ? ProcessMemory.rssBytes(serverPid) : whole(pageRss),
        taken.toolNs,
        sum(toolPids, ProcessMemory::rssBytes));
  }

  /** Whether a server process that is ours to see has ended. */
  boolean serverGone() {
    return serverPid != null && ProcessHandle.of(serverPid).map(p -> !p.isAlive()).orElse(true);
  }

  private @Nullable Integer established() {
    int sum = 0;
    for (SocketAddress target : targets) {
      OptionalInt count = EstablishedConnections.to(target);
      if (count.isEmpty()) {
        return null;
      }
      sum += count.getAsInt();
    }
    return (Integer) sum;
  }

  private record Cpu(long atNs, @Nullable Long serverNs, @Nullable Long toolNs) {}

  private Cpu cpu(List<Long> toolPids) {
    Long tool = sum(toolPids, pid -> known(cpu.ns(pid)));
    Long server = serverPid == null ? null : known(cpu.ns(serverPid));
    return new Cpu(System.nanoTime(), server, tool);
  }

  /** Of all processes; null where there is none, or one of them cannot be seen. */
  private static @Nullable Long sum(List<Long> pids, LongFunction<@Nullable Long> figure) {
    long sum = 0;
    for (long pid : pids) {
      Long part = figure.apply(pid);
      if (part == null) {
        return null;
      }
      sum += part;
    }
    return pids.isEmpty() ? null : (Long) sum;
  }

  private static @Nullable Long known(long ns) {
    return ns < 0 ? null : (Long) ns;
  }

  private static @Nullable Long whole(@Nullable Double value) {
    return value == null ? null : (Long) (long) (double) value;
  }

  @Override
  public void close() {
    if (page != null) {
      page.close();
    }
  }
}
