package echoladder.harness.judgement;

import echoladder.client.LoadJudge;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.common.Units;
import echoladder.harness.results.RungHost;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Judges the client hosts of a rung: each by itself, and against its peers. Pure. */
public final class HostsJudge {
  /** A client host whose median is so many times that of its peers, or so small a part of it, is another kind of client. */
  static final double APART_MOST = 3;

  /** Below this difference the way through a switch or a kernel's timer explains it. */
  static final long APART_LEAST_NS = 1_000_000;

  private HostsJudge() {}

  /**
   * What speaks against the rung, each with the name of a host; empty = nothing.
   *
   * @param spins whether the clients polled, so that they leave nothing idle
   */
  public static List<Reason> doubts(List<RungHost> hosts, Study.Thresholds thresholds, boolean spins) {
    List<Reason> doubts = new ArrayList<>();
    List<RungHost> clients = hosts.stream().filter(RungHost::client).toList();
    for (RungHost client : clients) {
      Double idle = client.hostIdleShare();
      if (!spins && idle != null && idle < thresholds.hostIdleShareLeast()) {
        doubts.add(
            new Reason(
                ReasonCode.CLIENT_SATURATED,
                "%s of the CPU of client host %s was idle (host_idle_share_least %s)"
                    .formatted(LoadJudge.percent(idle), client.name(), LoadJudge.percent(thresholds.hostIdleShareLeast()))));
      }
      Double steal = client.hostStealShare();
      if (steal != null && steal > thresholds.stealShareMost()) {
        doubts.add(
            new Reason(
                ReasonCode.HOST_TOO_NOISY,
                "%s of the CPU of client host %s was taken by the hypervisor (steal_share_most %s)"
                    .formatted(LoadJudge.percent(steal), client.name(), LoadJudge.percent(thresholds.stealShareMost()))));
      }
    }
    for (RungHost client : clients) {
      List<Long> peers = peers(client, clients);
      Long own = client.responseTimeP50Ns();
      if (own != null && 2 * peers.stream().filter(peer -> apart(own, peer)).count() > peers.size()) {
        doubts.add(
            new Reason(
                ReasonCode.HOSTS_DIFFER,
                "the median response time of client host %s was %s, that of its peers %s (at most %.0f times apart, or 1 ms)"
                    .formatted(client.name(), Units.time(own), Units.time(peers.get((peers.size() - 1) / 2)), APART_MOST)));
      }
    }
    return doubts;
  }

  private static boolean apart(long own, long peers) {
    return Math.abs(own - peers) > APART_LEAST_NS && Math.max(own, peers) > APART_MOST * Math.min(own, peers);
  }

  /** Medians of the others, ascending. Who is far from more than half of them differs: of two hosts each does. */
  private static List<Long> peers(RungHost client, List<RungHost> clients) {
    List<Long> peers = new ArrayList<>();
    for (RungHost other : clients) {
      Long p50 = other.responseTimeP50Ns();
      if (!other.name().equals(client.name()) && p50 != null) {
        peers.add(p50);
      }
    }
    Collections.sort(peers);
    return peers;
  }
}
