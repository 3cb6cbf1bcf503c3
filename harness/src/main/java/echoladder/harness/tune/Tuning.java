package echoladder.harness.tune;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import echoladder.linux.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sets the settings of profiles and puts them back. Each old value is in a journal on the disk before its setting is
 * changed, so that whatever ends this process, another one can put all back. There are two journals per boot: the
 * host's, and one per network namespace, as each has settings of its own; the user's changes and those of a run are in
 * different ones. A lock keeps two processes apart.
 */
public final class Tuning {
  private final SysTree tree;
  private final StateFolder folder;
  private final JournalName.Whose whose;
  private final Step.Listener listener;

  /**
   * The user's, for that tree.
   *
   * @param folder of the journals; created when needed
   */
  public Tuning(SysTree tree, StateFolder folder) {
    this(tree, folder, JournalName.Whose.USERS, (_, _) -> {});
  }

  Tuning(SysTree tree, StateFolder folder, JournalName.Whose whose, Step.Listener listener) {
    this.tree = tree;
    this.folder = folder;
    this.whose = whose;
    this.listener = listener;
  }

  /** What applying would do; changes nothing. {@code lower} as for {@link #apply}. */
  public List<Change> plan(SettingsProfile profile, boolean lower) {
    List<Change> changes = new ArrayList<>();
    for (Knob knob : profile.knobs()) {
      try {
        String present = tree.read(knob.key());
        String target =
            lower || present == null ? knob.value() : Values.covering(knob.key(), present, knob.value());
        changes.add(new Change(knob, present, target));
      } catch (IOException e) {
        throw Refusal.cannotRun("cannot read " + knob.key() + ": " + ErrorText.of(e));
      }
    }
    return changes;
  }

  /**
   * Sets what the profile asks for, all of it or nothing: where a setting is refused, those before it are put back.
   *
   * @param lower whether to lower what is higher already
   * @return what was there before, and the targets
   * @throws Refusal where something is refused
   */
  public List<Change> apply(SettingsProfile profile, boolean lower) {
    return folder.locked(() -> applyLocked(profile, lower));
  }

  private List<Change> applyLocked(SettingsProfile profile, boolean lower) {
    Restoration restoration = new Restoration(tree, folder, listener, false, false);
    restoration.refuseBesideRuns(whose, "nothing was set");
    List<String> left = restoration.killedRuns().failed();
    if (!left.isEmpty()) {
      throw Refusal.cannotRun("nothing was set, as a run that was killed has left settings: " + String.join("; ", left));
    }
    List<Change> changes = plan(profile, lower);
    Map<Scope, Journal> journals = journals();
    List<Change> done = new ArrayList<>();
    for (Change change : changes) {
      if (change.standing() != Change.Standing.DIFFERENT) {
        continue;
      }
      String key = change.knob().key();
      String present = String.valueOf(change.present());
      try {
        listener.at(Step.BEFORE_JOURNAL, key);
        journals.put(Scope.of(key), noted(journal(journals, key), change, profile, () -> undo(done, journals, profile)));
        listener.at(Step.BEFORE_CHANGE, key);
        done.add(change);
        tree.set(key, change.target());
        listener.at(Step.AFTER_CHANGE, key);
      } catch (IOException e) {
        String undone = undo(done, journals, profile);
        throw Refusal.cannotRun(
            "%s could not be set from '%s' to '%s': %s; %s. %s"
                .formatted(key, Values.brief(present), Values.brief(change.target()), reason(e), undone, advice(key)));
      }
    }
    return changes;
  }

  private static Journal noted(Journal journal, Change change, SettingsProfile profile, Supplier<String> undone) {
    try {
      return journal.with(entry(change, profile));
    } catch (IOException e) {
      throw Refusal.cannotRun(
          ("%s was not set to '%s', as the journal %s, which keeps what it was, cannot be written: %s; %s. Apply again when that disk can"
              + " be written: runbooks/procedures/tune-and-restore.md")
              .formatted(change.knob().key(), Values.brief(change.target()), journal.file(), reason(e), undone.get()));
    }
  }

