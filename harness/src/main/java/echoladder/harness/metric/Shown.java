package echoladder.harness.metric;

import static echoladder.harness.metric.CrowdMetrics.BURST_ANSWER;
import static echoladder.harness.metric.CrowdMetrics.BURST_BACKLOG;
import static echoladder.harness.metric.CrowdMetrics.BURST_SEND;
import static echoladder.harness.metric.HostMetrics.CPU_MULTIPLE_OF_FLOOR;
import static echoladder.harness.metric.HostMetrics.HOST_CPU_ABOVE_FLOOR;
import static echoladder.harness.metric.LoadMetrics.ACHIEVED;
import static echoladder.harness.metric.LoadMetrics.CLIENT_CPU;
import static echoladder.harness.metric.LoadMetrics.RECEIVE_DELAY;
import static echoladder.harness.metric.LoadMetrics.RESPONSE;
import static echoladder.harness.metric.LoadMetrics.SEND_LATENESS;
import static echoladder.harness.metric.LoadMetrics.SERVER_CPU;
import static echoladder.harness.metric.LoadMetrics.SERVER_RSS;
import static echoladder.harness.metric.LoadMetrics.SERVER_TIME;
import static echoladder.harness.metric.LoadMetrics.SERVICE;
import static echoladder.harness.metric.MemoryMetrics.KERNEL_PER_CONNECTION;
import static echoladder.harness.metric.MemoryMetrics.LIVE_HEAP_PER_CONNECTION;
import static echoladder.harness.metric.MemoryMetrics.RSS_PER_CONNECTION;
import static echoladder.harness.metric.RuntimeMetrics.INVOLUNTARY_SWITCHES_PER_ECHO;
import static echoladder.harness.metric.RuntimeMetrics.THREADS;
import static echoladder.harness.metric.RuntimeMetrics.VOLUNTARY_SWITCHES_PER_ECHO;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which figures are shown where, in which order. results.csv has all of them. Times are server times; of rungs without stamps their
 * upper bound stands in their place ({@link ServerTimes}).
 */
public final class Shown {
  public static final Metric P50 = SERVER_TIME.at(Percentile.P50);
  public static final Metric P99 = SERVER_TIME.at(Percentile.P99);
  public static final Metric P999 = SERVER_TIME.at(Percentile.P999);
  public static final Metric MAX = SERVER_TIME.at(Percentile.MAX);

  /** Columns of the ladder, on a terminal and in both reports. */
  public static final List<Metric> LADDER = List.of(P50, P99, SERVER_CPU, CPU_MULTIPLE_OF_FLOOR, RSS_PER_CONNECTION);

  /** Columns of the ladder of servers that push. */
  public static final List<Metric> LADDER_OF_PUSH =
      List.of(
          PushMetrics.FIRST.at(Percentile.P50), PushMetrics.LAST.at(Percentile.P50), PushMetrics.DELIVERY.at(Percentile.P99),
          PushMetrics.SERVER_CPU, RSS_PER_CONNECTION);

