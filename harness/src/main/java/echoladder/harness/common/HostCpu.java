package echoladder.harness.common;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * CPU of all processors of the host since some time long ago: of use is by how much it grew.
 *
 * <p>What was busy is what was not idle, out of the processors times the wall clock. The kernel takes down the time of idling
 * itself to the microsecond wherever it stops its tick for it (CONFIG_NO_HZ, as distributions have it), and counts what is
 * busy (user, system, ...) by looking once a tick: with a load that has a period of its own, as one of a constant rate has,
 * those looks find it always or never. So they are not asked (docs/decisions/host-cpu.md).
 *
 * @param allNs processors times wall clock, ns
 * @param idleNs of it, idle or waiting for a disk, ns in steps of 10 ms
 * @param stealNs of it, taken by the hypervisor for others, ns in steps of 10 ms
 */
public record HostCpu(long allNs, long idleNs, long stealNs) {
  // USER_HZ is 100 on every architecture that has a JVM: it is part of the kernel's interface, not the timer's rate.
  private static final long TICK_NS = 10_000_000L;
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;
  private static final int STEAL = 7;
  private static final Pattern ONE = Pattern.compile("cpu(\\d{1,4}) (.*)");

  /** As it is now; null where /proc/stat cannot be read. */
  public static @Nullable HostCpu now() {
    return parse(ProcText.lines("/proc/stat"), System.nanoTime());
  }

  /**
   * From the lines of /proc/stat: {@code cpu user nice system idle iowait irq softirq steal ...}, then one for each processor.
   *
   * @param atNs by the clock of the wall, at which they were read
   * @return null where they are not that
   */
  public static @Nullable HostCpu parse(List<String> stat, long atNs) {
    long processors = stat.stream().filter(line -> line.startsWith("cpu")).count() - 1;
    if (processors < 1 || !stat.getFirst().startsWith("cpu ")) {
      return null;
    }
    return of(stat.getFirst().substring(4), processors * atNs);
  }

  /**
   * Reads each processor by its number, each over its own wall clock; one whose line is no such line is left out, as is one
   * that is offline.
   */
  public static Map<Integer, HostCpu> each(List<String> stat, long atNs) {
    Map<Integer, HostCpu> all = new TreeMap<>();
    for (String line : stat) {
      Matcher one = ONE.matcher(line);
      HostCpu cpu = one.matches() ? of(one.group(2), atNs) : null;
      if (cpu != null) {
        all.put(Integer.parseInt(one.group(1)), cpu);
      }
    }
    return all;
  }

  private static @Nullable HostCpu of(String figures, long allNs) {
    long[] ticks = Arrays.stream(figures.strip().split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return ticks.length <= STEAL ? null : new HostCpu(allNs, (ticks[IDLE] + ticks[IOWAIT]) * TICK_NS, ticks[STEAL] * TICK_NS);
  }

  /** Both together. */
  public HostCpu plus(HostCpu other) {
    return new HostCpu(allNs + other.allNs, idleNs + other.idleNs, stealNs + other.stealNs);
  }

  /** By how much it grew. */
  public HostCpu since(HostCpu earlier) {
    return new HostCpu(allNs - earlier.allNs, idleNs - earlier.idleNs, stealNs - earlier.stealNs);
  }

  /** A part of all, 0 to 1; null where that is no time. */
  public @Nullable Double share(long ns) {
    return allNs <= 0 ? null : (Double) Math.clamp((double) ns / allNs, 0.0, 1.0);
  }

  /**
   * Which share of the host's CPU between two readings was not this process's, what the hypervisor took included; null where
   * that is not known.
   */
  public static @Nullable Double foreignShare(@Nullable HostCpu before, @Nullable HostCpu after, @Nullable Double ownNs) {
    if (before == null || after == null || ownNs == null || after.allNs <= before.allNs) {
      return null;
    }
    double all = after.allNs - before.allNs;
    return Math.clamp((all - (after.idleNs - before.idleNs) - ownNs) / all, 0, 1);
  }
}
