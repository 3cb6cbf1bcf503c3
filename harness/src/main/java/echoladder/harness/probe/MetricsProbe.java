package echoladder.harness.probe;

import echoladder.client.ServerCpu;
import echoladder.client.page.GarbledPageException;
import echoladder.client.page.MetricsPage;
import echoladder.openloop.run.ServerSide;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a server's metrics page: connections, bytes, accept errors, its collector's pauses, its compilers' time, what it
 * allocated and its hiccups. It asks only for these series, by the {@code name[]} of the Prometheus libraries: a page with the state of ten
 * thousand threads would cost the server more than many echoes do.
 */
final class MetricsProbe implements Probe {
  private static final Map<String, Figure> COUNTS =
      Map.of(
          "echo_connections_open", Figure.ECHO_CONNECTIONS_OPEN,
          "echo_connections_accepted_total", Figure.ECHO_CONNECTIONS_ACCEPTED,
          "echo_received_bytes_total", Figure.ECHO_RECEIVED_BYTES,
          "echo_sent_bytes_total", Figure.ECHO_SENT_BYTES,
          "echo_accept_errors_total", Figure.ECHO_ACCEPT_ERRORS);

  /** Pauses of the JVM's collectors and of Go's, of which a server has one. */
  private static final List<String> PAUSES = List.of("jvm_gc_collection_seconds", "go_gc_duration_seconds");

  /** Series of what was allocated, of the JVM and of Go. */
  private static final List<String> ALLOCATED = List.of("jvm_threads_allocated_bytes_total", "go_memstats_alloc_bytes_total");

  private static final String HICCUPS = "echo_hiccup_seconds";
  private static final String RSS = "process_resident_memory_bytes";
  private static final String START = "process_start_time_seconds";

  /** A start time that is worked out anew for each page may differ by a tick or two. */
  private static final double SAME_START_SECONDS = 0.5;

  private final URI page;
  private final boolean afar;
  private volatile String failure = "";
  private volatile String restart = "";
  private volatile Map<String, Long> acceptErrors = Map.of();
  private OptionalDouble started = OptionalDouble.empty();
  private OptionalDouble cpuSeconds = OptionalDouble.empty();
  private @Nullable Hiccups hiccups;

  /** With {@code afar}, CPU and RSS too come from the page, and it is watched for another process. */
  MetricsProbe(URI page, boolean afar) {
    this.afar = afar;
    List<String> names = new ArrayList<>(COUNTS.keySet().stream().sorted().toList());
    names.addAll(PAUSES);
    names.addAll(ALLOCATED);
    names.addAll(List.of(HICCUPS, ServerCpu.METER, ServerSide.COMPILING));
    if (afar) {
      names.addAll(List.of(ServerCpu.PROCESS, RSS, START));
    }
    this.page = MetricsPage.only(page, names);
  }

  @Override
  public void sample(Reading into) {
    try {
      read(MetricsPage.fetch(page), into);
      failure = "";
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    }
  }

  private void read(MetricsPage metrics, Reading into) throws GarbledPageException {
    acceptErrors = metrics.byLabel("echo_accept_errors_total", "reason");
    for (Map.Entry<String, Figure> count : COUNTS.entrySet()) {
      metrics.count(count.getKey()).ifPresent(value -> into.put(count.getValue(), value));
    }
    if (afar) {
      process(metrics, into);
    }
    for (String pauses : PAUSES) {
      metrics.count(pauses + "_count").ifPresent(n -> into.put(Figure.SERVER_GC_COUNT, n));
      metrics.nanoseconds(pauses + "_sum").ifPresent(ns -> into.put(Figure.SERVER_GC_PAUSE_NS, ns));
    }
    metrics.nanoseconds(ServerSide.COMPILING).ifPresent(ns -> into.put(Figure.SERVER_COMPILER_NS, ns));
    for (String allocated : ALLOCATED) {
      metrics.count(allocated).ifPresent(bytes -> into.put(Figure.SERVER_ALLOCATED_BYTES, bytes));
    }
    hiccups(metrics, into);
  }

  private void hiccups(MetricsPage metrics, Reading into) throws GarbledPageException {
    Hiccups now = Hiccups.on(metrics);
    Long longest = now == null || hiccups == null ? null : now.mostNs(hiccups, 1);
    if (longest != null) {
      into.put(Figure.SERVER_HICCUP_MAX_NS, longest);
    }
    into.put(now);
    hiccups = now;
    metrics.nanoseconds(ServerCpu.METER).ifPresent(ns -> into.put(Figure.SERVER_HICCUP_METER_CPU_NS, ns));
  }

  /** What a host's kernel tells of its own processes, of one on another. */
  private void process(MetricsPage metrics, Reading into) throws GarbledPageException {
    OptionalLong cpuNs = metrics.nanoseconds(ServerCpu.PROCESS);
    OptionalLong rssBytes = metrics.count(RSS);
    OptionalDouble cpu = metrics.sum(ServerCpu.PROCESS);
    OptionalDouble start = metrics.sum(START);
    cpuNs.ifPresent(ns -> into.put(Figure.SERVER_CPU_NS, ns));
    rssBytes.ifPresent(bytes -> into.put(Figure.SERVER_RSS_BYTES, bytes));
    if (start.isPresent() && started.isPresent()
        && Math.abs(start.getAsDouble() - started.getAsDouble()) > SAME_START_SECONDS) {
      restart = "%s was %.3f and is %.3f".formatted(START, started.getAsDouble(), start.getAsDouble());
    } else if (cpu.isPresent() && cpuSeconds.isPresent() && cpu.getAsDouble() < cpuSeconds.getAsDouble()) {
      restart = "%s fell from %.3f to %.3f".formatted(ServerCpu.PROCESS, cpuSeconds.getAsDouble(), cpu.getAsDouble());
    }
    started = start.isPresent() ? start : started;
    cpuSeconds = cpu.isPresent() ? cpu : cpuSeconds;
  }

  /** Failed accepts by reason, of the last page that could be had. */
  Map<String, Long> acceptErrors() {
    return acceptErrors;
  }

  /** How another process was noticed behind the page; empty where none was. */
  String restart() {
    return restart;
  }

  /** Why the last page could not be had; empty where it could. */
  String failure() {
    return failure;
  }
}
