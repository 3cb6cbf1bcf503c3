package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.count;

import echoladder.harness.limits.KnownLimit;
import echoladder.linux.sockets.EphemeralPorts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ports of the clients, and the server's own. */
final class PortLimits {
  /** Source addresses that the client takes of 127.0.0.0/8: 250 of each /24 of 250 in each of 255 /16. */
  static final long LOOPBACK_TUPLES = 255L * 62_500;

  private static final String RANGE = "net.ipv4.ip_local_port_range";

  /** As the profiles have it; half of it per tuple. */
  private static final String WIDE = "10240 65535";

  private static final long WIDE_PER_TUPLE = 27_648;

  /** Characters. */
  private static final int MOST_SHOWN = 200;

  private PortLimits() {}

  static List<Row> rows(Question question, HostFacts host) {
    List<Row> rows = new ArrayList<>();
    rows.add(tuples(question, host));
    rows.add(reserved(question, host));
    return rows;
  }

  /** The range of this network namespace; null where it is not shown. */
  static @Nullable EphemeralPorts ports(HostFacts host) {
    Long first = host.number(RANGE, 0);
    Long last = host.number(RANGE, 1);
    String reserved = host.sysctl().getOrDefault("net.ipv4.ip_local_reserved_ports", "");
    return first == null || last == null ? null : EphemeralPorts.of(first.intValue(), last.intValue(), reserved);
  }

  private static Row tuples(Question question, HostFacts host) {
    Limit limit = Limit.of(host, KnownLimit.PORTS);
    if (!question.role().client) {
      return limit.notHere("clients on other hosts take ports there");
    }
    EphemeralPorts ports = ports(host);
    if (ports == null) {
      return limit.unknown(RANGE + " is not shown here");
    }
    Long told = question.tuples();
    boolean loopback = told == null && question.role().server;
    long tuples = told != null ? told : loopback ? LOOPBACK_TUPLES : Math.max(1, host.addresses());
    String whence = told != null ? "told" : loopback ? "of 127.0.0.0/8" : "this host's addresses beside loopback";
    limit
        .present(tuples)
        .note("present: %s tuples, %s".formatted(count(tuples), whence))
        .note(
            "a tuple gives half of %s, %s of them reserved, usable at all %s: beyond half, connect() searches long"
                .formatted(
                    host.sysctl().getOrDefault(RANGE, ""), count((long) ports.reserved()), count((long) ports.usable())));
    long n = question.connections();
    boolean widened = n <= tuples * WIDE_PER_TUPLE && host.writable().contains(RANGE);
    String command =
        n <= tuples * WIDE_PER_TUPLE
            ? "sysctl -w %s='%s'".formatted(RANGE, WIDE)
            : "sysctl -w %s='%s'; ip address add ADDRESS dev INTERFACE  # until there are %d; name them with --source-address"
                .formatted(RANGE, WIDE, Math.ceilDiv(n, WIDE_PER_TUPLE));
    String inTheWay =
        "%s address%s x %s ports, half of the %s of the range".formatted(
            count(tuples), tuples == 1 ? "" : "es", count((long) ports.perTuple()), count((long) ports.usable()));
    long each = ports.perTuple();
    return (each < 1
            ? limit.needs(Long.MAX_VALUE, "no port is usable")
            : limit.needs(
                Math.ceilDiv(n, each),
                "N / %s ports per tuple, half of its %s, rounded up".formatted(count(each), count((long) ports.usable()))))
        .allows(tuples * each)
        .lift(command, widened, inTheWay)
        .row();
  }

  private static Row reserved(Question question, HostFacts host) {
    Limit limit = Limit.of(host, KnownLimit.RESERVED_PORTS);
    EphemeralPorts ports = ports(host);
    if (!question.role().server || question.port() == 0) {
      return limit.notHere("no port was named that a server shall have (--port); of any, the kernel takes a free one");
    }
    int port = question.port();
    if (ports == null) {
      return limit.unknown(RANGE + " is not shown here");
    }
    String reserved = host.sysctl().getOrDefault("net.ipv4.ip_local_reserved_ports", "");
    boolean inside = port >= ports.first() && port <= ports.last();
    boolean kept = EphemeralPorts.of(port, port, reserved).reserved() > 0;
    return limit
        .needs(inside ? 1 : 0,
            "port %d is %s %s".formatted(port, inside ? "inside of" : "outside of", host.sysctl().getOrDefault(RANGE, "")))
        .present(kept ? 1L : 0L)
        .note(inside && !kept ? "a client may have it as its own when the server wants to listen" : "no client is given it")
        .risk()
        .lift(
            "sysctl -w net.ipv4.ip_local_reserved_ports=" + (reserved.isEmpty() ? "" : before(reserved) + ",") + port,
            host.writable().contains("net.ipv4.ip_local_reserved_ports"),
            "port " + port + " may be taken by a client")
        .row();
  }

  /** A list of some pages has no place in a command that people read. */
  private static String before(String reserved) {
    return reserved.length() > MOST_SHOWN ? "$(cat /proc/sys/net/ipv4/ip_local_reserved_ports)" : reserved;
  }
}
