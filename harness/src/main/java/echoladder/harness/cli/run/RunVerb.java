package echoladder.harness.cli.run;

import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.compare.Condition;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.FleetClients;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Mappings;
import echoladder.harness.results.RunFolder;
import echoladder.harness.run.RunSetup;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.KnobsHere;
import echoladder.harness.settings.OwnNetwork;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyFile;
import echoladder.harness.study.StudyReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** {@code ladder run}: climbs a study. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Climb the ladder of a study and write a report.",
    footer = {
      "",
      "Example: the study 'quick', which ends within seven minutes",
      "  ladder run",
      "",
      "Example: two servers of it, by tcpkali",
      "  ladder run quick --servers netty,go-echo --client tcpkali --tcpkali /opt/tcpkali/bin/tcpkali",
      "",
      "Example: users in stages, each stage a twentieth as long",
      "  ladder run heavy-light --set load.stage_scale=0.05",
      "",
      "Example: a server on another host, where './ladder serve netty --host 10.0.0.2 --port 9000",
      "--metrics-port 9100' started it",
      "  ladder run quick --servers netty --attach 10.0.0.2:9000 --server-metrics http://10.0.0.2:9100/metrics",
      "",
      "Example: a server of your own, in any language, that echoes at port 9000",
      "  ladder run --own 'python3 runbooks/echo.py 9000' --port 9000",
      "",
      "Example: whether your change makes an echo dearer, by two builds of your server in pairs, within ten minutes",
      "  ladder run --own 'base/server 9000' --own 'change/server 9000' --port 9000 --fail-if 'B/A server_cpu_us_per_echo > 1.10'",
      "",
      "Example: one published claim measured again, at a smaller size",
      "  ladder run claims --only parked-virtual-1m --quick",
      "",
      "Example: all published claims about what holds a carrier",
      "  ladder run claims --topic pinning",
      "",
      "Example: on the hosts of an Ansible inventory, over ssh",
      "  ladder run async-vs-virtual --hosts deploy/inventory.yml",
      "",
      "Example: go on with a run that was interrupted or killed",
      "  ladder run --resume results/quick/20260101T120000Z-1a2b",
      "",
      "Example: on a shared host, wait before each rung until the host is quiet, for half an hour in all at most",
      "  ladder run memory --wait-quiet 30m",
      "",
      "Example: find the knobs of kernel and runtime that change what an echo costs this server",
      "  sudo ./ladder run tuning --servers virtual-threads",
      "",
      "Example: look at the report in a browser while a long climb runs",
      "  ladder run memory --watch 8080",
      "",
      "Example: for a script, the table alone on stdout, and a line of JSON per phase in a file",
      "  ladder run quick --quiet --events events.jsonl",
      "",
      "Ctrl-C stops everything that the ladder started and keeps what it measured.",
      "Exit status: 0 every rung is valid or saturated, 1 something is invalid or was interrupted, 2 bad study, 3 could not run.",
      "With --fail-if: 0 every condition passes, 1 one fails the run, 4 none fails it and one cannot be told."
    })
public final class RunVerb implements Callable<Integer> {
  /** The options that go with {@code --resume}: they say where a program or page is, not what is climbed. */
  private static final List<String> BESIDE_RESUME =
      Stream.concat(
              Stream.of(
                  "--resume", "--on-this-host", "--watch", "--quiet", "--events", "--wait-quiet", TimesOption.NAME, "--server-metrics",
                  "--allow-target", HostsOption.NAME),
              Stream.concat(StudyOptions.toolOptions().stream(), OwnOptions.NAMES.stream()))
          .toList();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StudyOptions options = new StudyOptions();

  @Mixin private AttachOptions attach = new AttachOptions();

  @Mixin private OwnOptions own = new OwnOptions();

  @Mixin private ClaimsOptions claims = new ClaimsOptions();

  @Mixin private WatchOption watch = new WatchOption();

  @Mixin private WaitQuietOption waitQuiet = new WaitQuietOption();

