package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The names that others script against. */
class MetricsPageTest {
  private final EchoMetrics metrics = new EchoMetrics();
  private final HttpClient http = HttpClient.newHttpClient();
  private URI root = URI.create("http://127.0.0.1");

  @BeforeEach
  void start() throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    metrics.register(registry);
    RuntimeMetrics.register(registry, "a-test");
    MetricsPage page =
        MetricsPage.start(
            new InetSocketAddress("127.0.0.1", 0),
            registry,
            () -> 42,
            new DescriptorReserve(),
            new ServerLog("kit", System.err));
    root = URI.create("http://127.0.0.1:" + page.port() + "/");
  }

  private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(root.resolve(path)).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  @Test
  void showsCountsAndRuntime() throws IOException, InterruptedException {
    metrics.connectionAccepted();
    metrics.connectionAccepted();
    metrics.connectionClosed();
    metrics.received(64);
    metrics.sent(63);
    metrics.acceptFailed("enfile");
    HttpResponse<String> page = ask("GET", "/metrics");
    assertThat(page.headers().firstValue("content-type")).get().asString().startsWith("text/plain");
    assertThat(page.body().lines())
        .contains(
            "echo_connections_accepted_total 2.0",
            "echo_connections_open 1.0",
            "echo_connections_broken_total 0.0",
            "echo_received_bytes_total 64.0",
            "echo_sent_bytes_total 63.0",
            "echo_accept_errors_total{reason=\"emfile\"} 0.0",
            "echo_accept_errors_total{reason=\"enfile\"} 1.0",
            "echo_accept_errors_total{reason=\"other\"} 0.0");
    assertThat(page.body())
        .contains("echo_server_info{pid=\"" + ProcessHandle.current().pid() + "\",server=\"a-test\"} 1");
    for (String name :
        new String[] {
          "process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds",
          "jvm_threads_current", "jvm_threads_allocated_bytes_total", "jvm_virtual_thread_scheduler_queued", "jvm_compilation_time_seconds_total",
          "jvm_virtual_thread_scheduler_parallelism", "jvm_memory_used_bytes{area=\"heap\"}"
        }) {
      assertThat(page.body().lines().filter(line -> line.startsWith(name + " ")))
          .as(name)
          .singleElement()
          .satisfies(line -> assertThat(Double.parseDouble(line.substring(line.indexOf(' ')))).isNotNaN());
    }
  }

  @Test
  void showsOnlyWhatWasAskedFor() throws IOException, InterruptedException {
    assertThat(ask("GET", "/metrics?name%5B%5D=echo_server_info").body().lines().filter(line -> line.startsWith("# TYPE ")))
        .containsExactly("# TYPE echo_server_info gauge");
    String query = "?name%5B%5D=echo_sent_bytes_total&name%5B%5D=echo_connections_open&name%5B%5D=jvm_gc_collection_seconds";
    assertThat(ask("GET", "/metrics" + query).body().lines().filter(line -> line.startsWith("# TYPE ")))
        .containsExactlyInAnyOrder(
            "# TYPE echo_sent_bytes_total counter",
            "# TYPE echo_connections_open gauge",
            "# TYPE jvm_gc_collection_seconds summary");
  }

  @Test
  void collectsGarbageWhenAsked() throws IOException, InterruptedException {
    JsonNode answer = JsonMapper.shared().readTree(ask("POST", "/gc").body());
    assertThat(answer.get("live_heap_bytes").longValue()).isBetween(100_000L, 1L << 32);
    assertThat(answer.get("direct_bytes").longValue()).isEqualTo(42);
  }

  @Test
  void refusesWhatItDoesNotHaveAndStaysUp() throws IOException, InterruptedException {
    assertThat(ask("GET", "/gc").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/metrics").statusCode()).isEqualTo(200);
  }
}
