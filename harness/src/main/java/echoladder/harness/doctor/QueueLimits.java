package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.count;

import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.List;

/** Queues and tables of the network stack. All but conntrack's slow or hurt a climb without ending it. */
final class QueueLimits {
  /** The servers' --backlog. */
  static final long BACKLOG = 4_096;

  /** Page of x86-64 and most of aarch64. */
  private static final long PAGE_BYTES = 4_096;

  private QueueLimits() {}

  static List<Row> rows(Question question, HostFacts host) {
    List<Row> rows = new ArrayList<>();
    long n = question.connections();
    long waiting = Math.min(n, BACKLOG);
    rows.add(
        question.role().server
            ? Limit.sysctl(host, KnownLimit.SOMAXCONN)
                .needs(waiting, "the lesser of N and the servers' --backlog of " + count(BACKLOG))
                .risk()
                .row()
            : notServer(host, KnownLimit.SOMAXCONN));
    rows.add(synBacklog(question, host, waiting));
    rows.add(
        Limit.sysctl(host, KnownLimit.NETDEV_BACKLOG)
            .needs(Math.min(n, softnet(n)), "the lesser of N and the rate to one processor x 0.1 s, as in sysctl/")
            .risk()
            .row());
    rows.add(conntrack(question, host));
    Long high = host.number("net.ipv4.tcp_mem", 2);
    rows.add(
        Limit.of(host, KnownLimit.TCP_MEM)
            .present(high)
            .needs(question.ends(), "%d x N, if every end had one page queued at once".formatted(question.role().ends))
            .note("idle ends queue nothing; present: its third number")
            .risk()
            .lift(
                "sysctl -w net.ipv4.tcp_mem='%d %d %d'".formatted(question.ends() / 4, question.ends() / 2, question.ends()),
                host.writable().contains("net.ipv4.tcp_mem"),
                Limit.notWritable("net.ipv4.tcp_mem", count(high)))
            .row());
    rows.add(buffers(question, host));
    rows.add(
        Limit.sysctl(host, KnownLimit.ORPHANS)
            .needs(n, "N, if a process with N ends ends while they are acknowledged late")
            .risk()
            .row());
    rows.add(
        question.role().client
            ? Limit.sysctl(host, KnownLimit.TIME_WAIT)
                .needs(n, "N, closed by the client, for 60 s each")
                .risk()
                .row()
            : Limit.of(host, KnownLimit.TIME_WAIT)
                .notHere("the client closes first, so they wait on its host"));
    return rows;
  }

  /** Packets in 0.1 s to one processor: 50,000/s, 200,000/s, 250,000/s and 500,000/s in the profiles 10k, 100k, 200k and 1m. */
  static long softnet(long connections) {
    return connections <= 10_000 ? 5_000 : connections <= 100_000 ? 20_000 : connections <= 200_000 ? 25_000 : 50_000;
  }

  private static Row notServer(HostFacts host, KnownLimit limit) {
    return Limit.sysctl(host, limit).notHere("it concerns listeners");
  }

  private static Row synBacklog(Question question, HostFacts host, long waiting) {
    if (!question.role().server) {
      return notServer(host, KnownLimit.SYN_BACKLOG);
    }
    if (question.role().client) {
      return Limit.sysctl(host, KnownLimit.SYN_BACKLOG).notHere("over loopback a handshake ends within the softirq that begins it");
    }
    return Limit.sysctl(host, KnownLimit.SYN_BACKLOG)
        .needs(Math.ceilDiv(waiting * 4, 3), "4/3 x %s, so that the accept queue is the limit".formatted(count(waiting)))
        .note("with tcp_syncookies a longer queue is answered by cookies")
        .risk()
        .row();
  }

  private static Row conntrack(Question question, HostFacts host) {
    String name = KnownLimit.CONNTRACK.id();
    Long most = host.number(name);
    Long used = host.number("net.netfilter.nf_conntrack_count");
    Limit limit = Limit.of(host, KnownLimit.CONNTRACK);
    if (most == null) {
      return limit.notHere("nf_conntrack is not loaded");
    }
    if (used != null && used == 0) {
      return limit.present(most).notHere("nf_conntrack_count is 0: it is loaded but tracks nothing in this network namespace");
    }
    long others = used == null ? 0 : used;
    long n = question.connections();
    long needed = Math.ceilDiv(n * 11, 10) + others;
    return limit
        .present(most)
        .needs(needed, "1.1 x N + %,d now".formatted(others))
        .allows((most - others) * 10 / 11)
        .lift(
            "sysctl -w " + name + "=" + needed,
            host.writable().contains(name),
            Limit.notWritable(name, count(most)))
        .row();
  }

  private static Row buffers(Question question, HostFacts host) {
    Long read = host.number("net.ipv4.tcp_rmem", 2);
    Long write = host.number("net.ipv4.tcp_wmem", 2);
    Limit limit = Limit.of(host, KnownLimit.BUFFERS);
    if (read == null || write == null) {
      return limit.unknown("this network namespace does not show them");
    }
    Long high = host.number("net.ipv4.tcp_mem", 2);
    return limit
        .present(read + write)
        .note(
            "buffers are not taken in advance; if %s ends filled theirs it were %s, and %s cuts that off"
                .formatted(
                    count(question.ends()),
                    MemoryLimits.mib(question.ends() * (read + write)),
                    high == null ? "tcp_mem of the host" : "tcp_mem at " + MemoryLimits.mib(high * PAGE_BYTES)))
        .row();
  }
}
