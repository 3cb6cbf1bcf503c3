package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListeningSocketsTest {
  @Test
  void thisProcessIsFoundWhereItListens() throws IOException {
    List<Long> here = List.of(ProcessHandle.current().pid());
    String address;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      address = "127.0.0.1:" + socket.getLocalPort();
      // A JVM's sockets are of IPv6, where the host has that: the address is then a mapped one.
      assertThat(ListeningSockets.of(here)).contains(address);
    }
    assertThat(ListeningSockets.of(here)).doesNotContain(address);
  }

  @Test
  void aProcessThatIsNotThereListensNowhere() {
    assertThat(ListeningSockets.of(List.of(1L << 23))).isEmpty();
  }

  @Test
  void addressesAreWrittenAsPeopleDo() {
    assertThat(ListeningSockets.address("0100007F:2328")).isEqualTo("127.0.0.1:9000");
    assertThat(ListeningSockets.address("00000000:0050")).isEqualTo("0.0.0.0:80");
    assertThat(ListeningSockets.address("00000000000000000000000001000000:2328")).isEqualTo("[::1]:9000");
    assertThat(ListeningSockets.address("00000000000000000000000000000000:2328")).isEqualTo("[::]:9000");
    assertThat(ListeningSockets.address("0000000000000000FFFF00000100007F:2328")).isEqualTo("127.0.0.1:9000");
  }
}
