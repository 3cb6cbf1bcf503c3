package echoladder.client;

import org.jspecify.annotations.Nullable;

/** CPU per echo: one formula for client, server and host, whoever read the counters. Pure. */
public final class CpuPerEcho {
  private CpuPerEcho() {}

  /**
   * Microseconds of CPU per echo, or null where there were no echoes or the CPU is not known.
   *
   * @param cpuNs CPU over the steady state in ns
   * @param echoes completed within it, of whatever phase
   */
  public static @Nullable Double us(@Nullable Number cpuNs, long echoes) {
    return cpuNs == null || echoes == 0 ? null : (Double) (cpuNs.doubleValue() / 1e3 / echoes);
  }
}
