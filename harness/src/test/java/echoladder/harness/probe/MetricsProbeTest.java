package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsProbeTest {
  @ParameterizedTest
  @CsvSource({"jvm_threads_allocated_bytes_total, 1234567.0", "go_memstats_alloc_bytes_total, 1.234567e+06"})
  void whatAServerAllocatedIsAskedOfItsRuntimeByName(String name, String value) throws IOException {
    HttpServer page = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    page.createContext(
        "/metrics",
        exchange -> {
          // As the libraries do: a series that is not asked for by name is not told.
          String text = exchange.getRequestURI().getQuery().contains(name) ? name + " " + value + "\n" : "";
          byte[] body = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    page.start();
    try {
      Reading reading = new Reading(0);
      new MetricsProbe(URI.create("http://127.0.0.1:" + page.getAddress().getPort() + "/metrics"), false).sample(reading);
      assertThat(reading.get(Figure.SERVER_ALLOCATED_BYTES)).hasValue(1_234_567);
    } finally {
      page.stop(0);
    }
  }
}
