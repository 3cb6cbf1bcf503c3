package echoladder.harness.report.samples;

import echoladder.harness.results.LogRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.util.Optional;

/** Whether the interval log of a rung still is what the rung was recorded with. */
public final class WholeLog {
  private WholeLog() {}

  /**
   * What it lacks, in words; empty where nothing. By size and hash where the run recorded them; of an older run by the messages
   * that it has to have.
   */
  public static Optional<String> damage(RunFolder folder, RunRecord run, RungRecord rung) {
    String name = rung.histograms();
    if (name == null) {
      return Optional.empty();
    }
    LogRecord recorded = run.logs().get(name);
    if (recorded == null) {
      return Optional.ofNullable(IntervalLogReader.read(folder.files(), name, "response", 1).of(rung).damage());
    }
    try {
      LogRecord now = LogRecord.of(folder.files(), name);
      if (now.bytes() != recorded.bytes()) {
        return Optional.of("it has %,d of the %,d bytes that it was recorded with".formatted(now.bytes(), recorded.bytes()));
      }
      return now.equals(recorded) ? Optional.empty() : Optional.of("its content is not what it was recorded with");
    } catch (IOException e) {
      return Optional.of("it cannot be read (" + e.getMessage() + ")");
    }
  }
}
