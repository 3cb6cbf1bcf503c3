package echoladder.processes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandLinesTest {
  /** A class path of some thirty jars has more than the 4,096 bytes that the JDK reads. */
  @Test
  void aLongOneIsWhole() throws Exception {
    Process process = new ProcessBuilder("sh", "-c", "read line", "a".repeat(10_000), "last").start();
    try {
      assertThat(CommandLines.of(process.toHandle())).startsWith("sh -c read line a").endsWith("a last");
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(CommandLines.of(process.pid())).isEmpty();
  }
}
