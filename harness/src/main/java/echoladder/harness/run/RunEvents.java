package echoladder.harness.run;

import echoladder.client.AsidePrinter;
import echoladder.harness.common.Refusal;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the events of a run for scripts: it appends a line of JSON for each event to a file. docs/EVENTS.md has the fields. Nobody
 * waits for the file, which may be a pipe. Any thread.
 */
public final class RunEvents implements AutoCloseable {
  /** A pipe that nobody reads is left after so long. */
  private static final Duration FLUSH_BOUND = Duration.ofSeconds(2);

  private final Path file;
  private final PrintStream out;
  private final AsidePrinter printer;
  private volatile @Nullable String runId;

  private RunEvents(Path file, PrintStream out) {
    this.file = file;
    this.out = out;
    this.printer = new AsidePrinter(out, lines -> line(Map.of("event", "left-out", "lines", lines)));
  }

  /**
   * Opens the file, or makes it.
   *
   * @throws Refusal (cannot run) where it cannot be written
   */
  public static RunEvents appendedTo(Path file) {
    try {
      return new RunEvents(
          file,
          new PrintStream(
              Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), false, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw Refusal.cannotRun("--events " + file + ": the file cannot be opened for writing: " + ErrorText.of(e) + "; nothing was started");
    }
  }

  /** A run begins; the events that follow are its own. */
  public void begins(RunFolder folder, String study, int rungs) {
    runId = folder.runId();
    Map<String, @Nullable Object> fields = head("run-begins");
    fields.put("study", study);
    fields.put("folder", folder.dir().toAbsolutePath().toString());
    fields.put("rungs", rungs);
    write(fields);
  }

  /** A rung enters a phase; {@code number} counts the rungs of the plan from 1. */
  void phase(Rung rung, int number, String phase) {
    Map<String, @Nullable Object> fields = rung("phase", rung.key(), number, rung.ratePerS());
    fields.put("phase", phase);
    write(fields);
  }

  /** A rung is over. */
  void over(RungRecord record, int number) {
    Map<String, @Nullable Object> fields = rung("rung-ends", record.key(), number, record.ratePerS());
    fields.put("status", RunFolder.tree(record.status()).asString());
    fields.put("status_reason", record.statusReason());
    fields.put("verdict", record.load() == null ? null : record.load().verdict().id());
    fields.put(
        "verdict_reasons",
        record.load() == null ? List.of() : record.load().verdictReasons().stream().map(doubt -> doubt.reason().id()).toList());
    write(fields);
  }

  /** A run is over and its report written; the ladder goes on to end with that status, unless more runs follow. */
  public void ends(RunFolder folder, RunRecord run, int exitStatus) {
    Map<String, @Nullable Object> fields = head("run-ends");
    fields.put("status", RunFolder.tree(run.status()).asString());
    fields.put("exit_status", exitStatus);
    fields.put("report", folder.file("report.html").toAbsolutePath().toString());
    write(fields);
  }

  private Map<String, @Nullable Object> head(String event) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("event", event);
    fields.put("at", Instant.now().toString());
    fields.put("run_id", runId);
    return fields;
  }

  private Map<String, @Nullable Object> rung(String event, RungKey key, int number, double ratePerS) {
    Map<String, @Nullable Object> fields = head(event);
    fields.put("rung", number);
    fields.put("server", key.server());
    fields.put("connections", key.connections());
    fields.put("rate_per_s", ratePerS);
    fields.put("repeat", key.repeat());
    fields.put("drift_check", key.driftCheck());
    return fields;
  }

  private void write(Map<String, @Nullable Object> fields) {
    printer.print(line(fields));
  }

  private static String line(Map<String, ? extends @Nullable Object> fields) {
    return JsonMapper.shared().writeValueAsString(fields) + "\n";
  }

  /** Writes what is waiting, and says where lines are missing. */
  @Override
  public void close() {
    boolean all = printer.flush(FLUSH_BOUND);
    if (!all || out.checkError()) {
      System.err.println("ladder: --events " + file + ": lines are missing, as it could not be written; the results are whole");
    }
    if (all) {
      out.close();
    }
  }
}
