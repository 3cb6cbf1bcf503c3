package echoladder.loadmetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.figures.Percentiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LoadExporterTest {
  private final LoadExporter metrics = new LoadExporter();

  private String page() {
    return new String(metrics.page(), StandardCharsets.UTF_8);
  }

  private static Progress progress() {
    return new Progress(
        Phase.STEADY, 1, 2, 990, 10, 5_000, 4_900, 2_499.5, 7, null,
        new Progress.Times(
            new Percentiles(50_000L, 90_000L, 990_000L, null, null, 12_000_000L), new Percentiles(40_000L, 80_000L, 890_000L, null, null, 11_000_000L),
            new Percentiles(5_000L, 9_000L, 20_000L, null, null, 1_000_000L)));
  }

  @Test
  void saysWhereTheLoadStands() {
    metrics.begin("netty", 1_000);
    metrics.phase(Phase.WARM_UP, 1);
    assertThat(page())
        .contains("echo_client_phase{connections=\"1000\",phase=\"warm-up\",server=\"netty\"} 1.0")
        .doesNotContain("echo_client_connections_established{");
    metrics.progress(progress());
    assertThat(page())
        .contains("echo_client_connections_established{connections=\"1000\",server=\"netty\"} 990.0")
        .contains("echo_client_connections_failed_total{connections=\"1000\",server=\"netty\"} 10.0")
        .contains("echo_client_messages_sent_total{connections=\"1000\",server=\"netty\"} 5000.0")
        .contains("echo_client_messages_answered_total{connections=\"1000\",server=\"netty\"} 4900.0")
        .contains("echo_client_late_sends_total{connections=\"1000\",server=\"netty\"} 7.0")
        .contains("echo_client_achieved_per_second{connections=\"1000\",server=\"netty\"} 2499.5")
        .contains("echo_client_response_time_seconds{connections=\"1000\",quantile=\"0.99\",server=\"netty\"} 9.9E-4")
        .contains("echo_client_response_time_seconds{connections=\"1000\",quantile=\"1\",server=\"netty\"} 0.012")
        .contains("echo_client_service_time_seconds{connections=\"1000\",quantile=\"0.99\",server=\"netty\"} 8.9E-4")
        .contains("echo_client_send_lateness_seconds{connections=\"1000\",quantile=\"0.99\",server=\"netty\"} 2.0E-5")
        .doesNotContain("quantile=\"0.999\"")
        .doesNotContain("echo_client_users{");
  }

  @Test
  void aLoadThatIsOverHasNoSeries() {
    metrics.begin("netty", 1_000);
    metrics.progress(progress());
    metrics.end();
    metrics.progress(progress());
    assertThat(page()).doesNotContain("netty");
    metrics.begin("floor", 10);
    assertThat(page()).doesNotContain("netty").contains("server=\"floor\"");
  }

  @Test
  void isReadOverHttpAndAPortInUseIsRefused() throws Exception {
    metrics.begin("netty", 1_000);
    metrics.progress(progress());
    try (LoadMetricsPage page = LoadMetricsPage.start(0, metrics); HttpClient http = HttpClient.newHttpClient()) {
      URI address = URI.create(page.address());
      HttpResponse<byte[]> answer =
          http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
      assertThat(answer.body()).isEqualTo(metrics.page());
      assertThatThrownBy(() -> LoadMetricsPage.start(address.getPort(), metrics).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot serve metrics at 127.0.0.1:" + address.getPort())
          .hasMessageContaining("give a free port, or 0 for any");
    }
  }
}
