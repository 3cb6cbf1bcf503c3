package echoladder.harness.engine;

import echoladder.linux.cpu.CpuList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * CPU time of the fixed piece of work, on the processors of server and client, before the ramp and after the drain. One thread, but
 * for the second time of the two, which the client's thread takes too.
 */
final class WorkTimes {
  private final Function<CpuList, @Nullable Long> work;
  private final @Nullable CpuList server;
  private final @Nullable CpuList client;
  private @Nullable Both before;
  private @Nullable Both after;

  /** In ns; null = not known. */
  private record Both(@Nullable Long server, @Nullable Long client) {}

  /**
   * Takes no time yet.
   *
   * @param work CPU time of one piece on some processors, ns; null where nobody can tell
   * @param server its processors; null = their time would tell nothing
   * @param client likewise
   */
  WorkTimes(Function<CpuList, @Nullable Long> work, @Nullable CpuList server, @Nullable CpuList client) {
    this.work = work;
    this.server = server;
    this.client = client;
  }

  /** Nothing is connected yet. */
  synchronized void before() {
    before = taken();
  }

  /** All is answered and nothing is sent. The first who says so counts. */
  synchronized void after() {
    if (after == null) {
      after = taken();
    }
  }

  private Both taken() {
    Long ofServer = server == null ? null : work.apply(server);
    return new Both(ofServer, client == null ? null : client.equals(server) ? ofServer : work.apply(client));
  }

  /** The mean of both on the server's processors, ns; null where one is not known. */
  synchronized @Nullable Long serverNs() {
    return before == null || after == null ? null : mean(before.server, after.server);
  }

  /** As {@link #serverNs()}, on the client's. */
  synchronized @Nullable Long clientNs() {
    return before == null || after == null ? null : mean(before.client, after.client);
  }

  private static @Nullable Long mean(@Nullable Long one, @Nullable Long other) {
    return one == null || other == null ? null : (Long) ((one + other) / 2);
  }
}
