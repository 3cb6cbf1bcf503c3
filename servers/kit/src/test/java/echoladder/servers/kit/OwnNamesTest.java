package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnNamesTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.0.0.1:9100, true",
    "127.3.2.1:9100, true",
    "localhost, true",
    "LocalHost:9100, true",
    "as-given:9100, true",
    "'', true",
    "site.example, false",
    "site.example:9100, false",
    "127.0.0.1.site.example, false",
    "localhost.site.example:9100, false",
    "10.0.0.1, false",
  })
  void onLoopbackAreThoseOfLoopback(String host, boolean own) throws UnknownHostException {
    InetAddress loopback = InetAddress.getByAddress("as-given", new byte[] {127, 0, 0, 1});
    assertThat(new OwnNames(new InetSocketAddress(loopback, 1)).has(host)).isEqualTo(own);
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1:9100", "server.example", "localhost"})
  void elsewhereAreAny(String host) {
    assertThat(new OwnNames(new InetSocketAddress("0.0.0.0", 1)).has(host)).isTrue();
  }
}
