package echoladder.harness.host;

import echoladder.harness.doctor.Examination;
import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Divides N connections over client hosts by what each can carry. Pure. */
final class Shares {
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
   * What a client host can do.
   *
   * @param most connections that it can carry
   * @param processors that its event loops may run on, at least 1
   */
  record Able(long most, int processors) {}

  /**
   * Parts by processors; a host that cannot carry its part has what it can, and the others have the rest by theirs. The remainder goes
   * to the first ones, one each.
   *
   * @param hosts by their names, in their order
   * @return at least 1 for each that has any, in the same order
   * @throws IllegalArgumentException where all together cannot carry them; the message says how many each can
   */
  static Map<String, Integer> of(int connections, Map<String, Able> hosts) {
    long all = hosts.values().stream().mapToLong(host -> Math.min(host.most, connections)).sum();
    if (all < connections) {
      List<String> each = new ArrayList<>();
      hosts.forEach((host, able) -> each.add("%s %,d".formatted(host, able.most)));
      throw new IllegalArgumentException(
          ("the client hosts carry %,d connections together, not %,d: %s. Half of a host's ports count, for each of its addresses, as"
              + " beyond half connect() searches long; './ladder doctor --connections %d --role client --explain' on a host says which"
              + " limit it is")
              .formatted(all, connections, String.join(", ", each), connections));
    }
    List<String> names = List.copyOf(hosts.keySet());
    List<Able> able = List.copyOf(hosts.values());
    long[] has = new long[able.size()];
    long left = connections;
    while (left > 0) {
      int[] open = IntStream.range(0, has.length).filter(i -> has[i] < able.get(i).most).toArray();
      long processors = IntStream.of(open).mapToLong(i -> able.get(i).processors).sum();
      long before = left;
      for (int i : open) {
        long part = Math.max(1, before * able.get(i).processors / processors);
        long more = Math.min(part, Math.min(left, able.get(i).most - has[i]));
        has[i] += more;
        left -= more;
      }
    }
    Map<String, Integer> shares = new LinkedHashMap<>();
    for (int i = 0; i < has.length; i++) {
      if (has[i] > 0) {
        shares.put(names.get(i), (int) has[i]);
      }
    }
    return shares;
  }
}
