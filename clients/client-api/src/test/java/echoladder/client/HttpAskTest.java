package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpAskTest {
  private static final Target TARGET = new Target("127.0.0.1", 9000);

  @Test
  void aRequestIsCompletedWhereSomethingIsMissing() {
    HttpAsk post = HttpAsk.of("POST /orders?x=1\nContent-Type: application/json\n\n{\"a\":1}\n", TARGET, 201);
    assertThat(post.request())
        .isEqualTo(
            "POST /orders?x=1 HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"a\":1}\n");
    assertThat(post.path()).isEqualTo("/orders?x=1");
    assertThat(post.bytes()).hasSize(String.valueOf(post.request()).length());
  }

  @Test
  void whatIsWholeStaysAsItIs() {
    String whole = "PUT /a HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\na\r\n";
    assertThat(HttpAsk.of(whole, TARGET, 200).request()).isEqualTo(whole);
    String zeros = "PUT /a HTTP/1.1\r\nHost: here\r\ncontent-length:\t0003 \r\n\r\na\r\n";
    assertThat(HttpAsk.of(zeros, TARGET, 200).request()).isEqualTo(zeros);
    assertThat(HttpAsk.of("POST /a", TARGET, 200).request()).isEqualTo("POST /a HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nContent-Length: 0\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hello|its first line is not METHOD PATH",
        "GET health|its first line is not METHOD PATH",
        "HEAD /a|the answer to HEAD has no body",
        "GET /a~no header|no header' is no header of the form NAME: VALUE",
        "POST /a~Transfer-Encoding: chunked|a body in chunks",
        "POST /a~Content-Length: 5~~hello~|its content-length is '5' and its body has 6 bytes; leave the header out",
        "POST /a~content-length: 7~~hello|its content-length is '7' and its body has 5 bytes",
        "GET /a~Content-Length: 1|its content-length is '1' and its body has 0 bytes",
        "POST /a~Content-Length: 5~Content-Length: 6~~hello|its content-length is '6' and its body has 5 bytes",
      })
  void whatCannotBeSentIsSaid(String text, String message) {
    assertThatThrownBy(() -> HttpAsk.of(text.replace('~', '\n'), TARGET, 200))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> HttpAsk.of("POST /a\n\n" + "x".repeat(HttpAsk.MOST_BYTES), TARGET, 200))
        .hasMessageContaining("at most 65,536 are sent");
  }
}
