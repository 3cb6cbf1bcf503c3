package echoladder.harness.claims;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.run.StopSignal;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step as a climb: {@code ./ladder run} in a process of its own, whose folder stays beside the ledger.
 *
 * @param studies the folder of the small studies
 * @param ledger whose folder takes the runs
 * @param timeNs how long one climb may take
 */
record StepClimb(Checkout checkout, Path studies, RunFolder ledger, long timeNs, StopSignal stop) {
  /** A climb that is told to stop has 90 s to write what it has. */
  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(100);

  /** Properties that the ladder's own start gave it, see {@code ./ladder}. */
  private static final String OWN = "echoladder.";

  /** The study of a step. */
  static Path study(Path studies, Claim.Step step) {
    return studies.resolve(step.workload() + ".yaml");
  }

  /**
   * Climbs to the end of it.
   *
   * @param log file that the beginning and the end of its messages and its table are appended to
   * @throws IOException where it cannot be started at all
   */
  StepRun run(Claim claim, Claim.Step step, Claim.Effort effort, int repeat, Path log)
      throws IOException, InterruptedException {
    Path results = ledger.file("runs").resolve(claim.id()).resolve(step.name() + "-r" + repeat);
    List<String> arguments = new ArrayList<>(List.of("run", checkout.display(study(studies, step))));
    arguments.addAll(step.args().getOrDefault(effort, List.of()));
    List<String> shown = new ArrayList<>(List.of("./ladder"));
    shown.addAll(arguments);
    int status = await(arguments, results, log);
    Path folder = folder(results);
    if (folder == null) {
      String why = "it ended with status %d and without a run; see %s".formatted(status, log.getFileName());
      return new StepRun(step.name(), repeat, shown, "failed", why, null, null, null, null);
    }
    RunRecord run = new RunFolder(folder).read();
    ClimbFigures.Climbed climbed = ClimbFigures.of(run);
    String relative = ledger.dir().relativize(folder).toString();
    return new StepRun(
        step.name(), repeat, shown, climbed.endedBy(), climbed.detail(), null, climbed.figures(), relative, null);
  }

  private int await(List<String> arguments, Path results, Path log) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Jdks.java().toString(), "-XX:+UseSerialGC"));
    command.add("--enable-native-access=ALL-UNNAMED");
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith(OWN))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "echoladder.harness.Ladder"));
    command.addAll(arguments);
    command.addAll(List.of("--results", results.toAbsolutePath().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(checkout.root().toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile());
    // A signal to this process alone reaches the climb so, which then stops its servers and keeps what it has.
    try (HeadAndTail said = HeadAndTail.appendedTo(log);
        ChildProcess process = ChildProcess.start(builder, said, null);
        StopSignal.Registration _ = stop.onStop(process::terminate)) {
      if (!process.endsWithin(Duration.ofNanos(timeNs))) {
        process.stop(Duration.ofNanos(GRACE_NS));
      }
      process.drained();
      Integer status = process.status();
      return status == null ? -1 : status;
    }
  }

  /** The one run below; null where it did not come to begin one. */
  private static @Nullable Path folder(Path results) throws IOException {
    if (!Files.isDirectory(results)) {
      return null;
    }
    try (Stream<Path> below = Files.walk(results, 2)) {
      return below.filter(dir -> Files.isRegularFile(dir.resolve("run.json"))).findFirst().orElse(null);
    }
  }
}
