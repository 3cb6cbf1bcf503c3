package echoladder.harness.incident;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.sockets.TcpSocket.State;
import echoladder.linux.sockets.TcpSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SocketUseTest {
  private static TcpSocket socket(State state, String local, int port, String remote, int remotePort, long inode) {
    return new TcpSocket(state, local, port, remote, remotePort, inode, 0, 0L, state == State.TIME_WAIT ? null : (Long) 100L, null);
  }

  private static TcpSocket listener(int port, long inode, long waiting, long drops) {
    return new TcpSocket(State.LISTEN, "0.0.0.0", port, "0.0.0.0", 0, inode, waiting, 10L, 0L, drops);
  }

  private static @Nullable SocketUse of(Set<Long> inodes, List<TcpSocket> sockets) {
    return SocketUse.of(
        "a test",
        (states, take) -> {
          sockets.stream().filter(socket -> states.contains(socket.state())).forEach(take);
          return true;
        },
        inodes);
  }

  /** A proxy: a client comes in by port 80, and one connection goes on to 10.0.0.7:443. */
  @Test
  void acceptedAndConnectedAreToldApart() {
    SocketUse use =
        Objects.requireNonNull(
            of(
                Set.of(1L, 2L, 3L, 4L),
                List.of(
                    socket(State.ESTABLISHED, "10.0.0.2", 80, "10.9.9.9", 40_000, 2),
                    socket(State.ESTABLISHED, "10.0.0.2", 41_000, "10.0.0.7", 443, 3),
                    // Of another process, and in TIME-WAIT: both take a port.
                    socket(State.ESTABLISHED, "10.0.0.2", 41_001, "10.0.0.7", 443, 99),
                    socket(State.TIME_WAIT, "10.0.0.2", 41_002, "10.0.0.7", 443, 0),
                    socket(State.TIME_WAIT, "10.0.0.2", 80, "10.9.9.9", 40_001, 0),
                    socket(State.SYN_SENT, "10.0.0.2", 41_000, "10.0.0.8", 443, 4),
                    listener(80, 1, 0, 0),
                    listener(81, 98, 11, 5))));
    assertThat(use.connections()).isEqualTo(3);
    assertThat(use.accepted()).isEqualTo(1);
    assertThat(use.connecting()).isEqualTo(2);
    assertThat(use.states()).isEqualTo(Map.of("established", 2L, "syn-sent", 1L, "listen", 1L));
    assertThat(use.listeners()).containsExactly(new Listener("0.0.0.0:80", 0, 10L, 0L));
    assertThat(use.destinations())
        .containsExactly(new Destination("10.0.0.2", "10.0.0.7:443", 1, 3), new Destination("10.0.0.2", "10.0.0.8:443", 1, 1));
    assertThat(use.timeWait()).isEqualTo(2);
    assertThat(use.memoryBytes()).isEqualTo(300);
  }

  @Test
  void theFullestQueueComesFirstAndNoListGrowsWithoutEnd() {
    List<TcpSocket> sockets = new ArrayList<>(List.of(listener(80, 1, 3, 0), listener(81, 2, 11, 0), listener(82, 3, 3, 9)));
    IntStream.range(0, 500).forEach(i -> sockets.add(socket(State.ESTABLISHED, "10.0.0.2", 41_000, "10.0." + i / 250 + "." + i % 250, 443, 4)));
    SocketUse use = Objects.requireNonNull(of(Set.of(1L, 2L, 3L, 4L), sockets));
    assertThat(use.listeners()).extracting(Listener::address).containsExactly("0.0.0.0:81", "0.0.0.0:82", "0.0.0.0:80");
    assertThat(use.listeners()).extracting(Listener::full).containsExactly(true, false, false);
    assertThat(use.destinations()).hasSize(SocketUse.MOST_DESTINATIONS);
    assertThat(use.allDestinations()).isEqualTo(500);
  }

  @Test
  void aTableThatIsNotToldIsNotCounted() {
    assertThat(SocketUse.of("a test", (_, _) -> false, Set.of())).isNull();
  }
}
