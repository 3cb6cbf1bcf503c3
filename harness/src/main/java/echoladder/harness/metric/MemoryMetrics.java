package echoladder.harness.metric;

import static echoladder.harness.probe.Figure.SERVER_RSS_BYTES;
import static echoladder.harness.probe.Figure.SOCKET_SLAB_BYTES;
import static echoladder.harness.probe.Figure.TCP_BUFFERS_BYTES;

import echoladder.harness.lab.Quotable;
import java.util.List;

/** Memory of the server and of the kernel's sockets. "Per connection" divides by the connections that were established. */
public final class MemoryMetrics {
  /** Connections below which the files and sockets of the host's other processes would drown theirs. */
  static final int LEAST_FOR_KERNEL = 1_000;

  private static final Rows ROWS = Rows.of(Quotable.MEMORY, Better.LOWER);

  public static final Metric RSS_AT_READY =
      ROWS.probed(
          "server_rss_at_ready_bytes",
          Words.of("RSS when ready", "RSS of the server before the first connection"),
          r -> r.atReady(SERVER_RSS_BYTES));

  public static final Metric RSS_PER_CONNECTION =
      ROWS.difference(
          "server_rss_bytes_per_connection",
          Words.of(
                  "RSS per connection",
                  "growth of RSS from ready to the end of the steady state, per connection: free heap that the runtime keeps is"
                      + " in it")
              .brief("RSS/conn"),
          r -> r.used() ? null : r.perConnection(r.load().cost().serverRssBytes(), r.atReady(SERVER_RSS_BYTES)));

  public static final Metric LIVE_HEAP =
      ROWS.probed(
          "server_live_heap_bytes",
          Words.of(
              "live heap",
              "the server's heap after a collection that was forced once the steady state was over and all connections were still held"),
          r -> r.heap() == null ? null : r.heap().liveHeapBytes());

  public static final Metric LIVE_HEAP_PER_CONNECTION =
      ROWS.difference(
          "server_live_heap_bytes_per_connection",
          Words.of(
              "live heap per connection", "all of the live heap over the connections: the runtime's own share is in it"),
          r -> r.heap() == null ? null : r.perConnection(r.heap().liveHeapBytes(), 0L));

  public static final Metric STACKS =
      ROWS.probed(
          "server_stack_bytes", Words.of("stacks", "the server's stacks outside of its heap (Go)"),
          r -> r.heap() == null ? null : r.heap().stackBytes());

  public static final Metric KERNEL_PER_CONNECTION =
      ROWS.difference(
          "kernel_socket_bytes_per_connection",
          Words.of(
              "kernel memory per connection",
              "growth of the kernel's socket objects from ready to the end of the steady state with both ends of each"
                  + " connection, as server and client share the host; null below 1,000 connections, as the files and"
                  + " sockets of other processes are in it"),
          r ->
              r.load().connections().established() < LEAST_FOR_KERNEL
                  ? null
                  : r.perConnection(r.atEnd(SOCKET_SLAB_BYTES), r.atReady(SOCKET_SLAB_BYTES)));

  static {
    ROWS.probed(
        "tcp_buffers_bytes",
        Words.of("TCP buffers", "memory in TCP queues of the whole host at the end of the steady state"),
        r -> r.atEnd(TCP_BUFFERS_BYTES));
  }

  private MemoryMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return ROWS.all();
  }
}
