package echoladder.harness.cli.run;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.compare.Judgement;
import echoladder.harness.engine.Climb;
import echoladder.harness.lab.LabHost;
import echoladder.harness.lab.LabMark;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.run.Budget;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.QuietWait;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ServerBuild;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.Throwaway;
import echoladder.harness.study.Study;
import echoladder.harness.tune.RunJournal;
import echoladder.linux.ErrorText;
import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A climb with all that a user sees of it: signals, the report, the table, the exit status.
 *
 * @param folder of the run, locked
 * @param watch who is shown the run as it grows
 * @param waitQuiet how long it is waited for a quiet host, over all rungs; null = not at all
 * @param times whether the table has all three times
 */
public record Climbing(
    Preparation prepared, RunFolder folder, RunLock lock, WatchOption.Watch watch, @Nullable Duration waitQuiet, boolean times) {
  /**
   * Puts back what killed runs have left, and refuses a study that this host may not be given.
   *
   * @param named as the user did
   * @param onThisHost whether settings may be made for everybody on the host
   */
  static void clear(Study study, String named, boolean onThisHost) {
    refuseBeyondMappings(study);
    restoreKilledRuns();
    Throwaway.check(study, named, onThisHost);
  }

  /** In a lab, before an hour of climbing ends at what its host does not allow. */
  private static void refuseBeyondMappings(Study study) {
    LabHost host = LabHost.told();
    if (host != null) {
      host.refuseBeyondMappings(most(study));
    }
  }

  /** The most connections of any rung. */
  static int most(Study study) {
    return study.rungs().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** Removes temporary files of runs that were killed; says what was put back, and what is in force of runs that go on. */
  public static void restoreKilledRuns() {
    OwnedFolder.sweep();
    RunJournal.restoreKilledRuns().forEach(note -> System.err.println("ladder: " + note));
  }

  /** Plans, looks at the server that is there already, or builds those that say how: once, as a run is of one build. */
  static Preparation prepare(RunSetup setup) {
    Preparation prepared = Preparation.of(setup);
    prepared.plan().refuseWhatCannotBegin();
    if (setup.attached() != null) {
      AttachOptions.look(setup.attached(), setup.study(), setup.sources());
      return prepared;
    }
    if (setup.hosts() != null) {
      return prepared; // Their own control processes build, where the programs are hashed.
    }
    for (Study.Entry entry : setup.study().servers()) {
      ServerManifest manifest = setup.servers().get(entry.server());
      if (manifest != null) {
        ServerBuild.ensure(manifest);
      }
    }
    return prepared;
  }

  /**
   * Climbs.
   *
   * @param startNs CLOCK_MONOTONIC when samples.csv begins
   * @return the exit status
   * @throws Refusal (cannot run) where the folder takes nothing more; what it has stays, and can be resumed
   */
  int climb(RunHead head, long startNs) {
    StopSignal stop = new StopSignal();
    Checkout checkout = prepared.setup().checkout();
    try (UntilSignal until = UntilSignal.stopping(stop);
        SamplesFile samples = samples(startNs)) {
      watch.begins(folder, prepared);
      RunContext context =
          new RunContext(prepared.setup(), folder, samples, watch.display(), stop, watch.metrics(), quiet())
              .with(new Budget(prepared.setup().study().budgetNs(), processStartNs()));
      RunRecord run = new Climb(prepared.plan(), head, context, watch.of(folder)).run();
      ReportFiles.write(folder, run).forEach(note -> System.err.println("ladder: " + note));
      if (run.status() == RunRecord.Status.COMPLETE) {
        lock.remove();
      } else {
        System.err.println("ladder: to go on: ./ladder run --resume " + checkout.display(folder.dir()) + hosts());
      }
      int status = tell(checkout, folder, run, times);
      // Of a run with conditions, one that was stopped fails none of them.
      until.status(status);
      watch.ends(folder, run, status);
      return status;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** CLOCK_MONOTONIC when this process began: the look at the host before the first rung is part of the run. */
  private static long processStartNs() {
    long agoMs = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    return System.nanoTime() - 1_000_000 * Math.max(0, agoMs);
  }

  /** A run on other hosts is gone on with on the same. */
  private String hosts() {
    return prepared.setup().hosts() == null ? "" : " " + HostsOption.NAME + " INVENTORY";
  }

  /** In a lab no time may be quoted. */
  private @Nullable QuietWait quiet() {
    return LabMark.here() != null
        ? null
        : QuietWait.of(waitQuiet, prepared.setup().study().thresholds().stealShareMost(), prepared.setup().hosts());
  }

  private SamplesFile samples(long startNs) throws IOException {
    return Files.exists(folder.file(SamplesFile.NAME))
        ? SamplesFile.append(folder.file(SamplesFile.NAME), startNs)
        : SamplesFile.create(folder.file(SamplesFile.NAME), startNs);
  }

  /** Prints the table and where the report is, and gives the exit status. */
  static int tell(Checkout checkout, RunFolder folder, RunRecord run, boolean times) {
    System.out.print(TerminalTable.of(run, times, Window.onStdout()));
    System.out.println("report: " + checkout.display(folder.file("report.html")));
    System.out.flush();
    return Judgement.status(run);
  }

  /** What is kept is told, and its report written where there is room for that. */
  private Refusal broken(IOException why) {
    if (!Files.exists(folder.file("run.json"))) {
      return Refusal.cannotRun("cannot write the run folder " + folder.dir() + ": " + ErrorText.of(why));
    }
    RunRecord run = folder.read();
    long measured = run.rungs().stream().filter(rung -> rung.status() == RungRecord.Status.MEASURED).count();
    String report = "their report is written";
    try {
      ReportFiles.write(folder, run);
    } catch (IOException e) {
      report = "their report is not, for the same reason (./ladder report writes it)";
    }
    System.out.print(TerminalTable.of(run, times, Window.onStdout()));
    System.out.flush();
    return Refusal.cannotRun(
        ("the run stopped: %s\nThe %d rungs that were measured before are kept in %s; %s.\nOnce it can be written again, go on with:"
            + " ./ladder run --resume %s%s")
            .formatted(ErrorText.of(why), measured, folder.file("run.json"), report,
                prepared.setup().checkout().display(folder.dir()), hosts()));
  }
}
