package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadPlan;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the client asks of a server's page at the borders of the steady state. */
class BorderTest {
  private static List<Doubt> doubts(String page, long pauseMs, Invalidity reason) throws Exception {
    HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    http.createContext(
        "/metrics",
        exchange -> {
          try {
            TimeUnit.MILLISECONDS.sleep(pauseMs);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          byte[] body = page.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    http.start();
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadPlan.Builder plan =
          Measured.plan(server.target(), 5, 100, Duration.ofSeconds(1))
              .serverMetrics(URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/metrics"));
      return Measured.run(plan).result().verdictReasons().stream().filter(doubt -> doubt.reason() == reason).toList();
    } finally {
      http.stop(0);
    }
  }

  @Test
  void cpuThatWasReadLateIsDoubted() throws Exception {
    assertThat(doubts("process_cpu_seconds_total 1\n", 400, Invalidity.BORDER_LATE))
        .extracting(Doubt::detail)
        .hasSize(2)
        .allMatch(detail -> detail.startsWith("the client read CPU "))
        .anyMatch(detail -> detail.contains(" ms after the beginning of the steady state (bound 250 ms)"))
        .anyMatch(detail -> detail.contains(" ms after the end of the steady state (bound 250 ms)"));
  }

  @Test
  void cpuThatIsNoNumberIsSaidAndNotZero() throws Exception {
    assertThat(doubts("process_cpu_seconds_total NaN\n", 0, Invalidity.METRICS_UNREACHABLE))
        .extracting(Doubt::detail)
        .singleElement()
        .asString()
        .contains("line 1 has a value that is no number: 'process_cpu_seconds_total NaN'");
  }
}
