package echoladder.harness.cli.run;

import echoladder.harness.engine.Climb;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.run.Display;
import echoladder.harness.run.MeasuredPrograms;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.StopSignal;
import echoladder.loadmetrics.LoadExporter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Runs that are parts of something longer, in folders {@code runs/RUN-ID} of it. All are of the same programs. */
public final class InnerRuns {
  private static final String RUNS = "runs";

  private final Path folder;
  private final StopSignal stop;
  private @Nullable Map<String, Map<String, String>> programs;

  public InnerRuns(Path folder, StopSignal stop) {
    this.folder = folder;
    this.stop = stop;
  }

  /** The folder of a run, as it is told: below the folder of what it is a part of. */
  public static String name(RunRecord run) {
    return RUNS + "/" + run.runId();
  }

  /**
   * Climbs.
   *
   * @param reproduce the command that does the same
   * @param written is told of the run each time that it was written, between two rungs
   * @throws IOException where the run cannot be written
   */
  public RunRecord climb(RunSetup setup, String reproduce, Display display, Consumer<RunRecord> written) throws IOException {
    long startNs = System.nanoTime();
    Preparation prepared = Climbing.prepare(setup);
    Map<String, Map<String, String>> hashes = programs == null ? MeasuredPrograms.of(setup) : programs;
    programs = hashes;
    RunHead head = RunHead.begin(reproduce, prepared, hashes, null);
    RunFolder run = RunFolder.create(folder, RUNS, Instant.now(), RandomGenerator.getDefault());
    try (RunLock lock = RunLock.of(run).take();
        SamplesFile samples = SamplesFile.create(run.file(SamplesFile.NAME), startNs)) {
      RunContext context = new RunContext(setup, run, samples, display, stop, new LoadExporter(), null);
      RunRecord record = new Climb(prepared.plan(), head, context, written).run();
      lock.remove();
      return record;
    }
  }
}
