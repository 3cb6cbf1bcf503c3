package echoladder.harness.cli.tune;

import echoladder.harness.cli.run.Climbing;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.lab.LabHost;
import echoladder.harness.lab.LabMark;
import echoladder.harness.minimal.Lift;
import echoladder.harness.minimal.Lifts;
import echoladder.harness.minimal.Settable;
import echoladder.harness.minimal.Start;
import echoladder.harness.minimal.TryLog;
import echoladder.harness.minimal.TryQuestion;
import echoladder.harness.results.RunFolder;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.tune.SettingsProfile;
import echoladder.harness.tune.SysTree;
import echoladder.linux.ErrorText;
import echoladder.openloop.command.AmountOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code ladder tune minimal}: which settings does a host need for N connections, and which not. */
@Command(
    name = "minimal",
    sortOptions = false,
    description = {
      "Find the settings that N connections to a server need here: lift what the doctor says is too low, climb to N, then take "
          + "settings away (delta debugging) until without any one of the rest the climb ends.",
      "The profile that this prints has with each setting what happened without it: how many connections were reached, and the "
          + "limit that the run names. Each try is a run with one rung. Ctrl-C keeps the tries; the same command goes on with them."
    },
    footer = {
      "",
      "Example: which settings 100,000 virtual threads need, found in a throwaway kernel with that kernel's own settings",
      "  ladder lab --as-booted --memory 8G -- ./ladder tune minimal --connections 100000 --server virtual-threads --from nofile=4096",
      "",
      "Example: which lines of a profile from elsewhere matter here, in a network namespace that has nothing but loopback",
      "  unshare --net sh -c 'ip link set lo up; ./ladder tune minimal --connections 10000 --server netty --profile theirs.conf'",
      "",
      "Exit status: 0 found, or nothing is needed; 1 N was not held, or something stayed undecided, or it was stopped;",
      "2 bad usage; 3 something cannot be set here, and nothing was changed."
    })
