package echoladder.harness.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyLineTest {
  private static ReadyLine parsed(String host) {
    return ReadyLine.parse(
        "{\"ready\":true,\"server\":\"fake\",\"pid\":1,\"host\":\"%s\",\"port\":9000,\"metrics_port\":9100,\"config\":{}}".formatted(host));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "localhost", "127.0.0.0/8"})
  void takesWhatAServerListensOn(String host) {
    assertThat(parsed(host).host()).isEqualTo(host);
  }

  @Test
  void refusesWhatIsNoHost() {
    assertThatThrownBy(() -> parsed("10.0.0.0/8")).hasMessageContaining("'10.0.0.0/8' is no name and no address");
  }
}