  /** Columns of a second table in both reports, each where some rung of the run has it. */
  public static final List<Metric> BESIDE =
      List.of(
          P999, MAX, HostMetrics.CPU_PER_ECHO, HOST_CPU_ABOVE_FLOOR, HostMetrics.HOST_SPEED, LIVE_HEAP_PER_CONNECTION,
          KERNEL_PER_CONNECTION,
          BURST_SEND.at(Percentile.P50), BURST_ANSWER.at(Percentile.P50), BURST_ANSWER.at(Percentile.MAX), BURST_BACKLOG.at(Percentile.P50),
          CrowdMetrics.CHURNED, CrowdMetrics.RECONNECT.at(Percentile.P50), CrowdMetrics.RECONNECT.at(Percentile.P99),
          CrowdMetrics.TLS_HANDSHAKES, CrowdMetrics.TLS_RESUMED, StormMetrics.DOWN,
          StormMetrics.RECOVERY, CrowdMetrics.STORM_REFUSED, CrowdMetrics.STORM_BROKEN, CrowdMetrics.STORM_TIMED_OUT, StormMetrics.PEAK_RSS,
          PushMetrics.PER_S, PushMetrics.REACH, PushMetrics.LAST.at(Percentile.MAX), PushMetrics.DELIVERY.at(Percentile.P50),
          PushMetrics.DELIVERY.at(Percentile.P999), PushMetrics.HOST_CPU, SlowReaderMetrics.ENDED, SlowReaderMetrics.OPEN,
          SlowReaderMetrics.READER_ENDED.at(Percentile.P50), SlowReaderMetrics.READER_ENDED.at(Percentile.MAX),
          SlowReaderMetrics.RSS_GROWN, SlowReaderMetrics.BUFFERS_GROWN, SlowReaderMetrics.HELD, SlowReaderMetrics.IN_GIB,
          VOLUNTARY_SWITCHES_PER_ECHO, INVOLUNTARY_SWITCHES_PER_ECHO, RuntimeMetrics.MIGRATIONS_PER_ECHO, RuntimeMetrics.ALLOCATED_PER_ECHO,
          NetworkMetrics.CUT_CONNECTIONS, NetworkMetrics.CUT_NOTICED, NetworkMetrics.CUT_FIRST_NOTICED, NetworkMetrics.CUT_ALL_NOTICED,
          NetworkMetrics.CUT_RSS, NetworkMetrics.CUT_KERNEL_PER_CONNECTION,
          RuntimeMetrics.COMPILER, MemoryMetrics.SLAB_PER_CONNECTION, MemoryMetrics.KERNEL_STACKS_PER_CONNECTION,
          MemoryMetrics.PAGE_TABLES_PER_CONNECTION, MemoryMetrics.SOCKET_OBJECTS_PER_CONNECTION);

  /** Servers in pairs: pairs.csv and both reports. */
  public static final List<Metric> IN_PAIRS =
      List.of(
          SERVER_CPU, HOST_CPU_ABOVE_FLOOR, P50, P99, P999, SERVICE.at(Percentile.P99), SEND_LATENESS.at(Percentile.P99),
          RSS_PER_CONNECTION,
          INVOLUNTARY_SWITCHES_PER_ECHO, BURST_ANSWER.at(Percentile.P50), BURST_BACKLOG.at(Percentile.P50),
          CrowdMetrics.RECONNECT.at(Percentile.P50), CrowdMetrics.RECONNECT.at(Percentile.P99), StormMetrics.RECOVERY,
          StormMetrics.PEAK_RSS, PushMetrics.FIRST.at(Percentile.P50), PushMetrics.LAST.at(Percentile.P50),
          PushMetrics.DELIVERY.at(Percentile.P99));

  /** Figures compared between the two values of a knob; of each less is better. */
  public static final List<Metric> OF_KNOBS =
      List.of(SERVER_CPU, HostMetrics.CPU_PER_ECHO, P99, RSS_PER_CONNECTION, KERNEL_PER_CONNECTION);

  /** Figures compared between the two values of a knob over a network, where times and losses matter first. */
  public static final List<Metric> OF_KNOBS_OVER_NETWORK =
      List.of(
          P50, P99, P999, NetworkMetrics.RETRANSMITS_PER_ECHO, SERVER_CPU, HostMetrics.CPU_PER_ECHO, RSS_PER_CONNECTION,
          KERNEL_PER_CONNECTION);

  /** Figures compared between the two values of a knob while connections come: the largest is the time until all are verified. */
  public static final List<Metric> OF_CONNECTING =
      List.of(
          LoadMetrics.FIRST_ECHO.at(Percentile.MAX), LoadMetrics.FIRST_ECHO.at(Percentile.P99), LoadMetrics.FIRST_ECHO.at(Percentile.P50));

  /** The four times of each rung, side by side: both reports, and a terminal on demand. The response time is the sum of the others. */
  public static final List<Times> FOUR_TIMES = List.of(SERVER_TIME, SEND_LATENESS, RECEIVE_DELAY, RESPONSE);

  /** The times of a run without stamps. */
  public static final List<Times> TIMES_WITHOUT_STAMPS = List.of(RESPONSE, SERVICE, SEND_LATENESS);

