package echoladder.harness.metric;

import echoladder.harness.lab.Quotable;
import java.util.List;
import java.util.Optional;

/** Those of the figures that a workload writes which have a name of their own above a plot. */
public final class WorkloadMetrics {
  private static final Rows MEMORY = Rows.of(Quotable.MEMORY, Better.LOWER);
  private static final Rows TIMES = MEMORY.with(Quotable.TIMES, Better.LOWER);
  private static final Rows CPU = MEMORY.with(Quotable.CPU, Better.LOWER);

  static {
    MEMORY.written("rss_bytes", Words.of("resident memory", "of the workload's process"));
    MEMORY.written("rss_peak_bytes", Words.of("resident memory, the peak", "the most of it that was sampled"));
    MEMORY.written("os_threads", Words.of("threads of the operating system", "of the workload's process"));
    TIMES.written("wall_ns", Words.of("time for all of them", "from the first task's start to the last one's end"));
    MEMORY.written("resident_bytes_per_task", Words.of("resident memory per thread", "growth of it over the tasks"));
    MEMORY.written(
        "reserved_bytes_per_task", Words.of("reserved address space per thread", "growth of it over the tasks"));
    CPU.written("cpu_per_switch_ns", Words.of("CPU per yield", "CPU of the process over the yields"));
  }

  private WorkloadMetrics() {}

  /** The row of that name; empty where a figure has none. */
  public static Optional<Metric> named(String name) {
    return all().stream().filter(row -> row.name().equals(name)).findFirst();
  }

  static List<Metric> all() {
    return MEMORY.all();
  }
}
