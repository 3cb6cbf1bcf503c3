package echoladder.workloads;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What the kernel says of this process and of the host, now. One thread; allocates nothing. */
final class ProcessReadings {
  private static final byte[] RSS = NumberFile.key("VmRSS:");
  private static final byte[] RSS_PEAK = NumberFile.key("VmHWM:");
  private static final byte[] SIZE = NumberFile.key("VmSize:");
  private static final byte[] PAGE_TABLES = NumberFile.key("VmPTE:");
  private static final byte[] THREADS = NumberFile.key("Threads:");
  private static final byte[] AVAILABLE = NumberFile.key("MemAvailable:");

  private final NumberFile status;
  private final NumberFile memory;
  private final NumberFile load;

  ProcessReadings() {
    try {
      status = new NumberFile("/proc/self/status");
      memory = new NumberFile("/proc/meminfo");
      load = new NumberFile("/proc/loadavg");
      refresh();
    } catch (IOException e) {
      throw new UncheckedIOException("the guards need /proc: " + e.getMessage(), e);
    }
  }

  ProcessReadings refresh() throws IOException {
    status.refresh();
    memory.refresh();
    load.refresh();
    return this;
  }

  long rssBytes() {
    return status.after(RSS) << 10;
  }

  /** The kernel's own high-water mark. */
  long rssPeakBytes() {
    return status.after(RSS_PEAK) << 10;
  }

  /** Address space, reserved whether or not it was ever touched. */
  long reservedBytes() {
    return status.after(SIZE) << 10;
  }

  long pageTableBytes() {
    return status.after(PAGE_TABLES) << 10;
  }

  /** OS threads of this process. */
  long threads() {
    return status.after(THREADS);
  }

  /** What counts against the memory limit. */
  long heldBytes() {
    return Limits.heldBytes(rssBytes(), pageTableBytes(), threads());
  }

  long availableBytes() {
    return memory.after(AVAILABLE) << 10;
  }

  /** Threads of all processes: the number behind the slash of /proc/loadavg. */
  long hostTasks() {
    return load.after('/');
  }
}
