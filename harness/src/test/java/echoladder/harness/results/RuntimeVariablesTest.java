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
        .containsOnlyKeys("GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MALLOC_ARENA_MAX")
        .containsEntry("GOGC", "50")
        .containsEntry("JAVA_TOOL_OPTIONS", "-Xmx1g -Djavax.net.ssl.keyStorePassword=... -Da.b=c")
        .containsEntry("MALLOC_ARENA_MAX", "1")
        .containsEntry("GOMEMLIMIT", null);
  }
}
