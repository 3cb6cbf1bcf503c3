package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the client costs over WebSocket beside the same load over plain TCP at the same time, each with the floor server of its
 * protocol: what the host does meanwhile happens to both alike. See {@link BenchPairs} for where they run.
 */
class WebSocketBench {
  private static final int PAIRS = Math.max(6, Integer.getInteger("bench.repeats", 6));
  private static final int CONNECTIONS = 2_000;
  private static final int RATE_PER_S = 5_000;
  private static final int WARM_UP_S = 10;
  private static final int STEADY_S = 10;
  /** By so much may an echo over WebSocket cost more. */
  private static final double CPU_MOST = 1.15;

  private static Process start(String protocol, int port, int seed) throws IOException {
    List<String> command = BenchPairs.atClients(ClientProcess.measuredJavaCommand());
    command.addAll(
        Stream.of(
                LoadMain.class.getName(), "--json", "--protocol", protocol, "--target", "127.0.0.1:" + port, "--connections", CONNECTIONS,
                "--rate", RATE_PER_S, "--duration", STEADY_S + "s", "--warm-up-min", WARM_UP_S + "s", "--warm-up-max", WARM_UP_S + "s",
                "--seed", seed)
            .map(Object::toString)
            .toList());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static JsonNode ended(Process process) {
    JsonNode result = JsonMapper.shared().readTree(process.getInputStream());
    assertThat(result.get("connections_established").intValue()).isEqualTo(CONNECTIONS);
    assertThat(result.get("answered").longValue()).isEqualTo(result.get("scheduled").longValue());
    return result;
  }

  @Test
  void costsLittleMoreThanPlainTcp() throws Exception {
    List<JsonNode> ofWebSocket = new ArrayList<>();
    List<JsonNode> ofTcp = new ArrayList<>();
    try (FloorProcess webSocket = FloorProcess.startWebSocket(1, BenchPairs.atServers());
        FloorProcess tcp = FloorProcess.start(1, BenchPairs.atServers())) {
      OtherWork others = OtherWork.besides(webSocket.pid(), tcp.pid());
      // The servers' code is compiled in the first one.
      for (int i = 0; i <= PAIRS; i++) {
        Process one = start("websocket", webSocket.target().port(), i);
        Process other = start("tcp", tcp.target().port(), i);
        var second = CompletableFuture.supplyAsync(() -> ended(other));
        JsonNode first = ended(one);
        if (i > 0) {
          ofWebSocket.add(first);
          ofTcp.add(second.join());
        } else {
          second.join();
        }
      }
      System.out.printf(
          "bench: %,d connections and %,d echoes/s by each client at the same time, %d pairs%s%n",
          CONNECTIONS, RATE_PER_S, PAIRS, BenchPairs.where());
      BenchPairs both = new BenchPairs(List.of("WebSocket", "TCP"), ofWebSocket, ofTcp);
      double cpu = both.ratio("client_cpu_us_per_echo");
      both.ratio("send_lateness_p99_ns");
      both.ratio("service_time_p50_ns");
      assertThat(BenchPairs.median(ofWebSocket.stream().mapToDouble(run -> run.get("client_allocated_bytes_per_echo").doubleValue()).toArray()))
          .as("bytes of Java heap per echo")
          .isLessThan(1);
      others.assumeLittle();
      assertThat(cpu).as("CPU per echo, WebSocket to TCP").isLessThanOrEqualTo(CPU_MOST);
    }
  }
}
