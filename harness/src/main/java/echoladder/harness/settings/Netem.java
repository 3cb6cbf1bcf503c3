package echoladder.harness.settings;

import echoladder.harness.study.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What tc is told of a network, per direction. Pure. */
final class Netem {
  /** The queue of netem where no rate bounds what is on the way: more packets than any load has. */
  private static final long UNBOUNDED_PACKETS = 1_000_000;

  /** The queue of netem where nothing else is said (tc-netem(8)). */
  private static final long LEAST_PACKETS = 1_000;

  private static final double NS_PER_US = 1e3;
  private static final int BITS = 8;

  private Netem() {}

  /** The arguments behind {@code netem}: each direction has half of delay and jitter, and all of the rest. */
  static List<String> arguments(Network network) {
    List<String> words = new ArrayList<>(List.of("limit", Long.toString(queuePackets(network))));
    if (network.delayNs() > 0) {
      words.addAll(List.of("delay", us(network.delayNs())));
      if (network.jitterNs() > 0) {
        words.add(us(network.jitterNs()));
      }
    }
    if (network.lossShare() > 0) {
      words.addAll(List.of("loss", percent(network.lossShare())));
    }
    if (network.reorderShare() > 0) {
      words.addAll(List.of("reorder", percent(network.reorderShare())));
    }
    if (network.bitsPerS() != null) {
      words.addAll(List.of("rate", String.format(Locale.ROOT, "%.0fbit", network.bitsPerS())));
    }
    return words;
  }

  /** The arguments where no packet arrives any more. Those that are on the way still do. */
  static List<String> cut() {
    return List.of("limit", Long.toString(UNBOUNDED_PACKETS), "loss", percent(1));
  }

  /**
   * The packets that wait or are on the way in one direction, at most. With a rate: those that the delay holds, and as many again as
   * a round trip carries, as a router's queue would be.
   */
  static long queuePackets(Network network) {
    if (network.bitsPerS() == null) {
      return UNBOUNDED_PACKETS;
    }
    double perRoundTrip = network.bitsPerS() / BITS / network.mtuBytes() * network.delayNs() / 1e9;
    return Math.max(LEAST_PACKETS, (long) Math.ceil(1.5 * perRoundTrip));
  }

  private static String us(long roundTripNs) {
    return String.format(Locale.ROOT, "%.0fus", roundTripNs / 2.0 / NS_PER_US);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.7f%%", share * 100);
  }
}
