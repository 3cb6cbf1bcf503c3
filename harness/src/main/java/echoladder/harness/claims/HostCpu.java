package echoladder.harness.claims;

import echoladder.harness.common.ProcText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CPU of the host since its start, in ticks of 10 ms: good for shares over seconds.
 *
 * @param busy what was neither idle nor waiting for a disk; time that the hypervisor gave to others is in it
 * @param all the sum
 */
record HostCpu(long busy, long all) {
  private static final double TICK_NS = 1e7;
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;
  private static final int STEAL = 7;

  static @Nullable HostCpu now() {
    List<String> lines = ProcText.lines("/proc/stat");
    return lines.isEmpty() ? null : parse(lines.getFirst());
  }

  /** The line {@code cpu  user nice system idle iowait irq softirq steal ...}; what a guest had is in user already. */
  static HostCpu parse(String line) {
    long[] ticks = Arrays.stream(line.substring(3).strip().split(" ")).limit(STEAL + 1).mapToLong(Long::parseLong).toArray();
    long all = Arrays.stream(ticks).sum();
    return new HostCpu(all - ticks[IDLE] - ticks[IOWAIT], all);
  }

  /** Which share of the host's CPU between two readings was not this process's; null where that is not known. */
  static @Nullable Double foreignShare(@Nullable HostCpu before, @Nullable HostCpu after, @Nullable Double ownNs) {
    if (before == null || after == null || ownNs == null || after.all <= before.all) {
      return null;
    }
    double foreign = after.busy - before.busy - ownNs / TICK_NS;
    return Math.clamp(foreign / (after.all - before.all), 0, 1);
  }
}
