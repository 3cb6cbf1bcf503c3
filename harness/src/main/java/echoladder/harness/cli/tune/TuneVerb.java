package echoladder.harness.cli.tune;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.TextTable;
import echoladder.harness.tune.Change;
import echoladder.harness.tune.SettingsProfile;
import echoladder.harness.tune.StateFolder;
import echoladder.harness.tune.SysTree;
import echoladder.harness.tune.Tuning;
import echoladder.harness.tune.Values;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** {@code ladder tune}: sysctl profiles, with a way back. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    synopsisSubcommandLabel = "show|apply|verify|restore|minimal",
    subcommands = MinimalVerb.class,
    description =
        "Compare this host with a sysctl profile, apply it, and put back what was there before; find what N connections need.",
    footer = {
      "",
      "Example: what the profile for 100,000 connections would change here",
      "  ladder tune show 100k",
      "",
      "Exit status: 0 done; 1 something differs or is missing; 2 bad usage; 3 refused, and nothing changed."
    })
public final class TuneVerb implements Runnable {
  private static final String OF_PROFILE = "A name in sysctl/, e.g. 100k, or the path of a .conf file.";
  private static final String OF_LOWER = "Also lower what is higher already.";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Where the journals of old values are. Default: /var/lib/echo-ladder for root, also by sudo; for "
          + "others $XDG_STATE_HOME/echo-ladder, else ~/.local/state/echo-ladder.")
  private @Nullable Path state;

  @Option(
      names = "--proc-sys",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "A folder to use in place of /proc/sys, to try things out. It needs kernel/random/boot_id.")
  private @Nullable Path procSys;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a verb is missing: " + String.join(", ", spec.subcommands().keySet()));
  }

  @Command(description = "Print each setting of a profile, what it is here, and what apply would do; change nothing.")
  int show(
      @Parameters(paramLabel = "PROFILE", description = OF_PROFILE) String profile,
      @Option(names = "--lower", description = OF_LOWER) boolean lower,
      @Option(names = "--explain", description = "Also print why: the profile's comments.") boolean explain) {
    List<Change> changes = tuning().plan(SettingsProfile.find(Checkout.find(), profile), lower);
    if (explain) {
      for (Change change : changes) {
        System.out.println(change.knob().key() + " = " + Values.brief(change.knob().value()));
        System.out.println("  here:    " + present(change) + ", " + said(change));
        change.knob().comments().forEach(comment -> System.out.println("  " + comment));
      }
    } else {
      print(changes);
    }
    System.out.printf(
        "%s: apply would set %d of %d settings%s%n",
        profile,
        changes.stream().filter(change -> change.standing() == Change.Standing.DIFFERENT).count(),
        changes.size(),
        explain ? "" : "; --explain says what each lifts and why it has that value");
    System.out.flush();
    return 0;
  }

  @Command(description = "Set what the profile asks for, all of it or nothing; old values go to a journal before.")
  int apply(
      @Parameters(paramLabel = "PROFILE", description = OF_PROFILE) String profile,
      @Option(names = "--lower", description = OF_LOWER) boolean lower) {
    boolean complete = true;
    for (Change change : tuning().apply(SettingsProfile.find(Checkout.find(), profile), lower)) {
      Change.Standing standing = change.standing();
      System.out.println(
          standing == Change.Standing.DIFFERENT
              ? change.knob().key() + " = " + Values.brief(change.target()) + " (was " + present(change) + ")"
              : change.knob().key() + ": " + present(change) + ", " + standing.words);
      complete &= standing != Change.Standing.ABSENT;
    }
    System.out.flush();
    System.err.printf(
        "ladder: '%s' puts back what was there; the journal is in %s%n", tuning().restoreCommand(), folder().dir());
    return complete ? 0 : 1;
  }

  @Command(description = "Read every setting of a profile and list each that differs. What is higher is no shortfall.")
  int verify(
      @Parameters(paramLabel = "PROFILE", description = OF_PROFILE) String profile,
      @Option(names = "--lower", description = "What is higher is a shortfall too.") boolean lower) {
    List<Change> changes = tuning().plan(SettingsProfile.find(Checkout.find(), profile), lower);
    List<Change> different = changes.stream().filter(c -> c.standing() != Change.Standing.EQUAL).toList();
    if (!different.isEmpty()) {
      print(different);
    }
    long short_ = different.stream().filter(c -> !c.satisfied()).count();
    System.out.printf(
        "%s: of %d settings %d are as in the profile, %d differ and suffice, %d fall short%n",
        profile, changes.size(), changes.size() - different.size(), different.size() - short_, short_);
    System.out.flush();
    return short_ == 0 ? 0 : 1;
  }

  @Command(description = "Put back all that apply changed since the start of the kernel, also after it was killed.")
  int restore(
      @Parameters(
              paramLabel = "PROFILE",
              arity = "0..1",
              description = "Refuse unless this one was applied. All is put back, whatever profile changed it.")
          @Nullable String profile,
      @Option(names = "--keep", description = "Leave alone what something else has set since, an administrator say.")
          boolean keep,
      @Option(names = "--dry-run", description = "Print what would be put back; change nothing.") boolean dryRun) {
    String name = profile == null ? null : SettingsProfile.find(Checkout.find(), profile).name();
    Tuning.Restored restored = dryRun ? tuning().wouldRestore(name, keep) : tuning().restore(name, keep);
    restored.restored().forEach(System.out::println);
    if (restored.restored().isEmpty() && restored.failed().isEmpty()) {
      System.out.println("nothing to put back: there is no journal in " + folder().dir());
    } else if (dryRun) {
      System.out.println("nothing was changed: this is what restore would do");
    }
    System.out.flush();
    restored.notes().forEach(note -> System.err.println("ladder: left alone: " + note));
    restored.failed().forEach(failed -> System.err.println("ladder: " + failed));
    return restored.failed().isEmpty() ? 0 : 1;
  }

  /** Takes the options that all other verbs below inherit out of the help of the one that refuses them. */
  public static void hideWhatMinimalRefuses(CommandLine tune) {
    CommandSpec minimal = Objects.requireNonNull(tune.getSubcommands().get("minimal")).getCommandSpec();
    for (String name : List.of("--state", "--proc-sys")) {
      OptionSpec inherited = minimal.findOption(name);
      minimal.remove(inherited);
      minimal.addOption(OptionSpec.builder(inherited).hidden(true).inherited(false).build());
    }
  }

  /** Whether other folders than this host's were named. */
  boolean elsewhere() {
    return state != null || procSys != null;
  }

  private Tuning tuning() {
    return new Tuning(procSys == null ? SysTree.own() : SysTree.at(procSys), folder());
  }

  private StateFolder folder() {
    return state == null ? StateFolder.own() : StateFolder.at(state);
  }

  private static String present(Change change) {
    return change.present() == null ? "-" : Values.brief(change.present());
  }

  /** Where part of a setting is higher already, what it would become is not what the profile has. */
  private static String said(Change change) {
    boolean merged = change.standing() == Change.Standing.DIFFERENT && !change.target().equals(change.knob().value());
    return merged ? change.standing().words + " to " + Values.brief(change.target()) : change.standing().words;
  }

  private static void print(List<Change> changes) {
    TextTable table = new TextTable().row(List.of("setting", "here", "profile", ""));
    for (Change change : changes) {
      table.row(
          List.of(change.knob().key(), present(change), Values.brief(change.knob().value()), said(change)));
    }
    table.lines().forEach(System.out::println);
  }
}
