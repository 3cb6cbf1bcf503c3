package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.RungRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DisplayTest {
  @Test
  void whatIsSaidStandsInItsOrderAtTheEnd() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Display display = new Display(new PrintStream(err, true, StandardCharsets.UTF_8), false);
    display.rung(1, 2, Duration.ZERO);
    display.note("one");
    display.note("two");
    display.end();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("ladder: one\nladder: two\n");
  }

  @Test
  void aQuietOneSaysWhatWentWrongAlone() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Display display = new Display(new PrintStream(err, true, StandardCharsets.UTF_8), true, true, null);
    RungRecord over = RungRecord.notMeasured(new RungRecord.Planned("floor", 5, 1, 10, null), RungRecord.Status.OUT_OF_REACH, "5 is out of reach");
    Rung rung = new Rung(over.key(), 10, null, Duration.ZERO, Duration.ZERO, Obstacles.NONE);
    assertThat(display.now()).isEqualTo("The first rung has not begun.");
    display.rung(1, 1, Duration.ZERO);
    display.waiting(rung, "others have the host", Duration.ZERO);
    assertThat(display.now()).as("for a page").startsWith("1/1  floor  5  others have the host; for ");
    display.step(rung, "steady");
    assertThat(display.now()).startsWith("1/1  floor  5  steady  ").endsWith(" left");
    display.over(over, "floor  5: 5 is out of reach");
    display.note("floor: it did not end");
    display.end();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("ladder: floor: it did not end\n");
  }

  /** As behind Ctrl-S: the end of the run too waits for it shortly alone. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void nobodyWaitsForATerminalThatTakesNothing() throws Exception {
    Process deaf = new ProcessBuilder("sleep", "1000").start();
    try {
      Display display = new Display(new PrintStream(deaf.getOutputStream(), true, StandardCharsets.UTF_8), true);
      for (int i = 0; i < 5_000; i++) {
        display.note("x".repeat(1_000));
      }
      display.end();
      assertThat(deaf.isAlive()).as("it has taken nothing to the end").isTrue();
    } finally {
      deaf.destroyForcibly().waitFor();
    }
  }
}
