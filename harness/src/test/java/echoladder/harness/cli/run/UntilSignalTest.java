package echoladder.harness.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.run.StopSignal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process that is asked to end while nobody takes what it prints, as behind a terminal that is held (Ctrl-S). */
class UntilSignalTest {
  @Test
  void endsWithinItsBoundWhereNobodyReads() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Unheard.class.getName())
            .start();
    try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("begun");
      process.toHandle().destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Its stderr is full before it is asked to end, and it never gets to an end by itself. */
  static final class Unheard {
    private Unheard() {}

    public static void main(String[] args) {
      try (UntilSignal _ = UntilSignal.stopping(new StopSignal(), "stopping", 1)) {
        System.out.println("begun");
        System.out.flush();
        while (true) {
          System.err.println("x".repeat(1_000));
        }
      }
    }
  }
}
