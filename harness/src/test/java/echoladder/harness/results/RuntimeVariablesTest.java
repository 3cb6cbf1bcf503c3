package echoladder.harness.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RuntimeVariablesTest {
  @Test
  void whatRuntimesHeedIsTakenAndNoSecret() {
    assertThat(
            RuntimeVariables.of(
                Map.of(
                    "PATH", "/bin",
                    "GOGC", "50",
                    "JAVA_TOOL_OPTIONS", "-Xmx1g  -Djavax.net.ssl.keyStorePassword=hunter2 -Da.b=c",
                    "MALLOC_ARENA_MAX", "1",
                    "MY_TOKEN", "x")))
        .containsExactly(
            Map.entry("GOGC", "50"),
            Map.entry("JAVA_TOOL_OPTIONS", "-Xmx1g -Djavax.net.ssl.keyStorePassword=... -Da.b=c"),
            Map.entry("MALLOC_ARENA_MAX", "1"));
  }
}
