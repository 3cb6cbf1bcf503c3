package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code --host 127.0.0.0/8}: every address of loopback reaches a server, and another host does not. */
class LoopbackHostIT {
  private static final String ALL_OF_LOOPBACK = "127.0.0.0/8";

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.MetricsPageIT#all")
  void isEveryAddressOfLoopbackAndNoOther(MetricsPageIT.Subject subject) throws Exception {
    List<String> argv = new ArrayList<>(subject.argv());
    argv.set(argv.indexOf("--host") + 1, ALL_OF_LOOPBACK);
    Path log = Files.createTempFile("loopback-host", ".log");
    try (ServerProcess process = ServerProcess.start(argv, log)) {
      ReadyLine ready = process.awaitReady(RunningServer.LONG);
      assertThat(ready.host()).isEqualTo(ALL_OF_LOOPBACK);
      assertThat(ready.reachableHost()).isEqualTo("127.0.0.1");
      for (String address : List.of("127.0.0.1", "127.0.0.77", "127.255.0.1")) {
        connect(address, ready.port());
      }
      // The kernel drops what comes by another device, before it is a connection.
      assertThat(listeners(ready.port())).contains("0.0.0.0%lo:" + ready.port() + " ");
      connect("127.0.0.1", ready.metricsPort());
      assertThatThrownBy(() -> connect("127.0.0.77", ready.metricsPort())).isInstanceOf(ConnectException.class);
    } finally {
      Files.deleteIfExists(log);
    }
  }

  private static void connect(String address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), (int) RunningServer.LONG.toMillis());
    }
  }

  /** As ss(8) tells them. */
  private static String listeners(int port) throws IOException {
    Process ss = new ProcessBuilder("ss", "-Hltn", "sport = :" + port).redirectErrorStream(true).start();
    return new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
