package echoladder.harness.judgement;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.NetworkMetrics;
import echoladder.harness.study.Network;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges whether the network of a rung did what the study asks of it, by what netem has counted. Pure. */
final class NetworkJudge {
  /** Losses are counts: beyond so many standard deviations chance does not explain them. Once in 1.7 million rungs it does. */
  private static final double DEVIATIONS = 5;

  private NetworkJudge() {}

  /**
   * What tells against the rung.
   *
   * @param network that the study asks for; null = none
   */
  static List<Reason> doubts(@Nullable Network network, Figures figures) {
    if (network == null) {
      return List.of();
    }
    boolean whole = network.cut() != null && figures.get(NetworkMetrics.CUT_CONNECTIONS) == null;
    return Stream.of(
            Optional.ofNullable(wrong(network, figures.value(NetworkMetrics.PACKETS), figures.value(NetworkMetrics.DROPS))),
            whole
                ? Optional.of("the link was not cut with connections on it (network.cut); the run has said why")
                : Optional.<String>empty())
        .flatMap(Optional::stream)
        .map(wrong -> new Reason(ReasonCode.NETWORK_NOT_AS_ASKED, wrong))
        .toList();
  }

  private static @Nullable String wrong(Network network, @Nullable Double sent, @Nullable Double dropped) {
    if (sent == null || dropped == null) {
      return "what the network did cannot be told: its counters (tc -s qdisc) could not be read before and after the load";
    }
    if (sent == 0) {
      return "no packet went over the network that the run has made";
    }
    double offered = sent + dropped;
    double expected = offered * network.lossShare();
    double tolerated = DEVIATIONS * Math.sqrt(Math.max(1, expected));
    String seen = String.format(Locale.ROOT, "of %,.0f packets the network lost %,.0f", offered, dropped);
    if (network.lossShare() == 0) {
      // With a rate its queue may overflow, as a router's does.
      return dropped == 0 || network.bitsPerS() != null ? null : seen + ", and the study asks for no loss";
    }
    String asked = String.format(Locale.ROOT, "network.loss %s of them is %,.1f", Network.percent(network.lossShare()), expected);
    if (dropped == 0) {
      return seen + ": the loss that the study asks for did not happen (" + asked + ")";
    }
    boolean more = dropped > expected + tolerated && network.bitsPerS() == null;
    return more || dropped < expected - tolerated ? seen + ", and " + asked + ": chance does not explain that" : null;
  }
}
