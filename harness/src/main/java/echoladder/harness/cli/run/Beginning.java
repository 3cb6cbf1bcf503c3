package echoladder.harness.cli.run;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.ShellWords;
import echoladder.harness.lab.LabMark;
import echoladder.harness.probe.GapMeter;
import echoladder.harness.report.text.PlanTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.run.MeasuredPrograms;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.ServerTrial;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.KnobsHere;
import echoladder.harness.study.Selection;
import echoladder.harness.study.StudyFile;
import echoladder.harness.study.StudyReader;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import picocli.CommandLine;

/**
 * Begins runs, by the options of a command line.
 *
 * @param times whether the table has all three times
 * @param onThisHost whether settings of a study of knobs may be made for everybody on the host
 * @param parent of the studies' folders
 */
record Beginning(
    StudyOptions options,
    AttachOptions attach,
    OwnOptions own,
    HostsOption hosts,
    WaitQuietOption waitQuiet,
    boolean times,
    boolean onThisHost,
    Path parent,
    WatchOption.Watch watching) {

  /** Climbs a study in a folder of its own. */
  KnobStages.Climbed begin(RunSetup setup, Selection selection) {
    // On other hosts none is made: the plan refuses what would make one.
    Climbing.clear(setup.study(), options.study(), onThisHost || setup.hosts() != null);
    Preparation prepared = Climbing.prepare(setup);
    watching.say("planned: " + PlanTable.total(setup.study(), prepared.plan()));
    String reproduce =
        "./ladder run " + options.study() + selection.asOptions() + attach.asOptions() + own.asOptions() + hosts.asOptions()
            + waitQuiet.asOptions() + (onThisHost ? " --on-this-host" : "");
    // In a lab no time may be quoted; of other hosts this one's gaps say nothing.
    boolean noTimes = LabMark.here() != null || setup.hosts() != null;
    RunHead head;
    try (BeforeTheClimb _ = new BeforeTheClimb()) {
      List<String> added = StudyFile.named(setup.checkout(), options.study()).without(setup.study());
      ServerTrial.of(setup, added, watching::say, WatchOption.Watch::warn);
      Map<String, Object> gaps = noTimes ? null : GapMeter.read(watching::say, WatchOption.Watch::warn, waitQuiet.remedy());
      head = RunHead.begin(reproduce, prepared, MeasuredPrograms.of(setup), gaps).withUnitCosts(setup, watching::say);
    }
    RunFolder folder = RunFolder.create(parent, setup.study().name(), Instant.now(), RandomGenerator.getDefault());
    try (RunLock lock = RunLock.of(folder).take()) {
      int status = new Climbing(prepared, folder, lock, watching, waitQuiet.most(), times).climb(head, System.nanoTime());
      return new KnobStages.Climbed(status, folder);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the run folder " + folder.dir() + ": " + ErrorText.of(e));
    }
  }

  /** The stages of a study of knobs, each of which is begun so. */
  KnobStages stages(Checkout checkout, Map<String, ServerManifest> servers) {
    StudyReader reader = new StudyReader(checkout, servers);
    StudyFile file = StudyFile.named(checkout, options.study());
    return new KnobStages(
        again -> KnobsHere.of(reader.read(file, again), onThisHost, true),
        (study, selection) -> {
          Attachment attached = attach.attachment(study, servers, own.push());
          return begin(new RunSetup(checkout, study, servers, options.clients(), attached, attach.sources()), selection);
        },
        watching::say);
  }

  /**
   * The options of a command that a run recorded.
   *
   * @throws Refusal (could not run) where this ladder does not take it
   */
  static RunVerb by(String command) {
    RunVerb begun = new RunVerb();
    try {
      List<String> words = ShellWords.of(command);
      new CommandLine(begun).parseArgs(words.subList(words.indexOf("run") + 1, words.size()).toArray(String[]::new));
      return begun;
    } catch (CommandLine.ParameterException | IllegalArgumentException e) {
      throw Refusal.cannotRun(
          "the run is complete, and what comes after it cannot be begun: it was begun by '%s', which this ladder does not take (%s)"
              .formatted(command, ErrorText.of(e)));
    }
  }
}
