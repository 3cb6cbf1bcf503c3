package echoladder.harness.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplesTest {
  @TempDir private Path dir;

  @Test
  void aFailureWithoutAMessageIsSaidInWords() throws IOException {
    Samples samples =
        new Samples(
            seconds -> {
              throw new EOFException();
            },
            dir.resolve("samples.jsonl"));
    samples.add();
    assertThat(samples.wrong()).first().isEqualTo("no sample after 0 s: it ends too early");
  }
}