  /** The columns of both. */
  public static final List<Percentile> OF_EACH_TIME = List.of(Percentile.P50, Percentile.P99);

  /** Figures in which the processes of a server may fall apart in two groups. */
  public static final List<Metric> IN_GROUPS = List.of(SERVER_CPU, HostMetrics.CPU_PER_ECHO, P50, P99);

  /** Servers in pairs over several runs. */
  public static final List<Metric> OVER_RUNS =
      List.of(SERVER_CPU, HOST_CPU_ABOVE_FLOOR, P50, P99, P999, RSS_PER_CONNECTION);

  /** Each server over several runs. */
  public static final List<Metric> OF_EACH_OVER_RUNS = List.of(SERVER_CPU, P50, P99, P999, RSS_PER_CONNECTION);

  /** Two runs compared. */
  public static final List<Metric> BETWEEN_RUNS =
      List.of(P50, P99, SERVER_CPU, RSS_PER_CONNECTION, LIVE_HEAP_PER_CONNECTION);

  /** Two clients compared at the same server. */
  public static final List<Metric> BETWEEN_CLIENTS =
      List.of(
          ACHIEVED, RESPONSE.at(Percentile.P50), RESPONSE.at(Percentile.P99), SERVICE.at(Percentile.P50), SERVICE.at(Percentile.P99),
          SERVER_CPU);

  /** Plotted over the connections. */
  public static final List<Metric> TIMES_PLOTTED = List.of(P50, P99, P999, MAX);

  /** What an echo costs, plotted over the connections. */
  public static final List<Metric> COSTS_PLOTTED = List.of(SERVER_CPU, CPU_MULTIPLE_OF_FLOOR);

  /** Plotted over the rate, where it is a part of a rung's key: by the name of the plot. */
  public static final Map<String, List<Metric>> OVER_RATES = overRates();

  private static Map<String, List<Metric>> overRates() {
    Map<String, List<Metric>> plots = new LinkedHashMap<>();
    plots.put("cpu", List.of(SERVER_CPU));
    plots.put("host-cpu", List.of(HOST_CPU_ABOVE_FLOOR));
    plots.put("response-time", List.of(P50, P99));
    plots.put("switches-and-idle", List.of(RuntimeMetrics.VOLUNTARY_SWITCHES_PER_S, HostMetrics.IDLE_SHARE));
    return Collections.unmodifiableMap(plots);
  }

  /** Plotted over each axis of a study, where there is no room for all. */
  public static final List<Metric> OVER_AXES = List.of(P99, SERVER_CPU, RSS_PER_CONNECTION, LIVE_HEAP_PER_CONNECTION);

  /** What a claim may take of a rung, with {@code _at_} and the connections behind the name. */
  public static final List<Metric> IN_CLAIMS =
      List.of(
          LoadMetrics.ESTABLISHED, LoadMetrics.OFFERED, ACHIEVED, RESPONSE.at(Percentile.P50), RESPONSE.at(Percentile.P90),
          RESPONSE.at(Percentile.P99), RESPONSE.at(Percentile.MAX), SERVER_CPU,
          CLIENT_CPU, SERVER_RSS, MemoryMetrics.RSS_AT_READY, RSS_PER_CONNECTION, LIVE_HEAP_PER_CONNECTION, KERNEL_PER_CONNECTION,
          MemoryMetrics.SOCKET_OBJECTS_PER_CONNECTION, THREADS,
          HostMetrics.IDLE_SHARE, HostMetrics.FOREIGN_SHARE);

  /** What a claim may take of users in stages, beside the figures of their requests. */
  public static final List<Metric> IN_CLAIMS_OF_STAGES =
      List.of(SERVER_CPU, CLIENT_CPU, SERVER_RSS, THREADS, HostMetrics.IDLE_SHARE);

  /** What a claim may take of the requests of users in stages, those of one kind with its name before the figure's. */
  public static final List<Metric> IN_CLAIMS_OF_REQUESTS =
      Stream.concat(Stream.of(StagedMetrics.ACHIEVED, StagedMetrics.ALL_ERRORS), StagedMetrics.SERVICE.stream()).toList();

  private Shown() {}
}
