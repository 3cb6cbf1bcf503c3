package echoladder.harness.cli;

import echoladder.harness.cli.run.InnerRuns;
import echoladder.harness.client.Clients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.Display;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.soak.ShortRungs;
import echoladder.harness.soak.SoakRun;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import echoladder.linux.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The two rungs of go-echo in the study 'smoke', twice, hardly warmed up. A run's folder is removed where nothing was wrong. */
final class SmokeRungs implements ShortRungs {
  private static final String STUDY = "smoke";
  private static final Selection SHORT =
      new Selection(
          null, List.of("go-echo"), Stream.of("repeats=2", "phases.warm_up_max=1s", "phases.drain=1s").map(YamlSetting::parse).toList());

  private final Checkout checkout;
  private final Map<String, ServerManifest> servers;
  private final Clients clients;
  private final Path folder;
  private final InnerRuns runs;
  private final Display display = Display.onStderr(true, null);

  /** In that folder, until the signal to stop. */
  SmokeRungs(Checkout checkout, Map<String, ServerManifest> servers, Clients clients, Path folder, StopSignal stop) {
    this.checkout = checkout;
    this.servers = servers;
    this.clients = clients;
    this.folder = folder;
    this.runs = new InnerRuns(folder, stop);
  }

  /** Counts the rungs that are in the record. */
  private static final class Between {
    private final Runnable then;
    private int seen;

    Between(Runnable then) {
      this.then = then;
    }

    void written(RunRecord run) {
      if (run.rungs().size() > seen) {
        seen = run.rungs().size();
        then.run();
      }
    }
  }

  @Override
  public Climbed climb(Runnable between) throws IOException {
    Study study = new StudyReader(checkout, servers).read(STUDY, SHORT);
    RunSetup setup = new RunSetup(checkout, study, servers, clients, null, List.of());
    RunRecord run = runs.climb(setup, "./ladder run " + STUDY + SHORT.asOptions(), display, new Between(between)::written);
    List<RungRecord> measured = run.rungs().stream().filter(rung -> rung.status() == RungRecord.Status.MEASURED).toList();
    List<String> wrong = new ArrayList<>();
    int lacking = run.rungs().size() - measured.size();
    if (run.status() == RunRecord.Status.COMPLETE && lacking > 0) {
      wrong.add("%d of %d rungs were not measured: %s".formatted(lacking, run.rungs().size(), InnerRuns.name(run)));
    }
    for (RungRecord rung : measured) {
      Objects.requireNonNull(rung.load()).verdictReasons().stream()
          .filter(SoakRun::counts)
          .forEach(doubt -> wrong.add("%s: %s".formatted(InnerRuns.name(run), doubt.detail())));
    }
    if (wrong.isEmpty()) {
      Folders.delete(folder.resolve(InnerRuns.name(run)));
    }
    return new Climbed(measured.size(), wrong);
  }
}
