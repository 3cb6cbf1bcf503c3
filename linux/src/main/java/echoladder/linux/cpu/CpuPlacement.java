package echoladder.linux.cpu;

import java.util.List;

/**
 * Who runs on which processors, in whole cores.
 *
 * @param server the server's process
 * @param client the client's event loops
 * @param helpers everything else that measures: the client's other threads, the harness; empty = no core is left for them,
 *     and they share those of the client
 */
public record CpuPlacement(CpuList server, CpuList client, CpuList helpers) {
  /** A client needs one core for so many of the host's: so many event loops does it have. */
  private static final int CORES_PER_LOOP = 4;

  /**
   * Server and client on cores of their own: the client's are one for each four of the host, the helpers' the last one
   * where there are three or more, and the server has the rest, from the first on.
   *
   * @param cores by node, see {@link CpuTopology#cores}
   * @throws IllegalArgumentException where there is but one core
   */
  public static CpuPlacement apart(List<CpuTopology.Core> cores) {
    int n = cores.size();
    if (n < 2) {
      throw new IllegalArgumentException(
          "server and client cannot be apart: this process may run on "
              + (n == 0 ? "no core" : "one core alone, with the processors " + cores.getFirst().cpus()));
    }
    int helpers = n > 2 ? 1 : 0;
    int client = Math.max(1, n / CORES_PER_LOOP);
    int server = n - client - helpers;
    return new CpuPlacement(
        union(cores.subList(0, server)), union(cores.subList(server, server + client)), union(cores.subList(server + client, n)));
  }

  /**
   * As somebody wants it.
   *
   * @param allowed what this process may run on: the helpers have what is left
   * @throws IllegalArgumentException where a list names a processor that is not allowed
   */
  public static CpuPlacement of(CpuList server, CpuList client, CpuList allowed) {
    for (CpuList wanted : List.of(server, client)) {
      if (!allowed.containsAll(wanted)) {
        throw new IllegalArgumentException(
            "the processors %s are not all there: this process may run on %s".formatted(wanted, allowed));
      }
    }
    return new CpuPlacement(server, client, allowed.without(server).without(client));
  }

  private static CpuList union(List<CpuTopology.Core> cores) {
    return CpuList.union(cores.stream().map(CpuTopology.Core::cpus).toList());
  }

  /** What the client's process is started on: its loops' processors and those of its helpers. */
  public CpuList clientProcess() {
    return client.with(helpers);
  }
}