final class MinimalVerb implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @ParentCommand private @Nullable TuneVerb tune;

  @Option(
      names = "--connections",
      required = true,
      paramLabel = "N",
      converter = AmountOption.Count.class,
      description = "How many, from 1 to 10000000, e.g. 100k.")
  private int connections;

  @Option(names = "--server", required = true, paramLabel = "NAME", description = "Which server.")
  private String server = "";

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description = "Start from every line of this profile that would change something: a name in sysctl/, or the path of a .conf "
          + "file. Default: from what the doctor says is too low, with the values of the profile for N.")
  private @Nullable String profile;

  @Option(
      names = "--from",
      paramLabel = "KEY=VALUE",
      description = "Take this as what the host has without any lift; repeatable. KEY is a kernel setting, nofile (the server's "
          + "descriptors) or backlog (the server's --backlog). Default: what is in force.")
  private List<String> from = new ArrayList<>();

  @Option(
      names = "--source-address",
      paramLabel = "IP",
      split = ",",
      description = "Connect from these addresses alone, as a client on another host would. Default: as many of 127.0.0.0/8 as it "
          + "takes, which leaves the port range without effect.")
  private List<String> sources = new ArrayList<>();

  @Option(names = "--connect-rate", paramLabel = "RATE", description = "Of the ramp. Default: 5000/s, in a lab 2000/s.")
  private @Nullable String connectRate;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      description = "Until a connection has had its first echo; beyond it the connection is missing. Default: 10s, in a lab 60s.")
  private @Nullable String connectTimeout;

  @Option(names = "--leave", paramLabel = "KEY", split = ",", description = "Leave these settings as they are; they are not tried.")
  private List<String> leave = new ArrayList<>();

  @Option(
      names = "--on-this-host",
      description = "Also make settings that everybody on this host has too. A journal has the old values; 'tune restore' puts them "
          + "back after a kill.")
  private boolean onThisHost;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the profile there too; an existing file is refused.")
  private @Nullable Path out;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Where the tries are kept, as DIR/tune-minimal/SERVER-N-HASH. Default: results/ of the checkout.")
  private @Nullable Path results;

  @Override
  public Integer call() {
    refuseBadUsage();
    Checkout checkout = Checkout.find();
    ServerManifest manifest = manifest(checkout);
    LabHost behind = LabHost.told();
    if (behind != null) {
      behind.refuseBeyondMappings(connections);
    }
    Start start = Start.parse(from);
    Climbing.restoreKilledRuns();
    HostFacts here = HostFactsReader.read();
    Lifts lifts = lifts(checkout, manifest, start, start.of(here));
    refuse(lifts, here);
    TryQuestion question = new TryQuestion(server, connections, rate(), timeout(), sources, kept(lifts.all()));
    Path parent = results == null ? checkout.results() : results.toAbsolutePath();
    RunFolder.refuseUnwritable(parent);
    Path folder = parent.resolve("tune-minimal").resolve(question.folder(where()));
    try (TryLog log = TryLog.open(folder)) {
      System.err.printf(
          "ladder: %,d connections to %s; %d settings may be needed: %s%n",
          connections, server, question.lifts().size(), question.lifts().stream().map(Lift::words).collect(Collectors.joining(", ")));
      String kept = log.all().isEmpty() ? "" : ", which has %d".formatted(log.all().size());
      System.err.println("ladder: the tries are kept in " + checkout.display(folder) + kept);
      return new MinimalSearch(checkout, question, folder, log, out, command(), where()).search();
    }
  }

  private void refuseBadUsage() {
    if (tune != null && tune.elsewhere()) {
      throw Refusal.badUsage(
          "--state and --proc-sys do not go with minimal: its settings are made in this kernel, by the journals of a run");
    }
    if (connections < 1 || connections > 10_000_000) {
      throw Refusal.badUsage("--connections " + connections + " is not from 1 to 10000000");
    }
    if (out != null && Files.exists(out)) {
      throw Refusal.badUsage("--out " + out + " is there already; move it away, or give another name");
    }
    if (out != null && !Files.isWritable(out.toAbsolutePath().getParent())) {
      // Said now, and not after an hour of tries.
      throw Refusal.badUsage("--out " + out + ": its folder is not there, or may not be written to");
    }
    try {
      if (Quantity.RATE.parse(rate()).signum() == 0) {
        throw Refusal.badUsage("--connect-rate: 0 is not allowed; " + Quantity.RATE.form);
      }
      Quantity.DURATION.parse(timeout());
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--connect-rate or --connect-timeout: " + e.getMessage());
    }
  }

  private ServerManifest manifest(Checkout checkout) {
    return ServerManifest.named(server, ServerManifest.all(checkout));
  }

  private Lifts lifts(Checkout checkout, ServerManifest manifest, Start start, HostFacts host) {
    Long tuples = sources.isEmpty() ? null : (Long) (long) sources.size();
    ServerModel server = ServerModel.of(manifest, Map.of()).startedHere();
    Examination found = Doctor.examine(new Question(connections, Role.BOTH, server, 0, tuples), host);
    if (profile == null) {
      return Lifts.tooLow(found, SettingsProfile.find(checkout, SettingsProfile.forConnections(connections)), start.backlog());
    }
    SysTree tree = SysTree.own();
    return Lifts.wholeProfile(
        found,
        SettingsProfile.find(checkout, profile),
        start.backlog(),
        key -> {
          try {
            return start.told().containsKey(key) ? start.told().get(key) : tree.read(key);
          } catch (IOException e) {
            throw Refusal.cannotRun("cannot read " + key + ": " + ErrorText.of(e));
          }
        });
  }

  /** What cannot be lifted at all, or not here, is said before anything is changed. */
  private void refuse(Lifts lifts, HostFacts here) {
    lifts.absent().forEach(key -> System.err.println("ladder: left out: this kernel or network namespace has no " + key));
    if (!lifts.inTheWay().isEmpty()) {
      throw Refusal.cannotRun(
          ("%,d connections cannot be held here, and no setting of a profile lifts that: %s; see './ladder doctor --connections %d"
              + " --server %s'")
              .formatted(connections, String.join("; ", lifts.inTheWay()), connections, server));
    }
    for (String key : leave) {
      if (lifts.all().stream().noneMatch(lift -> lift.name().equals(key))) {
        throw Refusal.badUsage(
            "--leave %s: it is none of the settings that may be needed: %s"
                .formatted(key, lifts.all().stream().map(Lift::name).collect(Collectors.joining(", "))));
      }
    }
    List<String> complaints = Settable.complaints(kept(lifts.all()), here, onThisHost);
    if (!complaints.isEmpty()) {
      throw Refusal.cannotRun(
          ("nothing was changed, as not all that may be needed can be set here: %s.%n"
                  + "In a throwaway kernel all of it can: ./ladder lab --as-booted -- %s%n"
                  + "On a host of your own: sudo %s --on-this-host; or leave settings as they are with --leave KEY")
              .formatted(String.join("; ", complaints), command(), command()));
    }
  }

  private List<Lift> kept(List<Lift> lifts) {
    return lifts.stream().filter(lift -> !leave.contains(lift.name())).toList();
  }

  private String rate() {
    return connectRate != null ? connectRate : LabMark.inside() ? "2000/s" : "5000/s";
  }

  private String timeout() {
    return connectTimeout != null ? connectTimeout : LabMark.inside() ? "60s" : "10s";
  }

  private static String where() {
    return "Linux " + System.getProperty("os.version") + (LabMark.inside() ? ", in a lab" : "");
  }

  private String command() {
    return "./ladder " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }
}
