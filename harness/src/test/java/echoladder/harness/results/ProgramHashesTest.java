package echoladder.harness.results;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of the files that run. */
class ProgramHashesTest {
  @TempDir private Path dir;

  private Map<String, String> of(Path program) {
    return Objects.requireNonNull(new ProgramHashes(new Checkout(dir)).add("it", List.of(program.toString())).all().get("it"));
  }

  @Test
  void aFileIsToldByWhatSha256sumSays() throws IOException {
    assertThat(of(Files.writeString(dir.resolve("program"), "abc"))).containsExactly(Map.entry("program", "ba7816bf8f01cfea"));
  }

  /** A JDK's classes are one: each byte of it counts, and the size too. */
  @Test
  void aLargeFileIsToldByItsCrc() throws IOException {
    byte[] bytes = new byte[17 << 20];
    Path program = Files.write(dir.resolve("program"), bytes);
    String zeros = of(program).get("program");
    assertThat(zeros).matches("crc32c [0-9a-f]{8} of 17825792 bytes");
    bytes[bytes.length - 1] = 1;
    Files.write(program, bytes);
    assertThat(of(program).get("program")).matches("crc32c [0-9a-f]{8} of 17825792 bytes").isNotEqualTo(zeros);
  }

  @Test
  void whatCannotBeReadIsSaid() {
    assertThat(new ProgramHashes(new Checkout(dir)).add("it", List.of("/proc/self/mem")).all().get("it"))
        .containsExactly(Map.entry("mem", "cannot be read: Input/output error"));
  }
}
