package echoladder.harness.cli;

import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import echoladder.harness.lab.LabMark;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.run.ClientCheck;
import echoladder.harness.run.Climb;
import echoladder.harness.run.Display;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.Throwaway;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ladder run}: climbs a study. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Climb the ladder of a study and write a report.",
    footer = {
      "",
      "Example: the study 'quick', which ends within 6 minutes on two cores",
      "  ladder run",
      "",
      "Example: two servers of it, by tcpkali",
      "  ladder run quick --servers netty,go-echo --client tcpkali --tcpkali /opt/tcpkali/bin/tcpkali",
      "",
      "Example: a quick look at users in stages, at a twentieth of their time",
      "  ladder run heavy-light --set load.stage_scale=0.05",
      "",
      "Example: a server that was started on another host, by './ladder serve netty --host 10.0.0.2 --port 9000",
      "--metrics-port 9100' there",
      "  ladder run quick --servers netty --attach 10.0.0.2:9000 --server-metrics http://10.0.0.2:9100/metrics",
      "",
      "Example: one published claim measured again, at a smaller size",
      "  ladder run claims --only parked-memory --quick",
      "",
      "Ctrl-C stops everything that was started and keeps what was measured.",
      "Exit status: 0 every rung is valid, 1 something is invalid or was interrupted, 2 bad study, 3 could not run."
    })
public final class RunVerb implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StudyOptions options = new StudyOptions();

  @Mixin private AttachOptions attach = new AttachOptions();

  @Mixin private ClaimsOptions claims = new ClaimsOptions();

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Where the run's folder is created, as DIR/STUDY/RUN-ID. Default: results/ of the checkout.")
  private @Nullable Path results;

  @Override
  public Integer call() {
    Checkout checkout = Checkout.find();
    Path parent = results == null ? checkout.results() : results.toAbsolutePath();
    Path file = StudyReader.locate(checkout, options.study);
    if (ClaimsFile.is(YamlTree.read(file, checkout.display(file)))) {
      return claims.run(checkout, file, options.study, parent, options.selection());
    }
    claims.refuse(options.study);
    Map<String, ServerManifest> servers = ServerManifest.all(checkout);
    Study read = new StudyReader(checkout, servers).read(options.study, options.selection());
    Attachment attached = attach.attachment(read);
    if (read.lab() != null && LabMark.here() == null) {
      return inLab(checkout, read.name(), read.lab(), attached != null);
    }
    InstalledClients clients = options.clients();
    Throwaway.check(read, options.study);
    Preparation prepared = Preparation.of(read, servers, clients, attached, attach.sources());
    ClientCheck.refuseWhatCannotBegin(prepared.plan());
    if (attached != null) {
      attach.look(attached, read);
    }
    RunFolder folder = RunFolder.create(parent, read.name(), Instant.now(), RandomGenerator.getDefault());
    StopSignal stop = new StopSignal();
    try (UntilSignal _ = UntilSignal.stopping(stop);
        SamplesFile samples = new SamplesFile(folder.file("samples.csv"), System.nanoTime())) {
      Climb climb =
          new Climb(
              checkout,
              read,
              servers,
              folder,
              samples,
              clients,
              clients.openLoop(),
              "./ladder run " + options.study + options.selection().asOptions() + attach.asOptions(),
              Display.onStderr(),
              stop,
              prepared);
      RunRecord run = climb.run();
      ReportFiles.write(folder, run);
      System.out.print(TerminalTable.of(run, Colours.onStdout()));
      System.out.println("report: " + checkout.display(folder.file("report.html")));
      System.out.flush();
      return run.asExpected() ? 0 : 1;
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the run folder " + folder.dir() + ": " + e.getMessage());
    }
  }

  /** The same command again, inside the lab that the study asks for. */
  private int inLab(Checkout checkout, String name, Study.Lab lab, boolean attached) {
    if (attached) {
      throw Refusal.badUsage(
          "study '%s' is climbed in a lab, which has no network but its own loopback: nothing outside can be attached to"
              .formatted(name));
    }
    System.err.println("ladder: study '" + name + "' needs limits that can be moved: it is climbed in a lab");
    List<String> command = new ArrayList<>();
    command.add(checkout.root().resolve("ladder").toString());
    command.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return LabVerb.run(lab.memoryBytes(), Duration.ofNanos(lab.timeoutNs()), command);
  }
}
