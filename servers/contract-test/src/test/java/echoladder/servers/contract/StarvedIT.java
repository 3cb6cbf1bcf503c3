package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server on the JVM with a buffer for each connection that runs out of direct memory while connections come: it counts
 * what it had to refuse, its page answers all the while, and whoever comes when there is room again is served.
 */
class StarvedIT {
  private static final int KNOWN = 8;
  private static final int CROWD = 300;

  private static final String DIRECT = "-XX:MaxDirectMemorySize=2m";

  private static final int BUFFER_BYTES = 32 << 10;

  private static Stream<Variant> hungry() {
    return Tested.some(
        Variant.defaults()
            .filter(v -> v.manifest().runtime().equals("jvm"))
            .filter(v -> v.manifest().options().containsKey("buffer-bytes") && !v.manifest().reference())
            .map(v -> new Variant(v.manifest(), Map.of("buffer-bytes", Integer.toString(BUFFER_BYTES)))),
        "servers on the JVM with a buffer for each connection");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hungry")
  void survivesWithoutDirectMemory(Variant variant) throws Exception {
    List<String> argv = new ArrayList<>(variant.argv());
    argv.add(1, DIRECT);
    try (RunningServer server = RunningServer.start(variant, List.of(), argv)) {
      List<EchoClient> known = server.connect(KNOWN);
      known.forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      List<SocketChannel> crowd = crowd(server.address());
      server.await("failures for want of memory").untilAsserted(() -> assertThat(failures(server, "enomem")).isPositive());
      assertThat(server.process().alive()).as("%s", server).isTrue();
      for (SocketChannel channel : crowd) {
        channel.close();
      }
      known.forEach(EchoClient::close);
      server.awaitOpen(0);
      servesAgain(server);
      saidLittle(server, "MaxDirectMemorySize");
    }
  }

  /** Connected and deaf, with as much sent as is taken: more than the kernel holds of what comes back. */
  private static List<SocketChannel> crowd(InetSocketAddress address) throws IOException {
    List<SocketChannel> crowd = new ArrayList<>();
    ByteBuffer flood = ByteBuffer.allocateDirect(1 << 20);
    for (int i = 0; i < CROWD; i++) {
      SocketChannel channel = SocketChannel.open();
      crowd.add(channel);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 10);
      channel.connect(address);
      channel.configureBlocking(false);
      try {
        channel.write(flood.clear());
      } catch (IOException e) {
        // Refused by the server already: a reset.
      }
    }
    return crowd;
  }

  /** 0 where the page has none of that reason: a reason is there once it was seen. */
  private static double failures(RunningServer server, String reason) {
    String series = "echo_accept_errors_total{reason=\"" + reason + "\"} ";
    return server.ask("GET", server.ready().metrics()).body().lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  private static void servesAgain(RunningServer server) {
    // A connection may still meet the last of a pause, but not for long.
    server.await("an echo again").ignoreExceptionsMatching(e -> true).untilAsserted(
        () -> {
          try (EchoClient client = server.connect()) {
            client.echo(EchoClient.bytes(3, 64));
          }
        });
    assertThat(server.process().alive()).as("%s", server).isTrue();
  }

  /** Whoever is refused costs no lines; the limit is named. */
  private static void saidLittle(RunningServer server, String limit) {
    List<String> lines = server.logLines();
    assertThat(lines).as("%s: lines of its log", server).hasSizeLessThan(100).noneMatch(line -> line.startsWith("\tat "));
    assertThat(lines).as("%s: names the limit", server).anyMatch(line -> line.contains(limit));
  }
}
