package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedKernelTest {
  private static SharedKernel of(String server, String... clients) {
    Map<String, String> byName = new LinkedHashMap<>();
    for (String client : clients) {
      byName.put("c" + (byName.size() + 1), client);
    }
    return new SharedKernel(server, byName);
  }

  @Test
  void hostsThatHaveItsBootIdAreOnTheServersKernel() {
    assertThat(of("a", "a", "a").on()).containsExactly("c1", "c2");
    assertThat(of("a", "a", "a").mixed()).isNull();
  }

  /** Two client hosts may be one machine with two networks: what they send crosses these all the same. */
  @Test
  void clientsThatShareAnotherKernelShareNotTheServers() {
    assertThat(of("a", "b", "b").on()).isEqualTo(List.of());
    assertThat(of("a", "b", "b").mixed()).isNull();
  }

  @Test
  void someOfThemOnItAreNoRun() {
    assertThat(of("a", "b", "a", "c").mixed())
        .startsWith("the client hosts c2 run on the kernel of the server's host (they have its boot id), and c1, c3 do not");
  }
}
