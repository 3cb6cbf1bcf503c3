package echoladder.openloop.run;

import echoladder.client.ServerCpu;
import echoladder.client.page.MetricsPage;
import echoladder.client.page.PageFetch;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.ProcessCpu;
import echoladder.linux.process.ProcessMemory;
import echoladder.linux.process.ProcessTree;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of the server from here: by its pid where it runs on this host, else by its metrics page. One thread.
 */
public final class ServerSide implements ServerLook {
  private static final String RSS = "process_resident_memory_bytes";
  /** The series of how long a JVM's compilers have been busy. */
  public static final String COMPILING = "jvm_compilation_time_seconds_total";

  private final @Nullable Long pid;
  private final @Nullable URI process;
  private final @Nullable URI compilers;
  private final @Nullable ProcessTree tree;
  private final ProcessCpu cpu = new ProcessCpu();
  private final ServerCpu work = new ServerCpu();

  /**
   * Looks by pid, by page or by both.
   *
   * @param pid of its process here; null = not to be seen
   * @param metrics its Prometheus page; null = it has none
   */
  public ServerSide(@Nullable Long pid, @Nullable URI metrics) {
    this(pid, false, metrics);
  }

  /** Looks by pid, by page or by both; with {@code whole}, the processes that the pid's has started belong to the server. */
  ServerSide(@Nullable Long pid, boolean whole, @Nullable URI metrics) {
    this.pid = pid;
    this.tree = pid == null || !whole ? null : new ProcessTree(pid);
    List<String> series = pid == null ? List.of(ServerCpu.PROCESS, ServerCpu.METER, RSS) : List.of(ServerCpu.METER);
    this.process = metrics == null ? null : MetricsPage.only(metrics, series);
    this.compilers = metrics == null ? null : MetricsPage.only(metrics, List.of(COMPILING));
    PageFetch.open(); // Before the ramp, which may take all descriptors.
  }

  @Override
  public Seen look() {
    if (tree != null) {
      Long ns = tree.cpuNs();
      long atNs = System.nanoTime();
      return new Seen(atNs, work.withoutMeter(ns, meterNs()), tree.rssBytes(), "");
    }
    if (pid != null) {
      long ns = cpu.ns(pid);
      long atNs = System.nanoTime();
      Long rss = ProcessMemory.rssBytes(pid);
      return new Seen(atNs, work.withoutMeter(ns < 0 ? null : (Long) ns, meterNs()), rss, "");
    }
    if (process == null) {
      return new Seen(System.nanoTime(), null, null, "");
    }
    try {
      MetricsPage page = MetricsPage.fetch(process);
      return new Seen(System.nanoTime(), of(page), boxed(page.count(RSS)), "");
    } catch (IOException e) {
      return new Seen(System.nanoTime(), null, null, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Long of(MetricsPage page) throws IOException {
    return work.withoutMeter(boxed(page.nanoseconds(ServerCpu.PROCESS)), boxed(page.nanoseconds(ServerCpu.METER)));
  }

  /** CPU that the page of a server with a known pid tells, in ns; null where its page does not tell. */
  private @Nullable Long meterNs() {
    try {
      return process == null ? null : boxed(MetricsPage.fetch(process).nanoseconds(ServerCpu.METER));
    } catch (IOException e) {
      // The CPU is unknown then; whoever asks for the pid's server judges its page by its own reading.
      return null;
    }
  }

  @Override
  public @Nullable String cpus() {
    CpuList cpus = pid == null ? null : CpuAffinity.of(pid);
    return cpus == null ? null : cpus.toString();
  }

  @Override
  public @Nullable Double compileSeconds() {
    try {
      OptionalDouble seconds =
          compilers == null ? OptionalDouble.empty() : MetricsPage.fetch(compilers).sum(COMPILING);
      return seconds.isEmpty() ? null : (Double) seconds.getAsDouble();
    } catch (IOException e) {
      // It only ends the warm-up earlier; what the page cannot say then is said at the borders of the steady state.
      return null;
    }
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }
}
