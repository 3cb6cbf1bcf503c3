package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.linux.ProcSys;
import echoladder.linux.sockets.TcpSocket.State;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NetworkNamespaceTest {
  private static String lowestPort() {
    try {
      return ProcSys.read("net.ipv4.ip_local_port_range").split("\\s+", -1)[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int sockets() {
    AtomicInteger count = new AtomicInteger();
    assertThat(TcpSockets.here(EnumSet.allOf(State.class), _ -> count.incrementAndGet())).isTrue();
    return count.get();
  }

  /** Settings and sockets are those of the other namespace inside, and of this one before and afterwards. */
  @Needs({Need.UNSHARE, Need.NAMESPACES})
  @Test
  void insideItsSettingsAndSocketsAreSeen() throws Exception {
    String here = lowestPort();
    Process other =
        new ProcessBuilder("unshare", "--net", "sh", "-c", "echo '20000 20099' >/proc/sys/net/ipv4/ip_local_port_range && exec sleep 60")
            .inheritIO()
            .start();
    try {
      // The shell becomes it in the namespace, behind the setting.
      await().until(() -> other.info().command().orElse("").endsWith("sleep"));
      assertThat(NetworkNamespace.in(other.pid(), NetworkNamespaceTest::lowestPort)).isEqualTo("20000");
      assertThat(NetworkNamespace.in(other.pid(), NetworkNamespaceTest::sockets)).isZero();
      assertThat(lowestPort()).isEqualTo(here);
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void thatOfAProcessWhichIsGoneCannotBeEntered() {
    assertThatThrownBy(() -> NetworkNamespace.in(1L << 23, () -> 1))
        .isInstanceOf(IOException.class)
        .hasMessage("/proc/8388608/ns/net cannot be opened: ENOENT");
  }
}
