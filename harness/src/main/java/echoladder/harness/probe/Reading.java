package echoladder.harness.probe;

import echoladder.harness.common.HostCpu;
import echoladder.linux.cpu.CpuList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One reading of all probes. A figure that could not be had is absent, never zero. Not thread-safe. */
public final class Reading {
  /** CLOCK_MONOTONIC when it was taken. */
  public final long monotonicNs;

  private final EnumMap<Figure, Long> values = new EnumMap<>(Figure.class);
  private Map<Integer, HostCpu> processors = Map.of();
  private Map<String, Reading> clientHosts = Map.of();
  private @Nullable Hiccups hiccups;
  private long cpuReadNs;

  /** An empty one of that time. */
  public Reading(long monotonicNs) {
    this.monotonicNs = monotonicNs;
    this.cpuReadNs = monotonicNs;
  }

  /** CLOCK_MONOTONIC when the last CPU time of it was read: later than its beginning where that took long. */
  public long cpuReadNs() {
    return cpuReadNs;
  }

  /** Those of client hosts by their names, taken beside this one of the server's host; none where both ends are on one host. */
  public Map<String, Reading> clientHosts() {
    return clientHosts;
  }

  /** Makes this reading one over several hosts: the client's CPU and memory are the sum over the client hosts. */
  public void put(Map<String, Reading> ofClients, long latestNs) {
    clientHosts = Map.copyOf(ofClients);
    for (Figure figure : List.of(Figure.CLIENT_CPU_NS, Figure.CLIENT_RSS_BYTES)) {
      if (!ofClients.isEmpty() && ofClients.values().stream().allMatch(of -> of.get(figure).isPresent())) {
        put(figure, ofClients.values().stream().mapToLong(of -> of.get(figure).getAsLong()).sum());
      }
    }
    cpuReadNs = Math.max(cpuReadNs, latestNs);
  }

  /** Every figure that it has. */
  Map<Figure, Long> values() {
    return values;
  }

  /** CPU of each processor by its number. */
  Map<Integer, HostCpu> processors() {
    return processors;
  }

  @Nullable Hiccups hiccups() {
    return hiccups;
  }

  void cpuReadBy(long ns) {
    cpuReadNs = ns;
  }

  /** Notes a figure; a probe calls this only for what it has really read. */
  public void put(Figure figure, long value) {
    values.put(figure, value);
  }

  /** The figure, or empty where there is none. */
  public OptionalLong get(Figure figure) {
    Long value = values.get(figure);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  void put(@Nullable Hiccups ofServer) {
    hiccups = ofServer;
  }

  /** Notes the CPU of each processor by its number. */
  public void put(Map<Integer, HostCpu> byNumber) {
    processors = Map.copyOf(byNumber);
  }

  /** CPU of these processors since an earlier reading; null where either reading lacks one of them. */
  public @Nullable HostCpu since(Reading earlier, CpuList cpus) {
    HostCpu sum = new HostCpu(0, 0, 0);
    for (int cpu : cpus.stream().toArray()) {
      HostCpu before = earlier.processors.get(cpu);
      HostCpu now = processors.get(cpu);
      if (before == null || now == null) {
        return null;
      }
      sum = sum.plus(now.since(before));
    }
    return sum;
  }

  /**
   * The hiccup of the server that so large a share of those since an earlier reading did not exceed.
   *
   * @return null where either lacks them, or there was none
   */
  public @Nullable Long serverHiccupNs(Reading earlier, double share) {
    return hiccups == null || earlier.hiccups == null ? null : hiccups.mostNs(earlier.hiccups, share);
  }

  /** By how much a figure grew since an earlier reading; empty where either lacks it. */
  public OptionalLong since(Reading earlier, Figure figure) {
    OptionalLong before = earlier.get(figure);
    OptionalLong now = get(figure);
    return before.isEmpty() || now.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(now.getAsLong() - before.getAsLong());
  }
}
