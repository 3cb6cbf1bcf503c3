package echoladder.harness.diagnosis;

import static echoladder.harness.diagnosis.Grounds.count;
import static echoladder.harness.limits.KnownLimit.BACKLOG;
import static echoladder.harness.limits.KnownLimit.CONNTRACK;
import static echoladder.harness.limits.KnownLimit.NETDEV_BACKLOG;
import static echoladder.harness.limits.KnownLimit.SOMAXCONN;
import static echoladder.harness.limits.KnownLimit.SYN_BACKLOG;
import static echoladder.harness.limits.KnownLimit.TIME_WAIT;

import echoladder.harness.limits.KnownLimit;
import echoladder.harness.probe.Figure;
import echoladder.openloop.result.FirstEcho;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * The kernel's queues and tables of connections and packets, as far as they were full.
 *
 * @param met is told of each limit that was met
 */
record FullQueues(Evidence seen, BiConsumer<KnownLimit, Grounds> met) {
  void look() {
    long overflows = seen.grown(Figure.LISTEN_OVERFLOWS);
    long dropped = seen.failedCalls(FirstEcho.NO_HANDSHAKE);
    long silent = seen.failedCalls(FirstEcho.SILENT);
    Long backlog = seen.backlog();
    long somaxconn = seen.limit("net.core.somaxconn", 0);
    if (overflows > 0) {
      met.accept(
          backlog != null && backlog <= somaxconn ? BACKLOG : SOMAXCONN,
          new Grounds()
              .when(true, "ListenOverflows grew by %,d", overflows)
              .plain("the accept queue holds the lesser of net.core.somaxconn %s and the server's backlog %s"
                  .formatted(count(somaxconn), backlog == null ? "(not told)" : count(backlog)))
              .when(dropped > 0, "the client counts %,d x " + FirstEcho.NO_HANDSHAKE, dropped)
              // The kernel drops the last packet of a handshake, too: to the client its connection is made.
              .when(silent > 0, "the client counts %,d x " + FirstEcho.SILENT, silent));
    }
    grown(Figure.SYN_QUEUE_FULL, SYN_BACKLOG, "TCPReqQFullDrop and TCPReqQFullDoCookies grew by %,d");
    String full = seen.logged("table full, dropping packet");
    if (full != null) {
      met.accept(CONNTRACK, new Grounds().quote("kernel", full));
    }
    packets();
    grown(Figure.TCP_TIME_WAIT_OVERFLOWS, TIME_WAIT, "TCPTimeWaitOverflow grew by %,d");
  }

  private void packets() {
    long dropped = seen.grown(Figure.SOFTNET_DROPS);
    if (dropped > 0) {
      long all = dropped + seen.grown(Figure.SOFTNET_PACKETS);
      met.accept(
          NETDEV_BACKLOG,
          new Grounds()
              .plain("%s of %,d packets were dropped before a processor took them in (softnet_stat), %s"
                  .formatted(count(dropped), all, percent((double) dropped / all))));
    }
  }

  private static String percent(double share) {
    return share < 1e-4 ? "below 0.01 %" : String.format(Locale.ROOT, "%.2f %%", share * 100);
  }

  private void grown(Figure figure, KnownLimit limit, String words) {
    if (seen.grown(figure) > 0) {
      met.accept(limit, new Grounds().when(true, words, seen.grown(figure)));
    }
  }
}
