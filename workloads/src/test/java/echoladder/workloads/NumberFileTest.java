package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumberFileTest {
  @TempDir private Path dir;

  @Test
  void readsTheNumberBehindAKeyAtTheBeginningOfALine() throws IOException {
    Path file = Files.writeString(dir.resolve("status"), "XVmRSS: 5\nVmRSS:\t  123 kB\nThreads:\t7\nEmpty:\n");
    NumberFile numbers = new NumberFile(file.toString()).refresh();
    assertThat(numbers.after(NumberFile.key("VmRSS:"))).isEqualTo(123);
    assertThat(numbers.after(NumberFile.key("Threads:"))).isEqualTo(7);
    assertThat(numbers.after(NumberFile.key("Empty:"))).isEqualTo(NumberFile.MISSING);
    assertThat(numbers.after(NumberFile.key("VmPTE:"))).isEqualTo(NumberFile.MISSING);
  }

  @Test
  void readsAllOfANumberOfTheKernel() throws IOException, InterruptedException {
    Process cat = new ProcessBuilder("cat", "/proc/sys/kernel/pid_max").start();
    long pidMax = Long.parseLong(new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim());
    assertThat(cat.waitFor()).isZero();
    assertThat(NumberFile.only(Path.of("/proc/sys/kernel/pid_max"))).isEqualTo(pidMax);
  }

  @Test
  void whatHasNoNumberIsNull() throws IOException {
    assertThat(NumberFile.only(Files.writeString(dir.resolve("max"), "max\n"))).isNull();
    assertThat(NumberFile.only(dir.resolve("none"))).isNull();
  }
}
