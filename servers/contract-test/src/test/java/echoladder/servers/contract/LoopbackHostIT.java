package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerProcess;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code --host 127.0.0.0/8}: every address of loopback reaches a server, and another host does not. */
class LoopbackHostIT {
  private static final String ALL_OF_LOOPBACK = "127.0.0.0/8";

  @Needs(Need.SS)
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

  static Stream<Variant> aJavaOneAndGo() {
    return Tested.some(
        Variant.defaults().filter(v -> List.of("virtual-threads", "go-echo").contains(v.name())), "virtual-threads and go-echo");
  }

  /** A SYN from another network namespace, over a pair of interfaces as between two hosts. */
  @Needs({Need.IP, Need.NAMESPACES, Need.BASH})
  @ParameterizedTest(name = "{0}")
  @MethodSource("aJavaOneAndGo")
  void anotherHostDoesNotReachIt(Variant variant) throws Exception {
    String server = "echo-ladder-ls-" + ProcessHandle.current().pid();
    String other = "echo-ladder-lo-" + ProcessHandle.current().pid();
    try {
      for (String words : List.of(
          "netns add " + server,
          "netns add " + other,
          "-n " + server + " link set lo up",
          "-n " + server + " link add v0 type veth peer name v1 netns " + other,
          "-n " + server + " address add 10.250.9.1/30 dev v0",
          "-n " + other + " address add 10.250.9.2/30 dev v1",
          "-n " + server + " link set v0 up",
          "-n " + other + " link set v1 up")) {
        assertThat(status("ip " + words)).as(words).isZero();
      }
      assertThat(reached(variant, server, other, "0.0.0.0")).as("a listener on every address").isTrue();
      assertThat(reached(variant, server, other, ALL_OF_LOOPBACK)).as("one on loopback").isFalse();
    } finally {
      // The interfaces go with their namespaces.
      status("ip netns del " + server);
      status("ip netns del " + other);
    }
  }

  private static boolean reached(Variant variant, String namespace, String from, String host) throws Exception {
    List<String> argv = new ArrayList<>(variant.argv());
    argv.set(argv.indexOf("--host") + 1, host);
    try (RunningServer server = RunningServer.start(variant, List.of("ip", "netns", "exec", namespace), argv)) {
      int port = server.ready().port();
      assertThat(status("ip netns exec " + namespace + " bash -c 'exec 3<>/dev/tcp/127.0.0.77/" + port + "'"))
          .as("%s from its own host", server)
          .isZero();
      return status("ip netns exec " + from + " timeout 20 bash -c 'exec 3<>/dev/tcp/10.250.9.1/" + port + "'") == 0;
    }
  }

  private static int status(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start().waitFor();
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
