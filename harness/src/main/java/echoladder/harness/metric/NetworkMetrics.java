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
              "segments of established connections that either side sent again over the steady state (TCPFastRetrans, TCPSlowStartRetrans"
                  + " and TCPTimeouts of both network namespaces), per echo"),
          r -> r.perEcho(TCP_RETRANSMITS));

  public static final Metric GOODPUT =
      COUNTS.with(Quotable.TIMES, HIGHER)
          .probed(
              "goodput_bytes_per_s",
              Words.of("goodput", "bytes of messages that the server says it received, per second of the steady state"),
              r -> r.perSecond(ECHO_RECEIVED_BYTES));

  private NetworkMetrics() {}

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
