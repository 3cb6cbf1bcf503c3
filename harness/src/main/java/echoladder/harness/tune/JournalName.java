package echoladder.harness.tune;

import echoladder.linux.process.Starter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a journal's file. It tells whose the journal is to somebody who may not read it.
 *
 * @param whose whose changes it holds
 * @param bootId the boot in which it was begun
 * @param place {@code host}, or the network namespace in letters, digits and minus signs
 */
record JournalName(Whose whose, String bootId, String place) {
  private static final String USER = "tune";
  private static final Pattern FORM =
      Pattern.compile("(tune|run-(\\d{1,18})-(\\d{1,18})-(\\d{1,18}))-([0-9a-f-]+?)-(host|net-[0-9a-z-]+)\\.jsonl");

  /**
   * Whose changes a journal holds.
   *
   * @param run the process of a run that made them; null = the user did, by {@code tune apply}
   * @param pidNamespace the number of the namespace that the process's id is of; 0 for the user's
   */
  record Whose(@Nullable Starter run, long pidNamespace) {
    static final Whose USERS = new Whose(null, 0);

    /** A run's that this process carries out. */
    static Whose thisRun() {
      return new Whose(Starter.process(), ownPidNamespace());
    }

    /** Whether the process that made the changes may still be at work; true where that cannot be told. */
    boolean alive() {
      return run != null && (!seen() || run.alive());
    }

    /** Whether this process can see that process, were it at work. */
    boolean seen() {
      return pidNamespace == ownPidNamespace();
    }

    String prefix() {
      return run == null ? USER : "run-%d-%d-%d".formatted(run.pid(), run.startTicks(), pidNamespace);
    }

    private static long ownPidNamespace() {
      try {
        return (Long) Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
      } catch (IOException e) {
        // A kernel without such namespaces has one.
        return 0;
      }
    }
  }

  /** Where the settings of a scope are, for a name. */
  static String place(SysTree tree, Scope scope) {
    return scope == Scope.HOST ? "host" : tree.network().replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
  }

  /** From the name of a file; null where it is none of a journal. */
  static @Nullable JournalName parse(Path file) {
    Matcher matcher = FORM.matcher(String.valueOf(file.getFileName()));
    if (!matcher.matches()) {
      return null;
    }
    String boot = matcher.group(5);
    Whose whose =
        matcher.group(1).equals(USER)
            ? Whose.USERS
            : new Whose(
                new Starter(boot, Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))),
                Long.parseLong(matcher.group(4)));
    return new JournalName(whose, boot, matcher.group(6));
  }

  /** Whether its settings are this process's too: of this boot, and of this host or this network namespace. */
  boolean here(SysTree tree) {
    return bootId.equals(tree.bootId())
        && (place.equals(place(tree, Scope.HOST)) || place.equals(place(tree, Scope.NETWORK)));
  }

  String file() {
    return whose.prefix() + "-" + bootId + "-" + place + ".jsonl";
  }
}
