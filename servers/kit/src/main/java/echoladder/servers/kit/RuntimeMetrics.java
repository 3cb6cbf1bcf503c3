package echoladder.servers.kit;

import echoladder.linux.process.ProcessCpu;
import echoladder.servers.kit.options.CannotRun;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmClassLoadingMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmCompilationMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * The JVM's and the process's own figures.
 *
 * <p>Two of the library's collectors are replaced, as a scrape each second must not weigh more the more connections
 * there are: its thread collector takes a snapshot of every thread and looks for deadlocks at a safepoint, its process
 * collector lists every open descriptor.
 */
final class RuntimeMetrics {
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");

  private RuntimeMetrics() {}

  /** {@code server}: its name, so that who scrapes it from afar sees whom. */
  static void register(PrometheusRegistry registry, String server) {
    Info.builder()
        .name("echo_server_info")
        .help("Which server this is: its name and process id.")
        .labelNames("server", "pid")
        .register(registry)
        .setLabelValues(server, Long.toString(ProcessHandle.current().pid()));
    JvmBufferPoolMetrics.builder().register(registry);
    JvmClassLoadingMetrics.builder().register(registry);
    JvmCompilationMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmRuntimeInfoMetric.builder().register(registry);
    registerProcess(registry);
    registerThreads(registry);
    registerScheduler(registry);
  }

  private static void registerProcess(PrometheusRegistry registry) {
    ProcessCpu cpu = new ProcessCpu();
    counter(registry, "process_cpu_seconds_total", "CPU by the kernel's nanosecond clock.", () -> cpu.ownNs() / 1e9);
    RandomAccessFile status = openStatus();
    gauge(registry, "process_resident_memory_bytes", "VmRSS of /proc/self/status.", () -> residentBytes(status));
    double startSeconds = ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3;
    gauge(registry, "process_start_time_seconds", "Start of the JVM since the epoch.", () -> startSeconds);
  }

  /** Opened once and kept: it must be readable when the process is out of descriptors. */
  private static RandomAccessFile openStatus() {
    try {
      return new RandomAccessFile("/proc/self/status", "r");
    } catch (IOException e) {
      throw new CannotRun("could not open /proc/self/status for the resident memory: " + e.getMessage(), e);
    }
  }

  private static double residentBytes(RandomAccessFile status) {
    byte[] text = new byte[4096];
    int length;
    try {
      synchronized (status) {
        status.seek(0);
        length = status.read(text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Matcher m = RESIDENT.matcher(new String(text, 0, Math.max(0, length), StandardCharsets.US_ASCII));
    return m.find() ? Long.parseLong(m.group(1)) * 1024.0 : Double.NaN;
  }

  private static void registerThreads(PrometheusRegistry registry) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    gauge(registry, "jvm_threads_current", "Live platform threads.", threads::getThreadCount);
    gauge(registry, "jvm_threads_daemon", "Live daemon threads.", threads::getDaemonThreadCount);
    gauge(registry, "jvm_threads_peak", "Most live platform threads so far.", threads::getPeakThreadCount);
    counter(
        registry, "jvm_threads_started_total", "Platform threads started.", threads::getTotalStartedThreadCount);
    // What a virtual thread allocates is counted with its carrier.
    if (threads instanceof com.sun.management.ThreadMXBean counting) {
      counter(
          registry, "jvm_threads_allocated_bytes_total", "Allocated on the heap by all threads, ended ones too.",
          counting::getTotalThreadAllocatedBytes);
    }
  }

  private static void registerScheduler(PrometheusRegistry registry) {
    VirtualThreadSchedulerMXBean scheduler =
        ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    String prefix = "jvm_virtual_thread_scheduler_";
    gauge(registry, prefix + "parallelism", "Target parallelism.", scheduler::getParallelism);
    gauge(registry, prefix + "pool_size", "Carrier threads started and not ended.", scheduler::getPoolSize);
    gauge(registry, prefix + "mounted", "Virtual threads mounted.", scheduler::getMountedVirtualThreadCount);
    gauge(registry, prefix + "queued", "Virtual threads waiting for a carrier.", scheduler::getQueuedVirtualThreadCount);
  }

  private static void gauge(PrometheusRegistry registry, String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder().name(name).help(help).callback(c -> c.call(value.getAsDouble())).register(registry);
  }

  private static void counter(PrometheusRegistry registry, String name, String help, DoubleSupplier value) {
    CounterWithCallback.builder().name(name).help(help).callback(c -> c.call(value.getAsDouble())).register(registry);
  }
}
