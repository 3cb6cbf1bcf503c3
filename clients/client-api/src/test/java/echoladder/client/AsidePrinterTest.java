package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In front of real pipes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsidePrinterTest {
  /** A pipe takes 64 KiB; this is more than that and than the queue. */
  private static final int MESSAGES = 5_000;

  @Test
  void nobodyWaitsForAPipeThatNobodyReads() throws Exception {
    Process deaf = new ProcessBuilder("sleep", "1000").start();
    try {
      AsidePrinter printer = new AsidePrinter(new PrintStream(deaf.getOutputStream(), true, StandardCharsets.UTF_8));
      for (int i = 0; i < MESSAGES; i++) {
        printer.print("x".repeat(1_000) + "\n");
      }
      assertThat(printer.flush(Duration.ofMillis(100))).isFalse();
    } finally {
      deaf.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatWasLeftOutIsSaidWhenThereIsRoomAgain() throws Exception {
    // Stopped until it is told to go on.
    Process reader = new ProcessBuilder("sh", "-c", "kill -STOP $$; exec cat").start();
    try (BufferedReader out = new BufferedReader(new InputStreamReader(reader.getInputStream(), StandardCharsets.UTF_8))) {
      AsidePrinter printer = new AsidePrinter(new PrintStream(reader.getOutputStream(), true, StandardCharsets.UTF_8));
      for (int i = 0; i < MESSAGES; i++) {
        printer.print("message " + i + " " + "x".repeat(1_000) + "\n");
      }
      assertThat(new ProcessBuilder("sh", "-c", "kill -CONT " + reader.pid()).start().waitFor()).isZero();
      Thread asking =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!printer.flush(Duration.ofSeconds(1))) {
                      // until there is room
                    }
                    printer.print("last\n");
                  });
      String line = "";
      String said = "";
      while (!line.equals("last")) {
        line = String.valueOf(out.readLine());
        said = line.contains("are left out here") ? line : said;
      }
      asking.join();
      assertThat(said).endsWith("messages are left out here, as nobody took them]");
    } finally {
      reader.destroyForcibly().waitFor();
    }
  }

  /** A kernel without threads left refuses one; later it gives one again. */
  @Test
  void aThreadThatCannotBeStartedIsAMessageLeftOut() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicInteger asked = new AtomicInteger();
    AsidePrinter printer =
        new AsidePrinter(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            lines -> "[" + lines + " left out]",
            task -> {
              if (asked.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return Thread.ofPlatform().daemon().unstarted(task);
            });
    printer.print("first");
    printer.print("second");
    assertThat(printer.flush(Duration.ofMinutes(1))).isTrue();
    assertThat(out).hasToString("[1 left out]second");
  }
}
