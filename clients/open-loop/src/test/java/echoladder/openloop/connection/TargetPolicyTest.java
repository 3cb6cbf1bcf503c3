package echoladder.openloop.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Target;
import echoladder.linux.sockets.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nobody's server is loaded by a slip of the finger. */
class TargetPolicyTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true", "127.255.255.254, true", "126.255.255.255, false", "128.0.0.0, false",
    "10.0.0.0, true", "10.255.255.255, true", "9.255.255.255, false", "11.0.0.0, false",
    "172.16.0.0, true", "172.31.255.255, true", "172.15.255.255, false", "172.32.0.0, false",
    "192.168.0.0, true", "192.168.255.255, true", "192.167.255.255, false", "192.169.0.0, false",
    "100.64.0.0, true", "100.127.255.255, true", "100.63.255.255, false", "100.128.0.0, false",
    "0.0.0.0, false", "8.8.8.8, false", "192.0.2.1, false", "224.0.0.1, false", "255.255.255.255, false",
    "169.254.169.254, false",
  })
  void onlyLoopbackAndPrivateRangesAreOwnGround(String host, boolean own) throws Exception {
    assertThat(SocketAddress.of(host, 9).isLoopbackOrPrivate()).isEqualTo(own);
  }

  @Test
  void anotherHostMustBeListed() throws Exception {
    Target target = new Target("192.0.2.1", 9);
    SocketAddress address = SocketAddress.of("192.0.2.1", 9);
    assertThatThrownBy(() -> TargetPolicy.check(address, target, List.of("192.0.2.2")))
        .isInstanceOf(PlanNotPossible.class)
        .hasMessageContaining("192.0.2.1:9")
        .hasMessageContaining("--allow-target 192.0.2.1");
    assertThatCode(() -> TargetPolicy.check(address, target, List.of("192.0.2.1"))).doesNotThrowAnyException();
  }
}
