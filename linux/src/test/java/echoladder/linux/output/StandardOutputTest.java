package echoladder.linux.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardOutputTest {
  @TempDir private Path dir;

  private StandardOutput printed(FileOutputStream to, String place) throws IOException {
    StandardOutput out = new StandardOutput(to, Files.createSymbolicLink(dir.resolve("1"), Path.of(place)));
    try (PrintStream stream = TerminalStream.before(new PrintStream(out, false, UTF_8))) {
      stream.println("one");
      stream.println("two");
    }
    return out;
  }

  @Test
  void aFullDeviceIsSaid() throws IOException {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      assertThat(printed(full, "/dev/full").complaint()).isEqualTo("/dev/full: No space left on device");
    }
  }

  @Test
  void theReaderOfAPipeMayGo() throws IOException {
    // A pipe's failure without a pipe: what counts is where stdout leads.
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      assertThat(printed(full, "pipe:[4711]").complaint()).isNull();
    }
  }

  @Test
  void whatIsWrittenIsNoComplaint() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandardOutput out = new StandardOutput(bytes, dir.resolve("none"));
    new PrintStream(out, true, UTF_8).println("µ – ×");
    assertThat(bytes).hasToString("µ – ×\n");
    assertThat(out.complaint()).isNull();
  }
}
