package echoladder.harness.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.metric.Shown;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interval log that was cut, wherever: what comes before is shown, and that something is missing is said. */
class CutLogTest {
  private static final int SECONDS = 10;

  private final RunRecord golden = new RunFolder(Path.of("src/test/resources/golden")).read();
  private final RungRecord rung = golden.rungs().stream().filter(RungRecord::valid).findFirst().orElseThrow();

  @TempDir private Path dir;

  /** As many messages as run.json has of that rung, in ten intervals. */
  private byte[] whole() throws IOException {
    Path file = dir.resolve("whole.hlog");
    int each = (int) (Objects.requireNonNull(rung.load()).messages().answered() / SECONDS);
    try (PrintStream out = new PrintStream(Files.newOutputStream(file))) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputLogFormatVersion();
      log.outputStartTime(1_767_268_800_000L);
      log.setBaseTime(1_767_268_800_000L);
      log.outputLegend();
      for (int second = 0; second < SECONDS; second++) {
        Histogram histogram = new Histogram(1, 10_000_000_000L, 3);
        histogram.recordValueWithCount(100_000, each);
        histogram.setTag("response");
        log.outputIntervalHistogram((double) second, second + 1.0, histogram, 1e6);
      }
    }
    return Files.readAllBytes(file);
  }

  private List<String> notes(byte[] log, int length) throws IOException {
    Files.write(dir.resolve(Objects.requireNonNull(rung.histograms())), Arrays.copyOf(log, length));
    return RungPlots.read(golden, new RunFolder(dir)).notes().stream()
        .filter(note -> note.startsWith(rung.histograms() + ": "))
        .toList();
  }

  @Test
  void aWholeLogIsWithoutComplaint() throws IOException {
    byte[] log = whole();
    assertThat(notes(log, log.length)).isEmpty();
  }

  @Test
  void everyCutIsTold() throws IOException {
    byte[] log = whole();
    int lastLine = new String(log, StandardCharsets.US_ASCII).trim().lastIndexOf('\n') + 1;
    for (int length = lastLine - 2; length < log.length - 1; length++) {
      assertThat(notes(log, length)).as("cut at %d of %d", length, log.length).hasSize(1);
    }
    assertThat(notes(log, lastLine).getFirst()).contains("messages of the steady state that run.json counts");
    for (int length = 0; length < lastLine; length += 97) {
      assertThat(notes(log, length)).as("cut at %d of %d", length, log.length).hasSize(1);
    }
  }

  @Test
  void theReportOfTheRestIsWritten() throws IOException {
    byte[] log = whole();
    Files.write(dir.resolve(Objects.requireNonNull(rung.histograms())), Arrays.copyOf(log, log.length / 2));
    RunFolder folder = new RunFolder(dir);
    assertThat(ReportFiles.write(folder, golden)).anyMatch(note -> note.startsWith(rung.histograms() + ": "));
    assertThat(folder.file("report.html")).content().contains("What could not be read of this run's folder");
    assertThat(folder.file("REPORT.md")).content()
        .contains(new RungText(rung).of(Shown.P99), "## What could not be read of this run's folder", "- " + rung.histograms() + ": ");
  }
}
