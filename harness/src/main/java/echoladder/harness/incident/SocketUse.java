package echoladder.harness.incident;

import echoladder.linux.sockets.TcpSocket.State;
import echoladder.linux.sockets.TcpSocket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The TCP sockets of a process, counted.
 *
 * @param source who told of them: {@code sock_diag} or {@code /proc/PID/net/tcp}
 * @param connections sockets that the process has a descriptor of and that do not listen
 * @param accepted how many of them came in by a port at which somebody listens
 * @param states how many in each state, by its name
 * @param listeners where it listens: at most {@value #MOST_LISTENERS}, the fullest queue first
 * @param destinations where it connects to: at most {@value #MOST_DESTINATIONS}, with most ports taken first
 * @param allDestinations how many there are
 * @param memoryBytes kernel memory of its queues; null = not told
 * @param timeWait closed connections in TIME-WAIT in its network namespace, of any process
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SocketUse(
    String source,
    long connections,
    long accepted,
    Map<String, Long> states,
    List<Listener> listeners,
    List<Destination> destinations,
    long allDestinations,
    @Nullable Long memoryBytes,
    long timeWait) {

  static final int MOST_LISTENERS = 100;
  static final int MOST_DESTINATIONS = 10;

  private static final Set<State> LISTENING = EnumSet.of(State.LISTEN);
  private static final Set<State> OTHERS = EnumSet.complementOf(EnumSet.of(State.LISTEN));

  public SocketUse {
    states = new TreeMap<>(states);
    listeners = List.copyOf(listeners);
    destinations = List.copyOf(destinations);
  }

  /** Those that connect out. */
  public long connecting() {
    return connections - accepted;
  }

  /** Every socket of the namespace, of those states; false where they are not told. */
  interface Table {
    boolean each(Set<State> states, Consumer<TcpSocket> take);
  }

  /**
   * Counts them; null where the table is not told.
   *
   * @param inodes the sockets of the process
   */
  static @Nullable SocketUse of(String source, Table table, Set<Long> inodes) {
    Counting counting = new Counting(inodes);
    return table.each(LISTENING, counting::listener) && table.each(OTHERS, counting::other) ? counting.sum(source) : null;
  }

  private record Tuple(String source, String destination, int port) {}

  /** In two passes: which end of a connection is the server's is known once all listeners are. */
  private static final class Counting {
    private final Set<Long> inodes;
    private final Set<Integer> servedPorts = new HashSet<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final EnumMap<State, Long> states = new EnumMap<>(State.class);

    /** Own connections, and all ports taken. */
    private final Map<Tuple, long[]> tuples = new HashMap<>();

    private long connections;
    private long accepted;
    private long timeWait;
    private long memoryBytes;
    private boolean memoryTold;

    Counting(Set<Long> inodes) {
      this.inodes = inodes;
    }

    void listener(TcpSocket socket) {
      servedPorts.add(socket.localPort());
      if (inodes.contains(socket.inode())) {
        states.merge(State.LISTEN, 1L, Long::sum);
        listeners.add(new Listener(socket.local(), socket.receiveQueue(), socket.sendQueue(), socket.drops()));
      }
    }

    void other(TcpSocket socket) {
      boolean own = inodes.contains(socket.inode());
      boolean server = servedPorts.contains(socket.localPort());
      timeWait += socket.state() == State.TIME_WAIT ? 1 : 0;
      if (own) {
        states.merge(socket.state(), 1L, Long::sum);
        connections++;
        accepted += server ? 1 : 0;
        Long memory = socket.memoryBytes();
        memoryTold |= memory != null;
        memoryBytes += memory == null ? 0 : memory;
      }
      // One that is not connected yet, or that is nobody's, has no tuple.
      if (!server && socket.remotePort() != 0) {
        long[] count =
            tuples.computeIfAbsent(new Tuple(socket.localHost(), socket.remoteHost(), socket.remotePort()), _ -> new long[2]);
        count[0] += own ? 1 : 0;
        count[1]++;
      }
    }

    SocketUse sum(String source) {
      List<Destination> own = new ArrayList<>();
      tuples.forEach(
          (tuple, count) -> {
            if (count[0] > 0) {
              own.add(new Destination(tuple.source, TcpSocket.address(tuple.destination, tuple.port), count[0], count[1]));
            }
          });
      own.sort(
          Comparator.comparingLong(Destination::portsTaken).thenComparingLong(Destination::connections).reversed()
              .thenComparing(Destination::destination));
      listeners.sort(
          Comparator.comparingDouble(Listener::share).thenComparingLong(Listener::dropped).reversed().thenComparing(Listener::address));
      Map<String, Long> byName = new TreeMap<>();
      states.forEach((state, count) -> byName.put(state.words(), count));
      return new SocketUse(
          source,
          connections,
          accepted,
          byName,
          listeners.stream().limit(MOST_LISTENERS).toList(),
          own.stream().limit(MOST_DESTINATIONS).toList(),
          own.size(),
          memoryTold ? (Long) memoryBytes : null,
          timeWait);
    }
  }
}
