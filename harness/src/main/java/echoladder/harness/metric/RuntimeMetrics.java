package echoladder.harness.metric;

import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.probe.Figure.HOST_CONTEXT_SWITCHES;
import static echoladder.harness.probe.Figure.HOST_PAGE_FAULTS;
import static echoladder.harness.probe.Figure.SERVER_ALLOCATED_BYTES;
import static echoladder.harness.probe.Figure.SERVER_COMPILER_NS;
import static echoladder.harness.probe.Figure.SERVER_GC_COUNT;
import static echoladder.harness.probe.Figure.SERVER_GC_PAUSE_NS;
import static echoladder.harness.probe.Figure.SERVER_INVOLUNTARY_SWITCHES;
import static echoladder.harness.probe.Figure.SERVER_MIGRATIONS;
import static echoladder.harness.probe.Figure.SERVER_THREADS;
import static echoladder.harness.probe.Figure.SERVER_VOLUNTARY_SWITCHES;

import echoladder.harness.lab.Quotable;
import java.util.List;

/** What the server's threads and runtime did over the steady state. */
public final class RuntimeMetrics {
  private static final Rows TIMES = Rows.of(Quotable.TIMES, LOWER);
  private static final Rows CPU = TIMES.with(Quotable.CPU, LOWER);

  public static final Metric THREADS =
      TIMES.with(Quotable.MEMORY, LOWER)
          .probed(
              "server_threads",
              Words.of("server threads", "threads of the server at the end of the steady state"),
              r -> r.atEnd(SERVER_THREADS));

  public static final Metric VOLUNTARY_SWITCHES_PER_S =
      CPU.probed(
          "server_voluntary_switches_per_s",
          Words.of(
              "voluntary switches per s",
              "context switches of the server's threads that had to wait, per second of the steady state; null above 1,000 threads"),
          r -> r.perSecond(SERVER_VOLUNTARY_SWITCHES));

  static {
    CPU.probed(
        "server_involuntary_switches_per_s",
        Words.of(
            "involuntary switches per s",
            "context switches of the server's threads that were preempted, per second of the steady state; null above 1,000"
                + " threads"),
        r -> r.perSecond(SERVER_INVOLUNTARY_SWITCHES));
  }

  public static final Metric VOLUNTARY_SWITCHES_PER_ECHO =
      CPU.probed(
          "server_voluntary_switches_per_echo",
          Words.of(
              "voluntary switches per echo",
              "context switches of the server's threads that had to wait, over the steady state, per echo; each ends with a wake-up;"
                  + " null above 1,000 threads"),
          r -> r.perEcho(SERVER_VOLUNTARY_SWITCHES));

  public static final Metric INVOLUNTARY_SWITCHES_PER_ECHO =
      CPU.probed(
          "server_involuntary_switches_per_echo",
          Words.of(
              "involuntary switches per echo",
              "context switches of the server's threads that were preempted, over the steady state, per echo; null above 1,000"
                  + " threads"),
          r -> r.perEcho(SERVER_INVOLUNTARY_SWITCHES));

  public static final Metric MIGRATIONS_PER_ECHO =
      CPU.probed(
          "server_migrations_per_echo",
          Words.of(
              "migrations per echo",
              "moves of the server's threads from one processor to another, over the steady state, per echo; null above 1,000 threads, and"
                  + " on a kernel without /proc/PID/sched"),
          r -> r.perEcho(SERVER_MIGRATIONS));

  public static final Metric ALLOCATED_PER_ECHO =
      CPU.probed(
          "server_allocated_bytes_per_echo",
          Words.of(
              "allocated per echo",
              "what the server's threads allocated on its heap within the steady state, per echo; the metrics page's own part is in it;"
                  + " null where its page does not tell"),
          r -> r.oneProcess() ? r.perEcho(SERVER_ALLOCATED_BYTES) : null);

  static {
    CPU.probed(
        "host_context_switches_per_s",
        Words.of("host's switches per s", "context switches of the whole host, per second of the steady state"),
        r -> r.perSecond(HOST_CONTEXT_SWITCHES));
  }

  public static final Metric HOST_PAGE_FAULTS_PER_ECHO =
      CPU.probed(
          "host_page_faults_per_echo",
          Words.of(
              "host's page faults per echo",
              "page faults of the whole host, minor and major, over the steady state, per echo: the client's, the harness's and others' are"
                  + " among them"),
          r -> r.perEcho(HOST_PAGE_FAULTS));

  public static final Metric GC_COUNT =
      TIMES.probed(
          "server_gc_count", Words.of("collections", "collections of the server's runtime within the steady state"),
          r -> r.grownInProcess(SERVER_GC_COUNT));

  public static final Metric GC_PAUSE =
      TIMES.probed(
          "server_gc_pause_total_ns",
          Words.of("collection pauses", "pauses of the server's collector within the steady state together"),
          r -> r.grownInProcess(SERVER_GC_PAUSE_NS));

  public static final Metric COMPILER =
      CPU.probed(
          "server_compiler_us_per_echo",
          Words.of(
              "server's compilers",
              "time that the server's JIT compilers were busy within the steady state, per echo; it is in server_cpu_us_per_echo;"
                  + " null of a runtime without"),
          r -> r.usPerEcho(r.grownInProcess(SERVER_COMPILER_NS)));

  public static final Metric HICCUP_P99 =
      TIMES.probed(
          "server_hiccup_p99_ns",
          Words.of(
              "server hiccup p99",
              "by the server's own meter over the steady state: what a thread there that wanted to run waited at most for 99 %"
                  + " of the time; null where its page has none"),
          r -> r.oneProcess() ? r.end().serverHiccupNs(r.start(), 0.99) : null);

  public static final Metric HICCUP_MAX =
      TIMES.probed(
          "server_hiccup_max_ns",
          Words.of("server hiccup max", "by the server's own meter: its longest hiccup within the steady state"),
          r -> r.oneProcess() ? r.end().serverHiccupNs(r.start(), 1) : null);

  public static final Metric HICCUP_METER_CPU =
      CPU.probed(
          "server_hiccup_meter_cpu_us_per_echo",
          Words.of(
              "CPU of the server's hiccup meter",
              "CPU per echo of that meter, which is left out of server_cpu_us_per_echo; null where the server cannot tell, and"
                  + " then it is in it"),
          RungReadings::meterUsPerEcho);

  private RuntimeMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return TIMES.all();
  }
}
