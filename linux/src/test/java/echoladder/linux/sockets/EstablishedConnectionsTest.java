package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.linux.Errno;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Counted against connections that the test itself made. */
class EstablishedConnectionsTest {
  private final SystemCalls sys = new SystemCalls();
  private final List<Integer> open = new ArrayList<>();

  private void connect(int times, SocketAddress to) {
    for (int i = 0; i < times; i++) {
      int fd = sys.tcpSocket();
      assertThat(fd).isPositive();
      assertThat(sys.connect(fd, to)).isIn(0, -Errno.EINPROGRESS);
      open.add(fd);
    }
  }

  @Test
  void countsTheConnectingEndsOfOneAddressAndPort() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 600, InetAddress.getByName("0.0.0.0"))) {
      SocketAddress one = SocketAddress.of("127.0.0.1", listener.getLocalPort());
      SocketAddress other = SocketAddress.of("127.0.0.5", listener.getLocalPort());
      assertThat(EstablishedConnections.to(one)).hasValue(0);

      // More than fit into one answer of the kernel, and none of them accepted: the handshake is what counts.
      connect(500, one);
      connect(2, other);
      await().untilAsserted(() -> assertThat(EstablishedConnections.to(one)).isEqualTo(OptionalInt.of(500)));
      assertThat(EstablishedConnections.to(other)).hasValue(2);

      for (int fd : open.subList(0, 300)) {
        sys.resetOnClose(fd);
        sys.close(fd);
      }
      await().untilAsserted(() -> assertThat(EstablishedConnections.to(one)).isEqualTo(OptionalInt.of(200)));
      open.subList(300, open.size()).forEach(sys::close);
    }
  }
}
