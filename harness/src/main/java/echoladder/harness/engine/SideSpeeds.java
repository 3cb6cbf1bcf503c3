package echoladder.harness.engine;

import echoladder.harness.probe.WorkMeter;
import echoladder.linux.cpu.CpuList;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** CPU time of the fixed piece of work over the steady state, on the processors of server and client. Any thread. */
final class SideSpeeds implements AutoCloseable {
  private final @Nullable WorkMeter server;
  /** Null too where both sides share all processors. */
  private final @Nullable WorkMeter client;
  private final boolean shared;
  private boolean ended;
  private @Nullable Long serverNs;
  private @Nullable Long clientNs;

  /**
   * Makes ready; no work is done yet.
   *
   * @param meters makes one for some processors
   * @param server its processors; null = their time would tell nothing
   * @param client likewise
   */
  SideSpeeds(Function<CpuList, WorkMeter> meters, @Nullable CpuList server, @Nullable CpuList client) {
    this.server = server == null ? null : meters.apply(server);
    this.shared = client != null && client.equals(server);
    this.client = client == null || shared ? null : meters.apply(client);
  }

  /** The steady state begins. */
  synchronized void begin() {
    if (server != null) {
      server.begin();
    }
    if (client != null) {
      client.begin();
    }
  }

  /** The steady state ends. The first who says so counts. */
  synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    serverNs = ended(server);
    clientNs = shared ? serverNs : ended(client);
  }

  private static @Nullable Long ended(@Nullable WorkMeter meter) {
    OptionalLong ns = meter == null ? OptionalLong.empty() : meter.endNs();
    return ns.isEmpty() ? null : (Long) ns.getAsLong();
  }

  /** On the server's processors, in ns; null = not known. */
  synchronized @Nullable Long serverNs() {
    return serverNs;
  }

  /** On the client's processors, likewise. */
  synchronized @Nullable Long clientNs() {
    return clientNs;
  }

  @Override
  public synchronized void close() {
    if (server != null) {
      server.close();
    }
    if (client != null) {
      client.close();
    }
  }
}
