package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.Errno;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Stamps of the kernel under this test. */
class StampedReadsTest {
  private final SystemCalls sys = new SystemCalls();
  private final StampedReads reads = new StampedReads(Arena.ofAuto().allocate(4_096, 8));
  private final RealtimeClock clock = new RealtimeClock();

  private interface Talk {
    void with(int fd, Socket peer) throws Exception;
  }

  private void connected(Talk talk) throws Exception {
    int fd = sys.tcpSocket();
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Epoll epoll = Epoll.open(sys, 8)) {
      sys.connect(fd, SocketAddress.of("127.0.0.1", listener.getLocalPort()));
      try (Socket peer = listener.accept()) {
        peer.setTcpNoDelay(true);
        epoll.add(fd, Epoll.IN | Epoll.RDHUP | Epoll.EDGE, 1);
        talk.with(fd, peer);
      }
    } finally {
      sys.close(fd);
    }
  }

  private int awaited(int fd) {
    int n;
    do {
      n = reads.read(fd);
    } while (n == -Errno.EAGAIN);
    return n;
  }

  @Test
  void aStampLiesBetweenWriteAndReadHoweverLateTheReadIs() throws Exception {
    connected(
        (fd, peer) -> {
          assertThat(StampedReads.ask(sys, fd)).isZero();
          assertThat(reads.read(fd)).isEqualTo(-Errno.EAGAIN);
          assertThat(reads.stampNs()).isZero();
          // The kernel begins to stamp a moment after the first socket has asked.
          long stamp = 0;
          while (stamp == 0) {
            peer.getOutputStream().write('x');
            assertThat(awaited(fd)).isEqualTo(1);
            stamp = reads.stampNs();
          }
          long before = clock.ns();
          peer.getOutputStream().write(new byte[] {'a', 'b'});
          long written = clock.ns();
          while (clock.ns() < written + 20_000_000) {
            Thread.onSpinWait();
          }
          assertThat(awaited(fd)).isEqualTo(2);
          assertThat(reads.buffer().get(JAVA_BYTE, 1)).isEqualTo((byte) 'b');
          assertThat(reads.stampNs()).isBetween(before, written);
          peer.shutdownOutput();
          assertThat(awaited(fd)).isZero();
          assertThat(reads.stampNs()).isZero();
        });
  }

  @Test
  void aSocketThatWasNotAskedHasNoStamp() throws Exception {
    connected(
        (fd, peer) -> {
          peer.getOutputStream().write('x');
          assertThat(awaited(fd)).isEqualTo(1);
          assertThat(reads.stampNs()).isZero();
        });
    assertThat(StampedReads.ask(sys, Integer.MAX_VALUE)).isEqualTo(-Errno.EBADF);
  }
}
