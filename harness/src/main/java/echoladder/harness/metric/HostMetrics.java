package echoladder.harness.metric;

import static echoladder.harness.metric.Better.HIGHER;
import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;
import static echoladder.harness.probe.Figure.ECHO_ACCEPT_ERRORS;
import static echoladder.harness.probe.Figure.ECHO_CONNECTIONS_OPEN;
import static echoladder.harness.probe.Figure.HOST_IDLE_NS;
import static echoladder.harness.probe.Figure.HOST_STEAL_NS;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
import echoladder.harness.lab.Quotable;
import echoladder.harness.metric.RungReadings.Side;
import java.util.List;
import java.util.function.Function;

/** The host's CPU over the steady state, the comparison with the floor, and what the server said of its connections. */
public final class HostMetrics {
  private static final Rows CPU = Rows.of(Quotable.CPU, LOWER);

  public static final Metric CPU_PER_ECHO =
      CPU.probed(
          "host_cpu_us_per_echo",
          Words.of("host CPU per echo", "all CPU of the host that was not idle, per echo; null where the client polled (spin)"),
          r -> r.load().placement().spins() ? null : r.hostUsPerEcho());

  public static final Metric UNATTRIBUTED_CPU =
      CPU.difference(
          "unattributed_cpu_us_per_echo",
          Words.of(
              "unattributed CPU per echo",
              "the host's CPU per echo that is neither the server's nor the client's: interrupts, the harness, others"),
          RungReadings::othersUsPerEcho);

  public static final Metric IDLE_SHARE =
      CPU.with(Quotable.CPU, HIGHER)
          .probed(
              "host_idle_share",
              Words.of("host idle", "part of the host's CPU time over the steady state that nobody used, 0 to 1"),
              r -> r.shareOfHost(r.grown(HOST_IDLE_NS)));

  public static final Metric STEAL_SHARE =
      CPU.probed(
          "host_steal_share",
          Words.of("steal", "part of the host's CPU time over the steady state that the hypervisor took, 0 to 1"),
          r -> r.shareOfHost(r.grown(HOST_STEAL_NS)));

  public static final Metric SERVER_CPUS_IDLE_SHARE =
      CPU.with(Quotable.CPU, HIGHER)
          .probed(
              "server_cpus_idle_share",
              Words.of(
                  "server's processors idle",
                  "part of the CPU time of `server_cpus` over the steady state that nobody used, 0 to 1; null where server and client"
                      + " share a processor"),
              r -> r.idleShare(Side.SERVER));

  public static final Metric SERVER_CPUS_STEAL_SHARE =
      CPU.probed(
          "server_cpus_steal_share",
          Words.of("steal from the server's processors", "part of the CPU time of `server_cpus` that the hypervisor took, likewise"),
          r -> r.stealShare(Side.SERVER));

  public static final Metric CLIENT_CPUS_IDLE_SHARE =
      CPU.with(Quotable.CPU, HIGHER)
          .probed(
              "client_cpus_idle_share",
              Words.of(
                  "client's processors idle",
                  "part of the CPU time of `client_cpus` over the steady state that nobody used, likewise; little where the client"
                      + " polled (spin)"),
              r -> r.idleShare(Side.CLIENT));

  public static final Metric CLIENT_CPUS_STEAL_SHARE =
      CPU.probed(
          "client_cpus_steal_share",
          Words.of("steal from the client's processors", "part of the CPU time of `client_cpus` that the hypervisor took, likewise"),
          r -> r.stealShare(Side.CLIENT));

  public static final Metric FOREIGN_SHARE =
      CPU.probed(
          "foreign_cpu_share",
          Words.of("CPU of others", "part of the host's CPU time over the steady state spent by neither server nor client, 0 to 1"),
          r -> {
            Double us = r.othersUsPerEcho();
            return us == null ? null : r.shareOfHost(Math.max(0, us) * 1e3 * r.load().messages().echoesInSteady());
          });

