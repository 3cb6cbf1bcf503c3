package echoladder.harness.cli;

import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.run.Climb;
import echoladder.harness.run.Display;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ServerBuild;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/**
 * A climb with all that a user sees of it: signals, the report, the table, the exit status.
 *
 * @param folder of the run, locked
 * @param watch who is shown the run as it grows
 */
record Climbing(
    Checkout checkout,
    Map<String, ServerManifest> servers,
    InstalledClients clients,
    Study study,
    Preparation prepared,
    RunFolder folder,
    RunLock lock,
    WatchOption.Watch watch) {

  /** Builds those of the study's servers that say how. Once for all rungs: a run is of one build. */
  static void build(Study study, Map<String, ServerManifest> servers) {
    for (Study.Entry entry : study.servers()) {
      ServerManifest manifest = servers.get(entry.server());
      if (manifest != null) {
        ServerBuild.ensure(manifest);
      }
    }
  }

  /**
   * Climbs.
   *
   * @param startNs CLOCK_MONOTONIC at the beginning of the run
   * @return the exit status
   * @throws Refusal (cannot run) where the folder takes nothing more; what it has stays, and can be resumed
   */
  int climb(RunHead head, long startNs) {
    StopSignal stop = new StopSignal();
    try (UntilSignal _ = UntilSignal.stopping(stop);
        SamplesFile samples = samples(startNs)) {
      Climb climb =
          new Climb(
              checkout, study, servers, folder, samples, clients, clients.openLoop(), Display.onStderr(), stop, prepared,
              head, watch.of(folder), watch.metrics());
      RunRecord run = climb.run();
      ReportFiles.write(folder, run).forEach(note -> System.err.println("ladder: " + note));
      if (run.status() == RunRecord.Status.COMPLETE) {
        lock.remove();
      } else {
        System.err.println("ladder: to go on: ./ladder run --resume " + checkout.display(folder.dir()));
      }
      return tell(checkout, folder, run);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private SamplesFile samples(long startNs) throws IOException {
    return Files.exists(folder.file(SamplesFile.NAME))
        ? SamplesFile.append(folder.file(SamplesFile.NAME), startNs)
        : SamplesFile.create(folder.file(SamplesFile.NAME), startNs);
  }

  /** Prints the table and where the report is, and gives the exit status. */
  static int tell(Checkout checkout, RunFolder folder, RunRecord run) {
    System.out.print(TerminalTable.of(run, Colours.onStdout()));
    System.out.println("report: " + checkout.display(folder.file("report.html")));
    System.out.flush();
    return run.asExpected() ? 0 : 1;
  }

  /** What is kept is told, and its report written where there is room for that. */
  private Refusal broken(IOException why) {
    if (!Files.exists(folder.file("run.json"))) {
      return Refusal.cannotRun("cannot write the run folder " + folder.dir() + ": " + why.getMessage());
    }
    RunRecord run = folder.read();
    long measured = run.rungs().stream().filter(rung -> rung.status() == RungRecord.Status.MEASURED).count();
    String report = "their report is written";
    try {
      ReportFiles.write(folder, run);
    } catch (IOException e) {
      report = "their report is not, for the same reason (./ladder report writes it)";
    }
    System.out.print(TerminalTable.of(run, Colours.onStdout()));
    System.out.flush();
    return Refusal.cannotRun(
        "the run stopped: %s\nThe %d rungs that were measured before are kept in %s; %s.\nOnce it can be written again, go on with: ./ladder run --resume %s"
            .formatted(why.getMessage(), measured, folder.file("run.json"), report, checkout.display(folder.dir())));
  }
}
