package echoladder.client;

import org.jspecify.annotations.Nullable;

/**
 * CPU that a server has used so far, without that of its hiccup meter, which no echo takes. Whether the server tells its
 * meter's CPU is decided by the first reading, so that every difference is of one kind. One thread.
 */
public final class ServerCpu {
  /** The series of the whole process. */
  public static final String PROCESS = "process_cpu_seconds_total";

  /** The series of its hiccup meter. */
  public static final String METER = "echo_hiccup_cpu_seconds_total";

  private @Nullable Boolean metered;

  /**
   * The server's CPU for its work.
   *
   * @param processNs CPU of its process so far, ns; null = unknown
   * @param meterNs CPU of its hiccup meter so far, ns; null = the server does not tell it
   * @return ns; null where a part is unknown now that was known at first
   */
  public @Nullable Long withoutMeter(@Nullable Long processNs, @Nullable Long meterNs) {
    if (metered == null) {
      metered = meterNs != null;
    }
    if (!metered) {
      return processNs;
    }
    return processNs == null || meterNs == null ? null : (Long) (processNs - meterNs);
  }
}