  /** Taken within the steady state: see HostWork. */
  public static final Metric HOST_WORK =
      CPU.probed(
          "host_work_ns",
          Words.of(
              "CPU of a fixed piece of work",
              "CPU time that a fixed piece of work (arithmetic within the cache, echoes over loopback) took on the server's processors,"
                  + " mean of one every 50 ms of the steady state"),
          _ -> null);

  public static final Metric CLIENT_WORK =
      CPU.probed(
          "client_cpus_work_ns",
          Words.of("CPU of that work, client's processors", "CPU time of the same work on the client's processors, likewise"),
          _ -> null);

  /** Known once other rungs are: see HostSpeeds. */
  public static final Metric HOST_SPEED =
      CPU.with(Quotable.CPU, HIGHER)
          .probed(
              "host_speed",
              Words.of(
                  "host speed",
                  "how quick the server's processors were: the median of `host_work_ns` over the run's rungs on these processors, divided"
                      + " by that of the rung"),
              _ -> null);

  /** Known once other rungs are: see HostSpeeds. */
  public static final Metric CLIENT_SPEED =
      CPU.with(Quotable.CPU, HIGHER)
          .probed(
              "client_cpus_speed",
              Words.of("speed of the client's processors", "how quick these were: the same by `client_cpus_work_ns`"),
              _ -> null);

  /** What the host's own gaps may explain of the percentiles of the response time. */
  static final PercentileShares GAP_SHARES = gapShares("response_time", "response", LoadResult.Times::response);

  /** Which part of the percentiles of the server time the host's own gaps may explain. */
  static final PercentileShares SERVER_GAP_SHARES = gapShares("server_time", "server time", LoadResult.Times::server);

  private static PercentileShares gapShares(String family, String label, Function<LoadResult.Times, Percentiles> times) {
    return PercentileShares.of(
        at ->
            CPU.with(Quotable.TIMES, LOWER)
                .probed(
                    "%s_%s_gap_share".formatted(family, at.id()),
                    Words.of(
                        "gap share of %s %s".formatted(label, at.brief()),
                        ("of the messages beyond %s %s, the part that the host's gaps may explain: time in gaps longer than a"
                            + " tenth of it, over the part beyond, at most 1")
                            .formatted(label, at.brief())),
                    r -> r.gapShare(at.of(times.apply(r.load().times())), 1 - at.rank() / 100)));
  }

  /** Known once all rungs are: see FloorComparison. */
  public static final Metric CPU_ABOVE_FLOOR =
      CPU.difference(
          "server_cpu_us_above_floor_per_echo",
          Words.of(
              "server CPU per echo above the floor",
              "server's CPU per echo minus that of the floor at the same rung of the same run"),
          _ -> null);

  /** The difference in CPU of all processors: what an echo costs here, wherever the work is done. */
  public static final Metric HOST_CPU_ABOVE_FLOOR =
      CPU.difference(
          "host_cpu_above_floor_us_per_echo",
          Words.of(
                  "host CPU per echo above the floor",
                  "host's CPU per echo minus that of the floor's rung with the same connections, load, placement and repeat of the same"
                      + " run")
              .brief("host+").title("Host CPU per echo above the floor's"),
          _ -> null);

  public static final Metric CPU_MULTIPLE_OF_FLOOR =
      CPU.probed(
          "server_cpu_multiple_of_floor",
          Words.of("× floor", "server's CPU per echo as a multiple of that of the floor at the same rung of the same run")
              .brief("×floor").title("The same as a multiple of the floor's"),
          _ -> null);

  public static final Metric CONNECTIONS_OPEN =
      CPU.with(Quotable.LIMITS, NEITHER)
          .probed(
              "server_echo_connections_open",
              Words.of("connections open", "what the server itself said was open at the end of the steady state"),
              r -> r.atEnd(ECHO_CONNECTIONS_OPEN));

  static {
    CPU.with(Quotable.FAILURE_MODES, LOWER)
        .probed(
            "server_accept_errors", Words.of("accept errors", "accepts that the server said had failed"),
            r -> r.atEnd(ECHO_ACCEPT_ERRORS));
  }

  private HostMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return CPU.all();
  }
}
