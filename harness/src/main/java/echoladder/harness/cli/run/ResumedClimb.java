package echoladder.harness.cli.run;

import echoladder.harness.client.Clients;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.FleetClients;
import echoladder.harness.lab.LabMark;
import echoladder.harness.report.Publication;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.results.AttachedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord;
import echoladder.harness.resume.Resumption;
import echoladder.harness.run.MeasuredPrograms;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.ServerTrial;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.OwnNetwork;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyAgain;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code ladder run --resume}: the rungs that a run does not have yet.
 *
 * @param given the options beside it
 * @param inLab runs the same command again in a lab of that memory, for at most that long
 * @param goOn climbs the further stages of a study of knobs
 */
record ResumedClimb(
    Checkout checkout, Map<String, ServerManifest> servers, InstalledClients clients, Given given, InLab inLab, GoOn goOn) {

  /**
   * The options that go with {@code --resume}.
   *
   * @param watch who is shown the run as it grows
   * @param waitQuiet how long it is waited for a quiet host
   * @param attach its page may have brought a user name and password; its hosts are, by this command line and not the run's
   *     record, the user's to load
   * @param hosts the inventory of a run on other hosts
   * @param own the server of the user's own that the run had, told again
   * @param times whether the table has all three times
   * @param onThisHost whether settings of a study of knobs may be made for everybody on the host
   */
  record Given(
      WatchOption watch, WaitQuietOption waitQuiet, AttachOptions attach, HostsOption hosts, OwnOptions own, TimesOption times,
      boolean onThisHost) {}

  /** Climbs what comes after a run of knobs that has come to its end. */
  @FunctionalInterface
  interface GoOn {
    int after(KnobStages.Climbed ended, WatchOption.Watch watching);
  }

  /** Runs this command again in a lab: its memory, its time, where its results go, what it climbs. */
  @FunctionalInterface
  interface InLab {
    int run(long memoryBytes, Duration timeout, Path results, Study study);
  }

  /** Resumes the run of that folder or id; gives the exit status. */
  int resume(Path named) {
    RunFolder folder = RunArgument.folder(named);
    if (!folder.hasRecord()) {
      throw Refusal.badUsage(
          folder.dir() + " has no run.json: it is no run's folder, or its run was ended before it had begun; nothing was "
              + "measured, so begin it anew with ./ladder run STUDY");
    }
    try {
      RunRecord seen = folder.read();
      if (seen.status() == RunRecord.Status.COMPLETE) {
        return complete(folder);
      }
      enterNetwork(seen.study());
      try (RunLock lock = RunLock.of(folder)) {
        // Read again, as its harness may have come to the end until it could be locked.
        RunRecord run = folder.read();
        if (run.status() == RunRecord.Status.COMPLETE) {
          return complete(folder);
        }
        try (WatchOption.Watch watching = given.watch.open(Resumption.labMemory(run) != null)) {
          return resume(folder, run, lock, watching);
        }
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the run folder " + folder.dir() + ": " + ErrorText.of(e));
    }
  }

  private int complete(RunFolder folder) throws IOException {
    RunRecord run = folder.read();
    boolean here = (Resumption.labMemory(run) == null) == (LabMark.here() == null);
    boolean own = here && !folder.files().has(Publication.LIST);
    boolean goesOn = !run.study().tuned().isEmpty() && own && KnobStages.goesOn(run);
    Optional<RunFolder> next = goesOn ? KnobStages.begunAfter(folder, run) : Optional.empty();
    if (goesOn && next.isEmpty()) {
      enterNetwork(run.study()); // It starts this process anew, so nothing is said before.
    }
    System.err.println("ladder: run " + run.runId() + " is complete: there is nothing to resume");
    next.ifPresent(stage -> System.err.println("ladder: its next stage was begun: ./ladder run --resume " + checkout.display(stage.dir())));
    if (!Files.exists(folder.file("report.html"))) {
      // Its harness was killed in between.
      ReportFiles.write(folder, run);
    }
    int status = Climbing.tell(checkout, folder, run, given.times.wanted());
    if (!goesOn || next.isPresent()) {
      return status;
    }
    try (WatchOption.Watch watching = given.watch.open(LabMark.here() != null)) {
      return goOn.after(new KnobStages.Climbed(status, folder), watching);
    }
  }

  private void enterNetwork(Study study) {
    if (OwnNetwork.neededBy(study, given.onThisHost)) {
      OwnNetwork.enter();
    }
  }

  private int resume(RunFolder folder, RunRecord run, RunLock lock, WatchOption.Watch watching) throws IOException {
    Resumption.endOrphans(lock.previous(), note -> System.err.println("ladder: " + note));
    lock.take();
    Study study = run.study();
    given.own.refuseAnother(run);
    StudyAgain.check(study, servers);
    Long labMemory = Resumption.labMemory(run);
    if (labMemory != null && LabMark.here() == null) {
      System.err.println("ladder: run " + run.runId() + " was made in a lab: it is resumed in one");
      return inLab.run(
          labMemory,
          study.lab() == null ? LabOptions.timeout(LabVerb.DEFAULT_TIMEOUT) : Duration.ofNanos(study.lab().timeoutNs()),
          folder.dir(),
          study);
    }
    given.own.look(watching::say);
    Climbing.clear(study, study.name(), given.onThisHost);
    try (Fleet fleet = given.hosts.again(checkout, clients, run.environment())) {
      Clients there = fleet == null ? clients : new FleetClients(fleet, clients);
      return resume(
          folder, run, lock, watching,
          new RunSetup(checkout, study, servers, there, attachment(run.attached()), run.sourceAddresses(), fleet));
    }
  }

  private int resume(RunFolder folder, RunRecord run, RunLock lock, WatchOption.Watch watching, RunSetup setup) throws IOException {
    Study study = setup.study();
    Resumption resumption = Resumption.of(setup, folder, run, MeasuredPrograms.of(setup));
    Preparation prepared = Climbing.prepare(setup);
    ServerTrial.of(setup, List.of(), watching::say, WatchOption.Watch::warn);
    Resumption.Begun begun = resumption.begin(prepared.plan());
    String of = study.capacity() == null ? "of %d rungs ".formatted(prepared.plan().rungs().size()) : "tries ";
    watching.say("run %s is resumed: %d %sare kept".formatted(run.runId(), begun.head().kept().size(), of));
    begun.measuredAgain().forEach(why -> System.err.println("ladder: a rung is measured again, as its log is not whole: " + why));
    resumption.differences().forEach(
        d -> System.err.printf("ladder: since it began %s has become '%s', from '%s'%n", d.name(), d.now(), d.begun()));
    int status = new Climbing(prepared, folder, lock, watching, given.waitQuiet.most(), given.times.wanted())
        .climb(begun.head(), begun.startNs());
    return study.tuned().isEmpty() ? status : goOn.after(new KnobStages.Climbed(status, folder), watching);
  }

  private @Nullable Attachment attachment(@Nullable AttachedRecord record) {
    URI page = given.attach.page();
    if (page != null && (record == null || !page.toString().equals(record.serverMetrics()))) {
      throw Refusal.badUsage(
          "--server-metrics " + page + " is not the page of the run, which "
              + (record == null ? "started its servers itself" : "had " + record.serverMetrics()));
    }
    return record == null ? null : AttachOptions.again(record, given.attach.allowed());
  }
}
