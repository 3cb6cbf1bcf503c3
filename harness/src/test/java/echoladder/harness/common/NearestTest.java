package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> KNOWN = List.of("server_cpu_us_per_echo", "client_cpu_us_per_echo", "server_rss_bytes", "unanswered");

  @Test
  void aPartOfANameFindsItAndSoDoesASlip() {
    assertThat(Nearest.to("server_cpu", KNOWN).getFirst()).isEqualTo("server_cpu_us_per_echo");
    assertThat(Nearest.to("Server_RSS_bites", KNOWN).getFirst()).isEqualTo("server_rss_bytes");
    assertThat(Nearest.to("x".repeat(100_000), KNOWN)).hasSize(3);
    assertThat(Nearest.to("x", List.of())).isEmpty();
  }
}
