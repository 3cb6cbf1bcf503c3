package echoladder.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** CPU per echo: one formula for client, server and host, whoever read the counters. Pure. */
public final class CpuPerEcho {
  /** A page may count in steps of 10 ms, and no server echoes in less than 1 µs: so many echoes show on every page. */
  private static final long SHOWN_BY_A_PAGE = 10_000;

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

  /**
   * CPU of the server per echo. Null too where no CPU was counted: an echo takes some, so the count is too coarse or of another process.
   */
  public static @Nullable Double ofServer(@Nullable Number cpuNs, long echoes) {
    return cpuNs == null || cpuNs.longValue() <= 0 ? null : us(cpuNs, echoes);
  }

  /**
   * Tells against a server that used no CPU for its echoes: the counts are of another process.
   *
   * @param pid whose CPU it is, in ns; null = a metrics page told it, in steps of its own
   */
  public static Optional<Reason> doubt(@Nullable Number cpuNs, long echoes, @Nullable Long pid) {
    if (cpuNs == null || cpuNs.longValue() != 0 || echoes < (pid == null ? SHOWN_BY_A_PAGE : 1)) {
      return Optional.empty();
    }
    return Optional.of(
        new Reason(
            ReasonCode.SERVER_MISMATCH,
            "%s no CPU while the client counted %,d echoes: another process is the server"
                .formatted(pid == null ? "the server's metrics page counted" : "process " + pid + " used", echoes)));
  }
}
