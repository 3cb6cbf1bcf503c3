package echoladder.harness.host;

import echoladder.harness.doctor.Examination;
import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Divides N connections over client hosts by what each can carry. Pure. */
public final class Shares {
  private Shares() {}

  /**
   * Connections that a client host can carry by the doctor.
   *
   * @param portsEach ports that one of them takes: one, and of a load with churn its part of those in TIME-WAIT too
   */
  static long carried(Examination found, double portsEach) {
    long ports =
        found.rows().stream()
            .filter(row -> row.limit().equals(KnownLimit.PORTS.id()))
            .map(row -> row.connections() == null ? Long.valueOf(Long.MAX_VALUE) : row.connections())
            .findFirst()
            .orElse(Long.MAX_VALUE);
    return ports == Long.MAX_VALUE ? found.connectionsNow() : Math.min(found.connectionsNow(), (long) (ports / portsEach));
  }

  /**
   * Equal parts; a host that cannot carry its part has what it can, and the others have the rest in equal parts. The remainder goes
   * to the first ones, one each.
   *
   * @param capacities connections that each host can carry, by its name, in their order
   * @return at least 1 for each that has any, in the same order
   * @throws IllegalArgumentException where all together cannot carry them; the message says how many each can
   */
  public static Map<String, Integer> of(int connections, Map<String, Long> capacities) {
    long all = capacities.values().stream().mapToLong(most -> Math.min(most, connections)).sum();
    if (all < connections) {
      List<String> each = new ArrayList<>();
      capacities.forEach((host, most) -> each.add("%s %,d".formatted(host, most)));
      throw new IllegalArgumentException(
          "the client hosts carry %,d connections together, not %,d: %s".formatted(all, connections, String.join(", ", each)));
    }
    List<String> hosts = List.copyOf(capacities.keySet());
    long[] most = capacities.values().stream().mapToLong(Long::longValue).toArray();
    long[] has = new long[most.length];
    long left = connections;
    while (left > 0) {
      int open = indices(most, has).length;
      long part = left / open;
      for (int i : indices(most, has)) {
        long more = Math.min(Math.max(1, part), Math.min(left, most[i] - has[i]));
        has[i] += more;
        left -= more;
      }
    }
    Map<String, Integer> shares = new LinkedHashMap<>();
    for (int i = 0; i < has.length; i++) {
      if (has[i] > 0) {
        shares.put(hosts.get(i), (int) has[i]);
      }
    }
    return shares;
  }

  /** Of those that can have more. */
  private static int[] indices(long[] most, long[] has) {
    return IntStream.range(0, most.length).filter(i -> has[i] < most[i]).toArray();
  }
}
