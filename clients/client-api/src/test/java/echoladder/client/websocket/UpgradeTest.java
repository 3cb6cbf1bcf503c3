package echoladder.client.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradeTest {
  /** The example of RFC 6455, section 1.3. */
  private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

  private static String answer() {
    return new String(Upgrade.answer(KEY), StandardCharsets.US_ASCII);
  }

  @Test
  void knowsTheExampleOfTheRfc() {
    assertThat(Upgrade.accept(KEY)).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assertThat(Upgrade.complaint(answer(), KEY)).isNull();
    assertThat(Upgrade.status(answer())).isEqualTo(Upgrade.STATUS);
    assertThat(Upgrade.key(0x7468_6520_7361_6d70L, 0x6c65_206e_6f6e_6365L)).isEqualTo(KEY);
  }

  @Test
  void asksWithoutExtensions() {
    String request = new String(Upgrade.request("/chat?x=1", "10.0.0.1:80", KEY), StandardCharsets.US_ASCII);
    assertThat(request).startsWith("GET /chat?x=1 HTTP/1.1\r\nHost: 10.0.0.1:80\r\n").endsWith("\r\n\r\n").doesNotContain("Extensions");
    assertThat(Upgrade.header(request, "sec-websocket-key")).isEqualTo(KEY);
    assertThat(Upgrade.header(request, "Sec-WebSocket-Version")).isEqualTo("13");
    assertThat(Upgrade.header(request, "Origin")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade: websocket|Upgrade: h2c|no header 'Upgrade: websocket'",
        "Upgrade: websocket|X-Upgrade: websocket|no header 'Upgrade: websocket'",
        "Connection: Upgrade|Connection: keep-alive|no header 'Connection: Upgrade'",
        "Connection: Upgrade|X: y|no header 'Connection: Upgrade'",
        "Sec-WebSocket-Accept: s3|Sec-WebSocket-Accept: S3|a Sec-WebSocket-Accept that is not that of its key",
        "Sec-WebSocket-Accept|Sec-WebSocket-Refuse|no header Sec-WebSocket-Accept",
        "Connection: Upgrade|Connection: Upgrade~Sec-WebSocket-Extensions: permessage-deflate|an extension that was not asked for",
        "Connection: Upgrade|Connection: Upgrade~Sec-WebSocket-Protocol: chat|a subprotocol that was not asked for",
      })
  void saysWhatIsWrongWithAnAnswer(String right, String wrong, String complaint) {
    String said = answer().replace(right, wrong.replace("~", "\r\n"));
    assertThat(said).isNotEqualTo(answer());
    assertThat(Upgrade.complaint(said, KEY)).isEqualTo(complaint);
  }

  @Test
  void namesAndOptionsMayBeOfAnyCaseAndInSeveralLines() {
    String said =
        answer().replace("Upgrade: websocket", "upgrade:WebSocket").replace("Connection: Upgrade", "CONNECTION: keep-alive\r\nConnection: x , UPGRADE");
    assertThat(Upgrade.complaint(said, KEY)).isNull();
  }

  /** RFC 9110, 5.5 and 5.6.1: optional white space, lists and folded lines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade: websocket|Upgrade:\\twebsocket \\t",
        "Upgrade: websocket|Upgrade:\\r\\n websocket",
        "Upgrade: websocket|Upgrade: , WebSocket,",
        "Upgrade: websocket|Upgrade: websocket\\r\\nupgrade: websocket",
        "Connection: Upgrade|Connection:keep-alive,\\tUpgrade\\t",
        "Connection: Upgrade|Connection: keep-alive,\\r\\n\\tUpgrade",
        "Connection: Upgrade|Connection: ,, upgrade",
        "Sec-WebSocket-Accept: |sec-websocket-accept:\\t",
        "Connection: Upgrade|Connection: Upgrade\\r\\nSec-WebSocket-Extensions: ",
        "Connection: Upgrade|X: y\\r\\n Upgrade: h2c\\r\\nConnection: Upgrade",
      })
  void whiteSpaceAndListsAreAsGood(String plain, String other) {
    String said = answer().replace(plain, other.translateEscapes() + (plain.endsWith(" ") ? " " : ""));
    assertThat(said).isNotEqualTo(answer());
    assertThat(Upgrade.complaint(said, KEY)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade: websocket|Upgrade: websocket, h2c|no header 'Upgrade: websocket'",
        "Upgrade: websocket|Upgrade: websocket13|no header 'Upgrade: websocket'",
        "Upgrade: websocket|Upgrade : websocket|no header 'Upgrade: websocket'",
        "Upgrade: websocket|Upgrade:|no header 'Upgrade: websocket'",
        "Connection: Upgrade|Connection: Upgraded|no header 'Connection: Upgrade'",
        "Connection: Upgrade|Connection: no upgrade|no header 'Connection: Upgrade'",
        "Connection: Upgrade|X: y\\r\\n Connection: Upgrade|no header 'Connection: Upgrade'",
        "Connection: Upgrade|Connection: Upgrade\\r\\nSec-WebSocket-Accept: x|a Sec-WebSocket-Accept that is not that of its key",
      })
  void whatOnlyLooksLikeAHeaderIsNone(String right, String wrong, String complaint) {
    assertThat(Upgrade.complaint(answer().replace(right, wrong.translateEscapes()), KEY)).isEqualTo(complaint);
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 101 Switching Protocols~~, 101", "HTTP/1.1 404~~, 404", "HTTP/1.1 1010 x~~, -1", "HTTP/1.0 101 x~~, -1", "HTTP/1.1 1x1 x~~, -1",
    "HTTP/1.1 10, -1", "SSH-2.0, -1",
  })
  void readsTheStatus(String head, int status) {
    assertThat(Upgrade.status(head.replace("~", "\r\n"))).isEqualTo(status);
  }
}
