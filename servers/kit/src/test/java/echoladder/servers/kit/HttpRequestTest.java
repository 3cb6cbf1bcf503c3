package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestTest {
  private static InputStream of(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void readsOneAfterTheOtherAndDropsBodies() throws IOException {
    InputStream in =
        of("POST /gc HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /metrics?name%5B%5D=a_total&x=1&name[]=b HTTP/1.1\r\n\r\n");
    assertThat(HttpRequest.read(in)).isEqualTo(new HttpRequest("POST", "/gc", Set.of(), "x", false, true));
    assertThat(HttpRequest.read(in)).isEqualTo(new HttpRequest("GET", "/metrics", Set.of("a_total", "b"), "", false, true));
    assertThat(HttpRequest.read(in)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: Close\r\n\r\n",
        "GET / HTTP/1.1\r\nconnection:\tCLOSE \t\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: keep-alive ,\tclose,\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: close\r\nConnection: x\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: x\r\nCONNECTION: close\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"
      })
  void closesAfterWhatCannotGoOn(String text) throws IOException {
    assertThat(HttpRequest.read(of(text))).isNotNull().extracting(HttpRequest::keepAlive).isEqualTo(false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Connection: closed", "Connection: keep-alive, not-close", "Connection: keep-alive", "Connection:", "X-Connection: close"})
  void goesOnWhereNobodyAskedForTheEnd(String field) throws IOException {
    assertThat(HttpRequest.read(of("GET / HTTP/1.1\r\n" + field + "\r\n\r\n")))
        .isNotNull()
        .extracting(HttpRequest::keepAlive)
        .isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:9090/metrics?name[]=b", "HTTP://127.0.0.1:9090/metrics?name[]=b"})
  void theHostOfAWholeUrlCounts(String target) throws IOException {
    assertThat(HttpRequest.read(of("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n")))
        .isEqualTo(new HttpRequest("GET", "/metrics", Set.of("b"), "127.0.0.1:9090", false, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/2\r\n\r\n",
        "GET /?name[]=% HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
        "POST / HTTP/1.1\r\nContent-Length: 2, 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nContent-Length: +2\r\n\r\nab",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\nOrigin: b\r\n\r\n",
        "GET / HTTP/1.1\r\nX: \0\r\n\r\n",
        "GET / HTTP/1.1\r\nno header\r\n\r\n"
      })
  void refusesWhatIsNoRequest(String text) {
    assertThatThrownBy(() -> HttpRequest.read(of(text))).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://a.example", "ORIGIN: null", "Sec-Fetch-Site: cross-site", "sec-fetch-site:Same-Site",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: none"
      })
  void tellsWhatAPageOfASiteSent(String mark) throws IOException {
    assertThat(HttpRequest.read(of("POST /gc HTTP/1.1\r\nHost: x\r\n" + mark + "\r\n\r\n")))
        .isNotNull()
        .extracting(HttpRequest::fromASite)
        .isEqualTo(true);
  }

  @Test
  void boundsTheHead() {
    assertThatThrownBy(() -> HttpRequest.read(of("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\n\r\n")))
        .hasMessageContaining("8192");
  }
}
