package echoladder.openloop.result;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class IntervalLogTest {
  /** A device of every Linux that is always full. */
  @Test
  void saysWhyItCannotBeWritten() throws IOException {
    Histogram histogram = new Histogram(3);
    histogram.recordValue(1_000);
    try (IntervalLog log = Objects.requireNonNull(IntervalLog.open(Path.of("/dev/full")))) {
      assertThatThrownBy(() -> log.write(Map.of(), Map.of("response", histogram), 0, 1_000))
          .isInstanceOf(IOException.class)
          .hasMessage("the interval log could not be written: No space left on device");
    }
  }
}
