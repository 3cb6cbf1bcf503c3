package echoladder.harness.metric;

import static echoladder.harness.metric.Better.HIGHER;
import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;
import static echoladder.harness.probe.Figure.ECHO_RECEIVED_BYTES;
import static echoladder.harness.probe.Figure.NETWORK_DROPS;
import static echoladder.harness.probe.Figure.NETWORK_PACKETS;
import static echoladder.harness.probe.Figure.TCP_RETRANSMITS;

import echoladder.harness.lab.Quotable;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What went over the network between client and server, and what of it was lost and sent again. */
public final class NetworkMetrics {
  private static final Rows COUNTS = Rows.of(Quotable.FAILURE_MODES, LOWER);

  /** Taken before the ramp and at the end of the load, as asking for it takes a while. */
  public static final Metric PACKETS =
      COUNTS.with(Quotable.FAILURE_MODES, NEITHER)
          .probed(
              "network_packets",
              Words.of(
                  "packets over the network",
                  "packets that the netem of the run's network has sent on after their delay, in both directions, from before the ramp to"
                      + " the end of the load (tc -s qdisc); null over loopback"),
              _ -> null);

  /** Likewise. */
  public static final Metric DROPS =
      COUNTS.probed(
          "network_drops",
          Words.of("packets lost", "packets that the netem of the run's network has dropped, likewise"),
          _ -> null);

  public static final Metric RETRANSMITS_PER_ECHO =
      COUNTS.probed(
          "tcp_retransmits_per_echo",
          Words.of(
              "retransmits per echo",
              "segments of established connections that either side sent again over the steady state, probes of the tail among them"
                  + " (RetransSegs less TCPSynRetrans, of both network namespaces), per echo"),
          r -> r.perEcho(TCP_RETRANSMITS));

  public static final Metric GOODPUT =
      COUNTS.with(Quotable.TIMES, HIGHER)
          .probed(
              "goodput_bytes_per_s",
              Words.of("goodput", "bytes of messages that the server says it received, per second of the steady state"),
              r -> r.perSecond(ECHO_RECEIVED_BYTES));

  public static final Metric CUT_CONNECTIONS =
      COUNTS.with(Quotable.FAILURE_MODES, NEITHER)
          .probed(
              "cut_connections",
              Words.of(
                  "connections cut off",
                  "connections that were on the link when it was cut after the load (network.cut), each with a verified echo; null where it"
                      + " was not cut"),
              _ -> null);

  public static final Metric CUT_NOTICED =
      COUNTS.with(Quotable.FAILURE_MODES, HIGHER)
          .probed(
              "cut_noticed",
              Words.of("noticed", "of the connections cut off, those that the server had closed when the link was made whole again"),
              _ -> null);

  public static final Metric CUT_FIRST_NOTICED =
      COUNTS.probed(
          "cut_first_noticed_seconds",
          Words.of("first noticed after", "from the cut until the server's page counted one connection less; null where it closed none"),
          _ -> null);

  public static final Metric CUT_ALL_NOTICED =
      COUNTS.probed(
          "cut_all_noticed_seconds",
          Words.of(
              "all noticed after", "from the cut until the server's page counted none of the connections; null where some were left"),
          _ -> null);

  public static final Metric CUT_RSS =
      COUNTS.with(Quotable.MEMORY, LOWER)
          .probed(
              "cut_server_rss_bytes",
              Words.of("RSS while cut off", "RSS of the server right after the cut, with all these connections"),
              _ -> null);

  public static final Metric CUT_KERNEL_PER_CONNECTION =
      COUNTS.with(Quotable.MEMORY, LOWER)
          .difference(
              "cut_kernel_bytes_per_connection",
              Words.of(
                  "kernel memory while cut off",
                  "growth of socket objects and TCP queues of both ends, from before these connections came to right after the cut, over"
                      + " these connections; null where /proc/slabinfo may not be read"),
              _ -> null);

  private NetworkMetrics() {}

  /** The figures with what was seen of a cut link; without where it was not cut. */
  public static Figures cut(Figures figures, @Nullable CutReading seen) {
    if (seen == null) {
      return figures;
    }
    Long kernel = seen.kernelBytes();
    return figures
        .with(CUT_CONNECTIONS, seen.connections())
        .with(CUT_NOTICED, seen.noticed())
        .with(CUT_FIRST_NOTICED, seen.firstSeconds())
        .with(CUT_ALL_NOTICED, seen.lastSeconds())
        .with(CUT_RSS, seen.rssBytes())
        .with(CUT_KERNEL_PER_CONNECTION, kernel == null ? null : (Double) ((double) kernel / seen.connections()));
  }

  /** The figures with what the network has counted from one reading to another; without where one was not made. */
  public static Figures counted(Figures figures, @Nullable Reading before, @Nullable Reading after) {
    return figures.with(PACKETS, grown(NETWORK_PACKETS, before, after)).with(DROPS, grown(NETWORK_DROPS, before, after));
  }

  private static @Nullable Long grown(Figure figure, @Nullable Reading before, @Nullable Reading after) {
    OptionalLong grown = before == null || after == null ? OptionalLong.empty() : after.since(before, figure);
    return grown.isEmpty() ? null : (Long) grown.getAsLong();
  }

  /** In the order of run.json. */
  static List<Metric> all() {
    return COUNTS.all();
  }
}
