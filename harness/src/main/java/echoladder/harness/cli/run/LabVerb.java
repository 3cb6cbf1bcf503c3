package echoladder.harness.cli.run;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.LabRun;
import echoladder.harness.lab.LabSettings;
import echoladder.harness.lab.LabStreams;
import echoladder.harness.lab.Mappings;
import echoladder.harness.lab.UserModeLinux;
import echoladder.harness.run.StopSignal;
import echoladder.harness.tune.SettingsProfile;
import echoladder.linux.process.Starter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder lab}: a command inside a throwaway kernel. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Run a command inside a throwaway kernel that has limits of its own: User Mode Linux, x86-64 alone, without root.",
      "It sees this host's files. What it writes below results/ of the checkout and below each --write stays; all else, also "
          + "below /tmp, is in a scratch that goes with it. Its processes, network, /proc, /sys, /dev and kernel settings "
          + "are its own, and all of it runs on one processor of this host. A system call costs many times what it costs here, "
          + "so results from inside may be quoted for limits, memory and failure modes, never for times or CPU; they "
          + "carry the mark 'lab' and their reports say so."
    },
    footer = {
      "",
      "The command starts in this directory with this environment, without stdin, as the lab's root: it may read here what "
          + "the user may, and raise its own limits. A lab that root starts sees all else of this host read-only.",
      "Ctrl-C, SIGTERM and the timeout send it SIGINT, so that it keeps its results, and after " + LabRun.GRACE_SECONDS
          + " s SIGTERM; then, and whatever ends this process, the lab is switched off, with all that it started.",
      "",
      "Example: one server climbs to a million connections",
      "  ladder lab -- ./ladder run one-million --servers virtual-threads",
      "",
      "Example: what 1 GiB of memory makes of the kernel's limits",
      "  ladder lab --memory 1G -- ./ladder doctor --connections 100000",
      "",
      "Exit status: the command's; 1 where it was asked to end and says 0; 2 bad usage; 3 the lab could not run (the",
      "package user-mode-linux is missing, no memory for it, its kernel died), or was switched off under the command."
    })
public final class LabVerb implements Callable<Integer> {
  static final String DEFAULT_MEMORY = "16G";

  /** Far more than a run keeps: the published ones are of some megabytes. */
  static final String DEFAULT_WRITTEN = "8G";
  static final String DEFAULT_TIMEOUT = "60m";
  private static final String PROFILE = "1m";

  /** Tells a ./ladder inside that its checkout is built, and by whom that is held: it need not look at every source. */
  private static final String BUILT = "ECHOLADDER_BUILT";

  /** What may pass after the command was asked to end: its grace, and switching off. */
  private static final int END_BOUND_SECONDS = LabRun.GRACE_SECONDS + 60;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory of the lab, e.g. 512M or 16G, " + LabOptions.LEAST_MEMORY + " to " + LabOptions.MOST_MEMORY
          + ". Taken as it is used; refused where this host does not have it. Default: ${DEFAULT-VALUE}.")
  private String memory = DEFAULT_MEMORY;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "The command is asked to end this long after its start, e.g. 90s, 60m, 2h. Default: "
          + "${DEFAULT-VALUE}.")
  private String timeout = DEFAULT_TIMEOUT;

  @Option(
      names = "--write",
      paramLabel = "DIR",
      description = "A folder of this host that the lab may write to as well; / for all of it, without a scratch. May be "
          + "given several times.")
  private List<Path> write = new ArrayList<>();

  @Option(
      names = "--write-most",
      paramLabel = "SIZE",
      description = "How much the lab may write to this host, all together, " + LabOptions.LEAST_WRITTEN + " to "
          + LabOptions.MOST_MEMORY + "; it is switched off beyond that. Default: ${DEFAULT-VALUE}.")
  private String writeMost = DEFAULT_WRITTEN;

  @Option(
      names = "--few-mappings",
      description = "Boot also where vm.max_map_count of this host may be too low for that much memory.")
  private boolean fewMappings;

  @Option(
      names = "--as-booted",
      description = "Leave the lab's kernel settings as that kernel boots with, but for fs.nr_open; without, the profile "
          + PROFILE + " is set. Descriptors are many either way.")
  private boolean asBooted;

  // Ladder has parsing stop at the first of these, so that the command's own options reach it.
  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() {
    long bytes = LabOptions.memory(memory);
    List<Path> folders = new ArrayList<>(write);
    folders.addAll(LabOptions.results(command));
    Duration most = LabOptions.timeout(timeout);
    long written = LabOptions.written(writeMost);
    SettingsProfile profile = asBooted ? new SettingsProfile("as-booted", List.of()) : profile();
    return run(bytes, most, command, folders, written, fewMappings ? 0 : Mappings.of(bytes), profile);
  }

  /** What is set in a lab before its command starts, where nothing else is asked for. */
  static SettingsProfile profile() {
    return SettingsProfile.find(Checkout.find(), PROFILE);
  }

  /**
   * Runs a command in a lab, with this process's streams, directory and environment.
   *
   * @param write folders that it may write to, beside results/ of the checkout
   * @param mostWrittenBytes to this host's files, all together
   * @param leastMappings what vm.max_map_count has to be
   * @param profile kernel settings of the lab
   */
  static int run(
      long memoryBytes, Duration timeout, List<String> command, List<Path> write, long mostWrittenBytes, long leastMappings,
      SettingsProfile profile) {
    if (LabMark.here() != null) {
      throw Refusal.cannotRun("this is a lab already, and there is none in a lab: run the command itself");
    }
    Checkout checkout = Checkout.find();
    List<Path> folders = new ArrayList<>(List.of(checkout.results()));
    folders.addAll(write);
    LabSettings settings =
        new LabSettings(
            memoryBytes, timeout, profile, LabOptions.writable(folders), mostWrittenBytes, leastMappings);
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put(BUILT, checkout.root().toString());
    // What runs in there can tell for whom, as its own kernel's processes say nothing of this one's.
    Starter.own().mark(environment);
    LabRun run = new LabRun(new UserModeLinux(), settings, note -> System.err.println("ladder: " + note));
    StopSignal stop = new StopSignal();
    try (UntilSignal until = UntilSignal.stopping(stop, "stopping the command and the lab", END_BOUND_SECONDS)) {
      until.status(Refusal.CANNOT_RUN);
      int status = status(run, command, environment, stop);
      until.status(status);
      return status;
    }
  }

  private static int status(LabRun run, List<String> command, Map<String, String> environment, StopSignal stop) {
    try {
      return run.run(
          command, Path.of("").toAbsolutePath(), environment, new LabStreams(System.out, System.err), stop::requested);
    } catch (Refusal e) {
      if (!stop.requested()) {
        throw e;
      }
      // After a signal this process ends before its caller could say it.
      System.err.println("ladder: " + e.getMessage());
      return e.status();
    }
  }
}
