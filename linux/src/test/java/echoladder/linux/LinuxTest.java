package echoladder.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.linux.process.DescriptorLimit;
import echoladder.linux.process.ProcessCpu;
import echoladder.linux.process.ProcessMemory;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** The bindings against the kernel under them. */
class LinuxTest {
  private final SystemCalls sys = new SystemCalls();

  @Test
  void connectsWritesAndReadsWithEpoll() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Epoll epoll = Epoll.open(sys, 8)) {
      int fd = sys.tcpSocket();
      assertThat(fd).isPositive();
      assertThat(sys.setOption(fd, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY, 1)).isZero();
      assertThat(sys.option(fd, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY)).isPositive();
      assertThat(sys.setOption(fd, SystemCalls.IPPROTO_IP, SystemCalls.IP_BIND_ADDRESS_NO_PORT, 1)).isZero();
      assertThat(sys.bind(fd, SocketAddress.of("127.0.0.7", 0))).isZero();
      int r = sys.connect(fd, SocketAddress.of("127.0.0.1", listener.getLocalPort()));
      assertThat(r).isIn(0, -Errno.EINPROGRESS);
      try (Socket peer = listener.accept()) {
        assertThat(peer.getInetAddress().getHostAddress()).isEqualTo("127.0.0.7");
        assertThat(sys.localPort(fd)).isEqualTo(peer.getPort());
        assertThat(epoll.add(fd, Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.EDGE, 0x1234567)).isZero();
        assertThat(epoll.await(1_000_000_000L)).isEqualTo(1);
        assertThat(epoll.token(0)).isEqualTo(0x1234567);
        assertThat(epoll.mask(0) & Epoll.OUT).isNotZero();

        MemorySegment bytes = Arena.ofAuto().allocate(16);
        bytes.set(JAVA_BYTE, 0, (byte) 'e');
        assertThat(sys.write(fd, bytes, 1)).isEqualTo(1);
        assertThat(peer.getInputStream().read()).isEqualTo('e');
        assertThat(sys.read(fd, bytes, 16)).isEqualTo(-Errno.EAGAIN);
        peer.getOutputStream().write(new byte[] {'x', 'y'});
        assertThat(epoll.await(1_000_000_000L)).isEqualTo(1);
        assertThat(sys.read(fd, bytes, 16)).isEqualTo(2);
        assertThat(bytes.get(JAVA_BYTE, 1)).isEqualTo((byte) 'y');
        peer.shutdownOutput();
        assertThat(epoll.await(1_000_000_000L)).isEqualTo(1);
        assertThat(epoll.mask(0) & Epoll.RDHUP).isNotZero();
        assertThat(sys.read(fd, bytes, 16)).isZero();
      }
      assertThat(sys.close(fd)).isZero();
    }
  }

  /** The number lies above every limit. A closed one would do only until another test opens a file. */
  @Test
  void closingWhatIsNotOpenSaysSo() {
    assertThat(sys.close(Integer.MAX_VALUE)).isEqualTo(-Errno.EBADF);
  }

  /** The port is held and not listened at. One that was let go would do only until another test gets it. */
  @Test
  void aRefusedConnectSaysSo() throws Exception {
    int held = sys.tcpSocket();
    assertThat(sys.bind(held, SocketAddress.of("127.0.0.1", 0))).isZero();
    int fd = sys.tcpSocket();
    try (Epoll epoll = Epoll.open(sys, 1)) {
      int r = sys.connect(fd, SocketAddress.of("127.0.0.1", sys.localPort(held)));
      if (r == -Errno.EINPROGRESS) {
        epoll.add(fd, Epoll.OUT, 1);
        epoll.await(1_000_000_000L);
        r = -sys.option(fd, SystemCalls.SOL_SOCKET, SystemCalls.SO_ERROR);
      }
      assertThat(Errno.name(r)).isEqualTo("ECONNREFUSED");
    } finally {
      sys.close(fd);
      sys.close(held);
    }
  }

  @Test
  void waitsAsLongAsAskedAndNoLess() {
    assertThat(sys.timerSlackNs(1)).isZero();
    try (Epoll epoll = Epoll.open(sys, 1)) {
      long before = System.nanoTime();
      assertThat(epoll.await(3_000_000)).isZero();
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(3_000_000);
    }
  }

  @Test
  void countsTheCpuOfProcesses() throws Exception {
    ProcessCpu cpu = new ProcessCpu();
    long before = cpu.ownNs();
    long x = 0;
    for (int i = 0; i < 50_000_000; i++) {
      x = x * 31 + i;
    }
    assertThat(x).isNotZero();
    assertThat(cpu.ownNs()).isGreaterThan(before);
    Process child = new ProcessBuilder("sleep", "30").start();
    try {
      await().untilAsserted(() -> assertThat(cpu.ns(child.pid())).isPositive());
      await().untilAsserted(() -> assertThat(ProcessMemory.rssBytes(child.pid())).isPositive());
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(cpu.ns(child.pid())).isEqualTo(-1);
    assertThat(ProcessMemory.rssBytes(child.pid())).isNull();
  }

  @Test
  void whatAChildTookIsCountedWithItsOwnChildren() throws Exception {
    ProcessCpu cpu = new ProcessCpu();
    String count = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    Process child = new ProcessBuilder("sh", "-c", "sh -c '" + count + "'; cat /proc/$$/stat").start();
    long ownBefore = cpu.ownNs();
    long before = cpu.ownWithEndedChildrenNs();
    String[] stat = new String(child.getInputStream().readAllBytes(), US_ASCII).split(" ", -1);
    assertThat(child.waitFor()).isZero();
    long grew = cpu.ownWithEndedChildrenNs() - before;
    // proc(5): cutime and cstime, in ticks of 10 ms, are the 16th and 17th field.
    long grandchildNs = (Long.parseLong(stat[15]) + Long.parseLong(stat[16])) * 10_000_000;
    assertThat(grandchildNs).isPositive();
    assertThat(grew - (cpu.ownNs() - ownBefore)).as("two readings of two counters may differ by a tick each").isGreaterThan(grandchildNs / 2);
  }

  @Test
  void readsTheDescriptorLimitOfAnotherProcess() throws Exception {
    Process child = new ProcessBuilder("sh", "-c", "ulimit -n 321; exec sleep 30").start();
    try {
      await()
          .untilAsserted(
              () -> assertThat(DescriptorLimit.of(child.pid())).contains(new DescriptorLimit(321, 321)));
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(DescriptorLimit.own().soft()).isPositive();
  }

  @Test
  void growsTheDescriptorTable() {
    assertThat(sys.growDescriptorTable(0, (int) DescriptorLimit.own().soft() - 1)).isZero();
    assertThat(sys.growDescriptorTable(0, (int) DescriptorLimit.own().soft())).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void growingTheDescriptorTableClosesNobodysDescriptor() {
    int used = sys.tcpSocket();
    try {
      assertThat(sys.growDescriptorTable(0, used)).isZero();
      assertThat(sys.option(used, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY)).isZero();
    } finally {
      sys.close(used);
    }
  }

  @Test
  void plansHalfOfTheUsablePorts() {
    assertThat(EphemeralPorts.of(32768, 60999, "").perTuple()).isEqualTo(14_116);
    assertThat(EphemeralPorts.of(1000, 1099, "1,1000-1009,1050,2000-2001").usable()).isEqualTo(89);
    assertThat(EphemeralPorts.of(1000, 1099, "1,1000-1009,1050,2000-2001").perTuple()).isEqualTo(44);
    assertThat(EphemeralPorts.of(40_000, 40_000, "").perTuple()).as("a range of one port").isEqualTo(1);
    assertThat(EphemeralPorts.of(40_000, 40_000, "40000").perTuple()).isZero();
    assertThat(EphemeralPorts.read().usable()).isPositive();
  }

  @Test
  void refusesWhatIsNotIpv4() {
    assertThatThrownBy(() -> SocketAddress.of("::1", 80)).isInstanceOf(UnknownHostException.class);
  }
}
