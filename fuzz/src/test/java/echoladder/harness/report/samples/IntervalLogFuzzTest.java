package echoladder.harness.report.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.results.PlainFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An interval log. An input that begins with a zero is a program, by which a log is written: bytes that a fuzzer turns over never make
 * another compressed histogram. Any other input is the log itself.
 */
class IntervalLogFuzzTest {
  private static final Path FOLDER = Inputs.scratch();
  private static final String NAME = "x.hlog";
  private static final String[] TAGS = {"response", "service", "send-lateness", "connect", "hiccup", "other"};

  static Stream<Arguments> seeds() {
    byte[] program = {0, 0, 40, 3, 0, 1, 50, 1, 1, 41, 3, 0, 1, 60, 1, 2, 10, 2, 1, 1, 9, 3, 4, 30, 3, 1, 1, 9, 2};
    return Stream.of(Inputs.of("program", program), Inputs.of("log", written(program)));
  }

  /** A line for each seven bytes: tag, range, digits, start, length, value, count. */
  private static byte[] written(byte[] program) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBuffer in = ByteBuffer.wrap(program, 1, program.length - 1);
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputLogFormatVersion();
      log.outputStartTime(1_767_268_800_000L);
      log.setBaseTime(1_767_268_800_000L);
      log.outputLegend();
      while (in.remaining() >= 7) {
        String tag = TAGS[(in.get() & 0xff) % TAGS.length];
        long highest = 2L << ((in.get() & 0xff) % 61);
        Histogram histogram = new Histogram(1, highest, (in.get() & 0xff) % 4);
        double start = in.get();
        double length = in.get();
        long value = 1L << ((in.get() & 0xff) % 61);
        histogram.recordValueWithCount(Math.min(value, highest), in.get() & 0xff);
        histogram.setTag(tag);
        log.outputIntervalHistogram(start, start + length, histogram, 1e6);
      }
    }
    return bytes.toByteArray();
  }

  @MethodSource("seeds")
  @FuzzTest
  void aLogIsReadAsFarAsItGoes(byte[] input) {
    Inputs.write(FOLDER.resolve(NAME), input.length > 0 && input[0] == 0 ? written(input) : input);
    PlainFiles files = new PlainFiles(FOLDER);
    for (String timesTag : List.of("server-time", "response", "service")) {
      assertThat(IntervalLogReader.read(files, NAME, timesTag, 1)).isNotNull();
    }
    try {
      MergedLog.of(files, List.of(NAME));
    } catch (IOException e) {
      Ends.said(e);
    }
  }
}
