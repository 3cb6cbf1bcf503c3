package echoladder.harness.metric;

import static echoladder.harness.probe.Figure.HOST_KERNEL_STACK_BYTES;
import static echoladder.harness.probe.Figure.HOST_PAGE_TABLE_BYTES;
import static echoladder.harness.probe.Figure.HOST_SLAB_BYTES;
import static echoladder.harness.probe.Figure.SERVER_RSS_BYTES;
import static echoladder.harness.probe.Figure.SOCKET_SLAB_BYTES;
import static echoladder.harness.probe.Figure.TCP_BUFFERS_BYTES;

import echoladder.harness.lab.Quotable;
import echoladder.harness.probe.Figure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Memory of the server and of the kernel. "Per connection" divides by the connections that were established. */
public final class MemoryMetrics {
  /** Connections below which the files and sockets of the host's other processes would drown theirs. */
  static final int LEAST_FOR_KERNEL = 1_000;

  private static final Rows ROWS = Rows.of(Quotable.MEMORY, Better.LOWER);
  private static final Set<Metric> OF_FRESH = new HashSet<>();

  public static final Metric RSS_AT_READY =
      ROWS.probed(
          "server_rss_at_ready_bytes",
          Words.of("RSS when ready", "RSS of the server before the first connection"),
          r -> r.atReady(SERVER_RSS_BYTES));

  public static final Metric RSS_PER_CONNECTION =
      ofFresh(
          "server_rss_bytes_per_connection",
          Words.of(
                  "RSS per connection",
                  "growth of RSS from ready to the end of the steady state, per connection: free heap that the runtime keeps is"
                      + " in it")
              .brief("RSS/conn"),
          r -> r.perConnection(r.load().cost().serverRssBytes(), r.atReady(SERVER_RSS_BYTES)));

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
      ofFresh(
          "kernel_bytes_per_connection",
          Words.of(
              "kernel memory per connection",
              "growth of the host's slab, kernel stacks and page tables from ready to the end of the steady state: of both"
                  + " ends where server and client share the host, else of the client's; null below 1,000 connections, as"
                  + " other processes are in it; null where the server had held connections before, as their threads may"
                  + " have been ending while it was read"),
          r -> grownPerConnection(r, HOST_SLAB_BYTES, HOST_KERNEL_STACK_BYTES, HOST_PAGE_TABLE_BYTES));

  public static final Metric SLAB_PER_CONNECTION =
      ofFresh(
          "kernel_slab_bytes_per_connection",
          Words.of(
              "slab per connection",
              "of the kernel memory per connection, slab: objects of sockets, files, tasks and memory areas"),
          r -> grownPerConnection(r, HOST_SLAB_BYTES));

  public static final Metric KERNEL_STACKS_PER_CONNECTION =
      ofFresh(
          "kernel_stack_bytes_per_connection",
          Words.of("kernel stacks per connection", "of the kernel memory per connection, stacks of threads in the kernel"),
          r -> grownPerConnection(r, HOST_KERNEL_STACK_BYTES));

  public static final Metric PAGE_TABLES_PER_CONNECTION =
      ofFresh(
          "kernel_page_table_bytes_per_connection",
          Words.of("page tables per connection", "of the kernel memory per connection, page tables of all processes"),
          r -> grownPerConnection(r, HOST_PAGE_TABLE_BYTES));

  public static final Metric SOCKET_OBJECTS_PER_CONNECTION =
      ROWS.difference(
          "kernel_socket_bytes_per_connection",
          Words.of(
              "socket objects per connection",
              "of the slab, what each TCP connection takes alike on every server: objects in use of seven caches; null where"
                  + " /proc/slabinfo may not be read"),
          r -> grownPerConnection(r, SOCKET_SLAB_BYTES));

  static {
    ROWS.probed(
        "tcp_buffers_bytes",
        Words.of("TCP buffers", "memory in TCP queues of the whole host at the end of the steady state"),
        r -> r.atEnd(TCP_BUFFERS_BYTES));
  }

  private MemoryMetrics() {}

  /** A row that is null where the server had held connections before: what those took may still be in it, or be going. */
  private static Metric ofFresh(String name, Words words, Function<RungReadings, @Nullable Number> formula) {
    Metric row = ROWS.difference(name, words, r -> r.used() ? null : formula.apply(r));
    OF_FRESH.add(row);
    return row;
  }

  /** Whether a row is null where the server had held connections before. */
  static boolean needsFreshServer(Metric row) {
    return OF_FRESH.contains(row);
  }

  /** Whether a measured rung's server had held connections before: its RSS is known, and not what it grew by. */
  public static boolean usedServer(MeasuredRung rung) {
    return rung.load() != null
        && rung.load().cost().serverRssBytes() != null
        && !rung.figures().equals(Figures.NONE)
        && rung.figures().get(RSS_PER_CONNECTION) == null;
  }

  /** What these grew by together; null where one of them is not known. */
  private static @Nullable Double grownPerConnection(RungReadings r, Figure... parts) {
    if (r.load().connections().established() < LEAST_FOR_KERNEL) {
      return null;
    }
    double sum = 0;
    for (Figure part : parts) {
      Double grown = r.perConnection(r.atEnd(part), r.atReady(part));
      if (grown == null) {
        return null;
      }
      sum += grown;
    }
    return sum;
  }

  /** In the order of run.json. */
  static List<Metric> all() {
    return ROWS.all();
  }
}
