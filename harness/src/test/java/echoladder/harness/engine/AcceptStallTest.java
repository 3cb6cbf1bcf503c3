package echoladder.harness.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A real process is stopped and goes on. */
class AcceptStallTest {
  private static char state(Process process) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  private static Process sleeper() throws IOException {
    return new ProcessBuilder("sleep", "600").start();
  }

  @Test
  void itIsStoppedBeforeTheRampAndGoesOnByItself() throws Exception {
    Process process = sleeper();
    try (AcceptStall stall = AcceptStall.of(process.pid(), Duration.ofMillis(200))) {
      Awaitility.await().until(() -> state(process) == 'T');
      stall.ramp();
      Awaitility.await().until(() -> state(process) == 'S');
    } finally {
      process.destroyForcibly();
    }
  }

  /** As where the client dies before its ramp. */
  @Test
  void itGoesOnAfterARampThatNeverBegan() throws Exception {
    Process process = sleeper();
    try {
      AcceptStall.of(process.pid(), Duration.ofMillis(1)).close();
      Awaitility.await().until(() -> state(process) == 'S');
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatCannotBeStoppedIsSaid() throws Exception {
    Process process = sleeper();
    process.destroyForcibly().waitFor();
    assertThatThrownBy(() -> AcceptStall.of(process.pid(), Duration.ofSeconds(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not be stopped for a while");
    assertThat(process.isAlive()).isFalse();
  }
}
