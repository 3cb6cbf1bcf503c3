package echoladder.external;

import static java.util.stream.Collectors.toMap;

import echoladder.client.LoadPlan;
import echoladder.client.ServerCpu;
import echoladder.client.page.MetricsPage;
import echoladder.linux.process.ProcessCpu;
import echoladder.linux.process.ProcessMemory;
import echoladder.linux.sockets.EstablishedConnections;
import echoladder.linux.sockets.SocketAddress;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Looks at kernel, server and tool from outside. One thread. */
public final class Watch {
  private static final String RSS = "process_resident_memory_bytes";
  private static final String OPEN = "echo_connections_open";
  private static final String ACCEPTED = "echo_connections_accepted_total";
  private static final String SENT = "echo_sent_bytes_total";
  private static final List<String> SERIES = List.of(ServerCpu.PROCESS, ServerCpu.METER, RSS, OPEN, ACCEPTED, SENT);

  private final List<SocketAddress> targets;
  private final @Nullable Long serverPid;
  private final @Nullable URI page;
  private final ProcessCpu cpu = new ProcessCpu();
  private final ServerCpu work = new ServerCpu();

  public Watch(LoadPlan plan, List<SocketAddress> targets) {
    // An address named twice is one address, and its connections are counted once.
    this.targets = List.copyOf(targets.stream().collect(toMap(SocketAddress::toString, t -> t, (a, b) -> a)).values());
    this.serverPid = plan.serverPid();
    this.page = plan.serverMetrics() == null ? null : MetricsPage.only(plan.serverMetrics(), SERIES);
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
    Told told = told();
    Cpu taken = early != null ? early : cpu(toolPids);
    return new Sighting(
        taken.atNs,
        kernel,
        told.open,
        told.accepted,
        told.sentBytes,
        work.withoutMeter(serverPid != null ? taken.serverNs : told.cpuNs, told.meterNs),
        serverPid != null ? ProcessMemory.rssBytes(serverPid) : told.rssBytes,
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

  /** Adds a figure over all processes; null where there is no process, or one of them cannot be seen. */
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

  /** What the server says of itself; each is null where its page does not say it. */
  private record Told(
      @Nullable Long open,
      @Nullable Long accepted,
      @Nullable Long sentBytes,
      @Nullable Long cpuNs,
      @Nullable Long meterNs,
      @Nullable Long rssBytes) {
    private static final Told NOTHING = new Told(null, null, null, null, null, null);
  }

  private Told told() {
    if (page == null) {
      return Told.NOTHING;
    }
    try {
      MetricsPage now = MetricsPage.fetch(page);
      return new Told(
          boxed(now.count(OPEN)), boxed(now.count(ACCEPTED)), boxed(now.count(SENT)),
          boxed(now.nanoseconds(ServerCpu.PROCESS)), boxed(now.nanoseconds(ServerCpu.METER)), boxed(now.count(RSS)));
    } catch (IOException e) {
      // A page that does not answer, or that says what cannot be, says nothing: OwnCount decides what that means.
      return Told.NOTHING;
    }
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }
}
