package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.linux.Errno;
import echoladder.linux.sockets.TcpSocket.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Against sockets that the test itself made, by both ways. */
class TcpSocketsTest {
  private static final Set<State> ALL = EnumSet.allOf(State.class);
  private static final long HERE = ProcessHandle.current().pid();

  private static List<TcpSocket> asked(Set<State> states) {
    List<TcpSocket> found = new ArrayList<>();
    assertThat(TcpSockets.here(states, found::add)).isTrue();
    return found;
  }

  private static List<TcpSocket> read(Set<State> states) {
    List<TcpSocket> found = new ArrayList<>();
    assertThat(TcpSockets.of(HERE, states, found::add)).isTrue();
    return found;
  }

  private static Set<String> ofPort(List<TcpSocket> sockets, int port) {
    Set<String> found = new TreeSet<>();
    sockets.stream()
        .filter(socket -> socket.localPort() == port || socket.remotePort() == port)
        .forEach(
            socket ->
                found.add(
                    "%s %s %s %d %d"
                        .formatted(
                            socket.state(), socket.local(), TcpSocket.address(socket.remoteHost(), socket.remotePort()), socket.inode(),
                            socket.receiveQueue())));
    return found;
  }

  @Test
  void bothWaysTellTheSame() throws IOException {
    boolean ipv6 = Files.exists(Path.of("/proc/net/tcp6"));
    for (String host : ipv6 ? List.of("127.0.0.1", "::1") : List.of("127.0.0.1")) {
      try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName(host));
          Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
          Socket accepted = listener.accept()) {
        client.getOutputStream().write(new byte[7]);
        int port = listener.getLocalPort();
        await().untilAsserted(() -> {
          Set<String> told = ofPort(asked(ALL), port);
          assertThat(told).hasSize(3).isEqualTo(ofPort(read(ALL), port));
          assertThat(told).anyMatch(line -> line.startsWith("LISTEN " + TcpSocket.address(host, port)));
          assertThat(told).anyMatch(line -> line.startsWith("ESTABLISHED") && line.endsWith(" 7"));
        });
        assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
      }
    }
  }

  /** Nobody accepts: the kernel lets one more wait than the backlog says, and drops the others. */
  @Test
  void aFullQueueIsToldWithItsDrops() throws IOException {
    SystemCalls sys = new SystemCalls();
    List<Integer> open = new ArrayList<>();
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = listener.getLocalPort();
      for (int i = 0; i < 5; i++) {
        int fd = sys.tcpSocket();
        open.add(fd);
        assertThat(sys.connect(fd, SocketAddress.of("127.0.0.1", port))).isIn(0, -Errno.EINPROGRESS);
      }
      await().untilAsserted(() -> {
        TcpSocket queue = asked(EnumSet.of(State.LISTEN)).stream().filter(socket -> socket.localPort() == port).findFirst().orElseThrow();
        assertThat(queue.receiveQueue()).isEqualTo(2);
        assertThat(queue.sendQueue()).isEqualTo(1);
        assertThat(Objects.requireNonNull(queue.drops())).isPositive();
      });
      assertThat(read(EnumSet.of(State.LISTEN)))
          .filteredOn(socket -> socket.localPort() == port)
          .singleElement()
          .satisfies(socket -> assertThat(socket.receiveQueue()).isEqualTo(2))
          .satisfies(socket -> assertThat(socket.sendQueue()).isNull());
    } finally {
      open.forEach(sys::close);
    }
  }

  @Test
  void whatIsQueuedTakesMemory() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
        Socket client = new Socket("127.0.0.1", listener.getLocalPort());
        Socket accepted = listener.accept()) {
      client.getOutputStream().write(new byte[20_000]);
      await().untilAsserted(() ->
          assertThat(asked(EnumSet.of(State.ESTABLISHED)))
              .filteredOn(socket -> socket.localPort() == accepted.getLocalPort())
              .singleElement()
              .satisfies(socket -> assertThat(Objects.requireNonNull(socket.memoryBytes())).isGreaterThanOrEqualTo(20_000)));
    }
  }

  @Test
  void aProcessThatIsNotThereHasNoTable() {
    assertThat(TcpSockets.of(1L << 23, ALL, _ -> {})).isFalse();
  }
}
