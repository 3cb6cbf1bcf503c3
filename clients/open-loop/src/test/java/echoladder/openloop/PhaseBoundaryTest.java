package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What the client asks of a server's page at the borders of the steady state. */
class PhaseBoundaryTest {
  private static List<Reason> doubts(String page, long pauseMs, ReasonCode reason) throws Exception {
    return load(() -> page, pauseMs).verdictReasons().stream().filter(doubt -> doubt.reason() == reason).toList();
  }

  private static LoadResult load(Supplier<String> page, long pauseMs) throws Exception {
    HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    http.createContext(
        "/metrics",
        exchange -> {
          try {
            TimeUnit.MILLISECONDS.sleep(pauseMs);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          byte[] body = page.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    http.start();
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadPlan.Builder plan =
          Measured.plan(server.target(), 5, 100, Duration.ofSeconds(1))
              .serverMetrics(URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/metrics"));
      return Measured.run(plan).result();
    } finally {
      http.stop(0);
    }
  }

  @Test
  void cpuThatWasReadLateIsDoubted() throws Exception {
    assertThat(doubts("process_cpu_seconds_total 1\n", 400, ReasonCode.BORDER_LATE))
        .extracting(Reason::detail)
        .hasSize(2)
        .allMatch(detail -> detail.startsWith("the client read CPU "))
        .anyMatch(detail -> detail.contains(" ms after the beginning of the steady state (bound 250 ms)"))
        .anyMatch(detail -> detail.contains(" ms after the end of the steady state (bound 250 ms)"));
  }

  @Test
  void cpuThatIsNoNumberIsSaidAndNotZero() throws Exception {
    assertThat(doubts("process_cpu_seconds_total NaN\n", 0, ReasonCode.METRICS_UNREACHABLE))
        .extracting(Reason::detail)
        .singleElement()
        .asString()
        .contains("line 1 has a value that is no number: 'process_cpu_seconds_total NaN'");
  }

  /** Each look at this page finds 10 ms more, all of which the server's hiccup meter took where it tells so. */
  private static Supplier<String> growing(boolean metered) {
    AtomicInteger looks = new AtomicInteger();
    return () -> {
      String seconds = String.format(Locale.ROOT, "%.2f", looks.incrementAndGet() / 100.0);
      String meter = metered ? "echo_hiccup_cpu_seconds_total " + seconds + "\n" : "";
      return "process_cpu_seconds_total " + seconds + "\n" + meter;
    };
  }

  @Test
  void theCpuOfTheServersHiccupMeterIsLeftOut() throws Exception {
    assertThat(load(growing(true), 0).cost().serverCpuUsPerEcho()).as("no CPU is left, which is no figure").isNull();
    assertThat(load(growing(false), 0).cost().serverCpuUsPerEcho()).isPositive();
  }
}
