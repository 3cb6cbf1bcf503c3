package echoladder.linux.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdlePollingTest {
  /** How often any processor entered an idle state in which it does not poll. */
  private static long sleeps() {
    long sum = 0;
    try (DirectoryStream<Path> cpus = Files.newDirectoryStream(Path.of("/sys/devices/system/cpu"), "cpu[0-9]*")) {
      for (Path cpu : cpus) {
        for (int state = 1; Files.exists(cpu.resolve("cpuidle/state" + state)); state++) {
          sum += Long.parseLong(Files.readString(cpu.resolve("cpuidle/state" + state + "/usage")).strip());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  private static boolean anySleepsWithin(Duration time) throws InterruptedException {
    long before = sleeps();
    for (long end = System.nanoTime() + time.toNanos(); System.nanoTime() < end && sleeps() == before; ) {
      Thread.sleep(10);
    }
    return sleeps() > before;
  }

  @Test
  @Needs(Need.IDLE_STATES)
  void noProcessorSleepsWhileItIsOpenAndAllDoAfterwards() throws Exception {
    try (IdlePolling _ = IdlePolling.begin()) {
      // A processor that slept when the request came wakes at its next interrupt.
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !anySleepsWithin(Duration.ofMillis(300)));
    }
    assertThat(anySleepsWithin(Duration.ofSeconds(60))).isTrue();
  }

  @Test
  void saysWhyItCannotBeHad(@TempDir Path dir) throws IOException {
    Path device = dir.resolve("cpu_dma_latency");
    Path driver = dir.resolve("current_driver");
    assertThat(IdlePolling.complaint(device, driver)).contains(device + " is not there");
    Files.createFile(device);
    assertThat(IdlePolling.complaint(device, driver)).contains("no idle states to choose among", "idle=poll");
    Files.writeString(driver, "none\n");
    assertThat(IdlePolling.complaint(device, driver)).contains("no idle states to choose among");
    Files.writeString(driver, "intel_idle\n");
    assertThat(IdlePolling.complaint(device, driver)).isNull();
  }
}
