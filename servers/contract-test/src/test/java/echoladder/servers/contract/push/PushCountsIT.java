package echoladder.servers.contract.push;

import static echoladder.servers.contract.push.PushPeer.body;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Variant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server counts of its pushes, by frames, over TCP or WebSocket. */
@Order(1)
class PushCountsIT {
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.push.PushServer#byFrames")
  void theCountsAddUp(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant)) {
      addUp(server);
    }
  }

  private static void addUp(PushServer server) throws Exception {
    RunningServer running = server.running();
    server.awaitQuiet();
    running.awaitOpen(0);
    Map<String, Long> expected = new TreeMap<>(running.counts());
    Map<String, Long> push = new TreeMap<>();
    PushServer.SERIES.forEach(series -> push.put(series, server.count(series)));
    int subscribers = 10;
    int publishes = 50;
    long messageBytes = server.headBytes() + 100L;
    try (PushPeer publisher = server.connect()) {
      List<PushPeer> peers = server.subscribers(subscribers, 20);
      assertThat(server.count(PushServer.SUBSCRIPTIONS)).isEqualTo(subscribers);
      for (int i = 0; i < publishes; i++) {
        publisher.publish(20, body(i, 100));
      }
      for (PushPeer peer : peers) {
        for (int i = 0; i < publishes; i++) {
          peer.expectMessage(20, body(i, 100));
        }
      }
      PushServer.closeAll(peers);
    }
    server.awaitQuiet();
    expected.merge("echo_connections_accepted_total", subscribers + 1L, Long::sum);
    expected.merge("echo_received_bytes_total", (long) subscribers * server.headBytes() + publishes * messageBytes, Long::sum);
    expected.merge(
        "echo_sent_bytes_total",
        (long) subscribers * (server.headBytes() + publishes * messageBytes) + publishes * (server.headBytes() + 4L), Long::sum);
    push.merge(PushServer.PUBLISHED, (long) publishes, Long::sum);
    push.merge(PushServer.MESSAGES, (long) publishes * subscribers, Long::sum);
    running.await("counts").untilAsserted(() -> assertThat(running.counts()).as("%s", running).isEqualTo(expected));
    push.forEach((series, count) -> assertThat(server.count(series)).as("%s: %s", running, series).isEqualTo(count));
  }
}
