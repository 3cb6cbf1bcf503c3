package echoladder.harness.cli.tune;

import echoladder.harness.cli.run.InnerRuns;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.minimal.Lift;
import echoladder.harness.minimal.MinimalSet;
import echoladder.harness.minimal.Tried;
import echoladder.harness.minimal.TryLog;
import echoladder.harness.minimal.TryQuestion;
import echoladder.harness.results.RunRecord;
import echoladder.harness.run.Display;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyFile;
import echoladder.harness.study.StudyReader;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers by climbs whether sets of lifts hold the connections: a run of one rung for each set that the log does not have. */
final class MinimalClimbs implements MinimalSet.Oracle<Lift> {
  /** The signal came; what was tried before is in the log. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Checkout checkout;
  private final TryQuestion question;
  private final Path folder;
  private final TryLog log;
  private final StopSignal stop;
  private final Map<String, ServerManifest> servers;
  private final InnerRuns runs;

  MinimalClimbs(Checkout checkout, TryQuestion question, Path folder, TryLog log, StopSignal stop) {
    this.checkout = checkout;
    this.question = question;
    this.folder = folder;
    this.log = log;
    this.stop = stop;
    this.servers = ServerManifest.all(checkout);
    this.runs = new InnerRuns(folder, stop);
  }

  @Override
  public MinimalSet.Answer ask(List<Lift> set) {
    List<String> with = set.stream().map(Lift::name).toList();
    Tried known = log.decided(with).orElse(null);
    if (known != null) {
      say(with, known, " (tried before)");
      return known.answer();
    }
    if (stop.requested()) {
      throw new Stopped();
    }
    Tried tried = log.counted(climb(set, with));
    log.add(tried);
    say(with, tried, "");
    return tried.answer();
  }

  private void say(List<String> with, Tried tried, String more) {
    System.err.printf(
        "ladder: try %d with %s: %s%s%n",
        log.all().indexOf(tried) + 1,
        with.isEmpty() ? "none" : with.size() == question.lifts().size() ? "all " + with.size() : String.join(", ", with),
        tried.words(question.connections()),
        more);
  }

  private Tried climb(List<Lift> set, List<String> with) {
    long startNs = System.nanoTime();
    try {
      Path file = folder.resolve("try-%03d.yaml".formatted(log.all().size() + 1));
      Files.writeString(file, question.study(set));
      Study study = new StudyReader(checkout, servers).read(StudyFile.at(checkout, file), Selection.ALL);
      RunSetup setup = new RunSetup(checkout, study, servers, clients(question.clientWrapper(set)), null, List.of());
      RunRecord run = runs.climb(setup, "./ladder run " + checkout.display(file), Display.onStderr(), _ -> {});
      if (run.status() != RunRecord.Status.COMPLETE) {
        throw new Stopped();
      }
      return Tried.of(with, run, InnerRuns.name(run), (System.nanoTime() - startNs) / 1e9);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the tries to %s: %s; those before it are kept".formatted(folder, ErrorText.of(e)));
    }
  }

  private static InstalledClients clients(List<String> wrapper) {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(InstalledClients.here().openLoop());
    return new InstalledClients(command, Map.of());
  }
}
