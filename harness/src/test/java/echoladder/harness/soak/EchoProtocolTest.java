package echoladder.harness.soak;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EchoProtocolTest {
  private static final String ECHO = "x".repeat(64);

  private static InputStream answer(String fields) {
    return new ByteArrayInputStream(("HTTP/1.1 200 OK\r\n" + fields + "\r\n\r\n" + ECHO).getBytes(ISO_8859_1));
  }

  /** RFC 9110, 5.5, 5.6.1 and 8.6: a length is a number, and may be told several times. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 64", "content-length:64", "CONTENT-LENGTH:\t64 ", "Content-Length: 0064", "Content-Length: 64, 64",
        "Content-Length: 64\r\nContent-Length: 064"
      })
  void aLengthIsANumber(String fields) throws IOException {
    assertThat(EchoProtocol.HTTP.hear(answer(fields), ECHO.length())).isEqualTo(ECHO.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length: 65", "Content-Length: 640", "Content-Length: +64", "Content-Length: 64, 65", "Content-Length:", "X: 64", "Content-Length: 6 4"})
  void anotherLengthIsSaid(String fields) {
    assertThatThrownBy(() -> EchoProtocol.HTTP.hear(answer(fields), ECHO.length()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("an echo of 64 bytes was announced with content-length ");
  }
}