  @Mixin private TimesOption times = new TimesOption();

  @Mixin private HostsOption hosts = new HostsOption();

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Create the run's folder as DIR/STUDY/RUN-ID. Default: results/ of the checkout.")
  private @Nullable Path results;

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description =
          "Go on with a run that was interrupted or killed, named by its folder or its id: climb the rungs that it does not have. "
          + "Study and settings are the run's. These options may be given too: where a load tool's program is, --watch, --quiet, "
          + "--events, --wait-quiet, --times, --hosts, --allow-target and --server-metrics (the run does not keep a user name and "
          + "password). The options of a server of your own must be given again.")
  private @Nullable Path resume;

  @Option(
      names = "--on-this-host",
      description = "Study of knobs (tuning): set its kernel settings on this host itself, each while its entry is measured, and put the"
          + " old values back. After a crash, 'tune restore' puts them back. Without this option the run sets them in a network"
          + " namespace of its own and leaves out settings that have one value for the whole host.")
  private boolean onThisHost;

  @Override
  public Integer call() {
    Checkout checkout = Checkout.find();
    waitQuiet.check();
    if (resume != null) {
      refuseBesideResume();
      ResumedClimb.Given given = new ResumedClimb.Given(watch, waitQuiet, attach, hosts, own, times, onThisHost);
      Map<String, ServerManifest> all = own.among(ServerManifest.all(checkout), attach);
      return new ResumedClimb(checkout, all, options.clients(), given, this::inLab, this::goOn).resume(resume);
    }
    if (own.two()) {
      options.ofTwo();
    }
    Path parent = results == null ? checkout.results() : results.toAbsolutePath();
    StudyFile file = StudyFile.named(checkout, options.study());
    if (file.ofClaims()) {
      waitQuiet.refuse(options.study());
      watch.refuse(options.study());
      hosts.refuseBeside("a study of claims, as '" + options.study() + "' is one", true,
          "claims are measured on one host; leave " + HostsOption.NAME + " out");
      own.refuseOfClaims(options.study());
      Climbing.restoreKilledRuns();
      return claims.run(checkout, file, options.study(), parent, options.ofClaims(), options.jdks());
    }
    claims.refuse(options.study());
    Map<String, ServerManifest> servers = own.among(ServerManifest.all(checkout), attach);
    StudyReader reader = new StudyReader(checkout, servers);
    Study read = own.into(placed(reader.read(file, options.selection())), servers, options.selection());
    var _ = Condition.of(read);
    own.refuseBeside(attach);
    Attachment attached = attach.attachment(read, servers, own.push());
    refuseBesideHosts(read, attached != null);
    RunFolder.refuseUnwritable(parent);
    InstalledClients clients = options.clients();
    try (WatchOption.Watch watching = watch.open(read.lab() != null || LabMark.here() != null);
        Fleet fleet = hosts.open(checkout, clients)) {
      if (read.lab() != null && LabMark.here() == null) {
        return inLab(read, read.lab(), parent, attached != null);
      }
      own.look(watching::say);
      RunSetup setup =
          new RunSetup(
              checkout, read, servers, fleet == null ? clients : new FleetClients(fleet, clients), attached, attach.sources(), fleet);
      Beginning beginning = beginning(parent, watching);
      return read.tuned().isEmpty()
          ? beginning.begin(setup, options.selection()).status()
          : beginning.stages(checkout, servers).run(read, options.selection());
    }
  }

  private Beginning beginning(Path parent, WatchOption.Watch watching) {
    return new Beginning(options, attach, own, hosts, waitQuiet, times.wanted(), onThisHost, parent, watching);
  }

  /** Climbs what comes after a run of knobs that was resumed to its end, by the options of the command that began it. */
  private int goOn(KnobStages.Climbed ended, WatchOption.Watch watching) {
    RunVerb begun = Beginning.by(ended.folder().read().reproduce());
    begun.onThisHost = onThisHost;
    Checkout checkout = Checkout.find();
    Path parent = ended.folder().dir().toAbsolutePath().resolve("../..").normalize();
    return begun.beginning(parent, watching).stages(checkout, ServerManifest.all(checkout)).after(ended, begun.selection());
  }

  /** What of the study is climbed. */
  Selection selection() {
    return options.selection();
  }

  /** In the network namespace that it needs: a study of knobs without the knobs that cannot be told there, any other as it is. */
  private Study placed(Study read) {
    BesideNetwork.refuse(read, hosts.given(), attach, own, onThisHost);
    if (onThisHost && read.tuned().isEmpty()) {
      throw Refusal.badUsage("--on-this-host: study '" + read.name() + "' sets no knobs; the option goes with 'tuning'");
    }
    if (OwnNetwork.neededBy(read, onThisHost)) {
      enterNetwork();
    }
    boolean inLabLater = read.lab() != null && !LabMark.inside();
    return read.tuned().isEmpty() || inLabLater ? read : KnobsHere.of(read, onThisHost, !options.knobs.isEmpty());
  }

  private void enterNetwork() {
    if (spec.commandLine().getParseResult().hasMatchedOption("--watch")) {
      throw Refusal.badUsage(
          "--watch: this run has a network namespace of its own, and nothing outside reaches its loopback; leave --watch out: the"
              + " report is written at the end");
    }
    OwnNetwork.enter();
  }

  private void refuseBesideHosts(Study read, boolean attached) {
    String leaveOut = "; leave " + HostsOption.NAME + " out";
    hosts.refuseBeside("--attach", attached,
        "a run on hosts starts its servers itself" + leaveOut + " to load a server that somebody else started");
    hosts.refuseBeside("--own", own.given(),
        "the hosts do not know that command; write a server.yaml for it in the ladder of each host (servers/README.md)");
    hosts.refuseBeside("--source-address", !attach.sources().isEmpty(),
        "the inventory names those of each host (echo_ladder_source_addresses)");
    hosts.refuseBeside("a study of a lab, as '" + options.study() + "' is one", read.lab() != null,
        "a lab is a kernel on one host" + leaveOut);
    hosts.refuseBeside(
        "a study of knobs, as '" + options.study() + "' is one", !read.tuned().isEmpty(),
        "only the ladder's own host has its knobs set" + leaveOut);
  }

  /** Refuses options that would change what the run measures: it was settled when the run began. */
  private void refuseBesideResume() {
    CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
    List<String> others = new ArrayList<>();
    parsed.matchedPositionals().forEach(positional -> others.add(positional.paramLabel()));
    parsed.matchedOptions().forEach(option -> others.add(option.longestName()));
    others.removeAll(BESIDE_RESUME);
    if (!others.isEmpty()) {
      throw Refusal.badUsage(
          "--resume goes on with the run's own study and settings, so leave out: %s"
              .formatted(String.join(", ", others)));
    }
  }

  /** Runs this command again, inside the lab that the study asks for. */
  private int inLab(Study study, Study.Lab lab, Path parent, boolean attached) {
    String name = study.name();
    if (attached) {
      throw Refusal.badUsage(
          "study '%s' is climbed in a lab. A lab has only its own loopback, so --attach reaches no server from there: leave it out"
              .formatted(name));
    }
    System.err.println("ladder: study '" + name + "' needs limits that it can change: it is climbed in a lab");
    return inLab(lab.memoryBytes(), Duration.ofNanos(lab.timeoutNs()), parent, study);
  }

  private int inLab(long memoryBytes, Duration timeout, Path results, Study study) {
    List<String> command = new ArrayList<>();
    command.add(Checkout.find().root().resolve("ladder").toString());
    command.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return LabVerb.run(
        memoryBytes, timeout, command, List.of(results), LabOptions.written(LabVerb.DEFAULT_WRITTEN), Mappings.of(Climbing.most(study)),
        LabVerb.profile());
  }
}
