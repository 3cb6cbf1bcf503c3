package echoladder.loadmetrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets the page, and who cannot keep others from it. */
class LoadMetricsPageTest {
  private static final int BOUND_MS = 30_000;

  private static Socket connect(LoadMetricsPage page) throws IOException {
    Socket socket = new Socket("127.0.0.1", URI.create(page.address()).getPort());
    socket.setSoTimeout(BOUND_MS);
    return socket;
  }

  private static String status(Socket socket, String headers) throws IOException {
    socket.getOutputStream().write(("GET /metrics HTTP/1.1\r\n" + headers + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @CsvSource({
    "'Host: 127.0.0.1:9', 200",
    "'Host: LocalHost', 200",
    "'Host: localhost|Sec-Fetch-Site: same-origin', 200",
    "'Host: localhost|Origin: http://site.example', 403",
    "'Host: localhost|Origin: null', 403",
    "'Host: localhost|Sec-Fetch-Site: cross-site', 403",
    "'Host: site.example', 403",
    "'Host: localhost.site.example:80', 403",
  })
  void isForNoOtherSitesPage(String headers, String status) throws IOException {
    try (LoadMetricsPage page = LoadMetricsPage.start(0, new LoadExporter());
        Socket socket = connect(page)) {
      assertThat(status(socket, headers.replace("|", "\r\n"))).isEqualTo("HTTP/1.1 " + status);
    }
  }

  @Test
  void halfARequestKeepsNobodyWaitingAndIsCutOff() throws IOException {
    try (LoadMetricsPage page = LoadMetricsPage.start(0, new LoadExporter());
        Socket half = connect(page);
        Socket other = connect(page)) {
      half.getOutputStream().write("GET /metrics HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
      assertThat(status(other, "Host: localhost")).isEqualTo("HTTP/1.1 200");
      assertThat(half.getInputStream().read()).isEqualTo(-1);
    }
  }
}