  private static Journal.Entry entry(Change change, SettingsProfile profile) {
    return new Journal.Entry(
        change.knob().key(), String.valueOf(change.present()), change.target(), profile.name());
  }

  /** Puts back what this apply changed, and deletes a journal that holds nothing else; says what came of it. */
  private String undo(List<Change> done, Map<Scope, Journal> journals, SettingsProfile profile) {
    List<String> failed = new ArrayList<>();
    for (Change change : done.reversed()) {
      String key = change.knob().key();
      try {
        listener.at(Step.BEFORE_UNDO, key);
        String old = String.valueOf(change.present());
        if (!old.equals(tree.read(key))) {
          tree.set(key, old);
        }
      } catch (IOException e) {
        failed.add(key + " (" + reason(e) + ")");
      }
    }
    if (!failed.isEmpty()) {
      return "putting back failed too for " + String.join(", ", failed) + "; the journal keeps their old values";
    }
    try {
      for (Journal journal : journals.values()) {
        boolean before = Files.exists(journal.file());
        if (before && journal.oldest().entrySet().stream().allMatch(this::stands)) {
          listener.at(Step.BEFORE_FORGET, profile.name());
          journal.forget();
        }
      }
      return "what was set before it has been put back";
    } catch (IOException e) {
      return "what was set before it has been put back, but its journal could not be deleted: " + reason(e);
    }
  }

  private boolean stands(Map.Entry<String, String> old) {
    try {
      return old.getValue().equals(tree.read(old.getKey()));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * What putting back did.
   *
   * @param restored "KEY = VALUE" lines of what was put back, with what else is to be said of each
   * @param failed of what could not be, with the reason; the journal keeps it
   * @param notes what else was seen
   */
  public record Restored(List<String> restored, List<String> failed, List<String> notes) {}

  /**
   * Puts back every setting that was changed in this boot, on this host and in this network namespace, and deletes the
   * journals.
   *
   * @param profile null, or one of those whose changes are in the journals: a word against putting back something else
   * @param keep whether a setting that something else has changed since stays as it is
   * @throws Refusal where a run that goes on has settings of its own in force, or there are only journals of other boots or
   *     namespaces, or none of that profile; nothing is changed then
   */
  public Restored restore(@Nullable String profile, boolean keep) {
    return folder.locked(() -> new Restoration(tree, folder, listener, keep, false).all(profile));
  }

  /** What {@link #restore} would do; changes nothing. */
  public Restored wouldRestore(@Nullable String profile, boolean keep) {
    return new Restoration(tree, folder, listener, keep, true).all(profile);
  }

  /** The command with which this process's user does it. */
  public String restoreCommand() {
    return new RestoreCommand(tree, folder.dir()).again(Root.uid() == 0 && System.getenv("SUDO_UID") != null);
  }

  /** Puts back what runs have left that were killed, in this boot, on this host and in this network namespace. */
  public Restored restoreKilledRuns() {
    Restoration restoration = new Restoration(tree, folder, listener, false, false);
    return restoration.anyRuns() ? folder.locked(restoration::killedRuns) : restoration.killedRuns();
  }

  /** In the order of the scopes. */
  private Map<Scope, Journal> journals() {
    Map<Scope, Journal> journals = new EnumMap<>(Scope.class);
    for (Scope scope : Scope.values()) {
      journals.put(scope, Journal.of(folder.dir(), tree, scope, whose));
    }
    return journals;
  }

  private static Journal journal(Map<Scope, Journal> journals, String key) {
    Journal journal = journals.get(Scope.of(key));
    if (journal == null) {
      throw new IllegalStateException("no journal for the scope of " + key);
    }
    return journal;
  }

  static String reason(IOException e) {
    return ErrorText.of(e);
  }

  static String advice(String key) {
    return "Setting it needs root on the host itself (for net.* in the namespace's own user namespace), and a /proc/sys "
        + "that is not mounted read-only, as it is in most containers: runbooks/procedures/tune-and-restore.md; or set "
        + key
        + " from outside";
  }
}
