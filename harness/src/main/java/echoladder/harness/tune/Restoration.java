package echoladder.harness.tune;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One putting back of what journals hold: first of runs that were killed, then of the user. */
final class Restoration {
  private final SysTree tree;
  private final StateFolder folder;
  private final Step.Listener listener;
  private final boolean keep;
  private final boolean dryRun;
  private final List<String> restored = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> later = new HashMap<>();

  /**
   * Begins one.
   *
   * @param keep whether a setting that something else has changed since stays as it is
   * @param dryRun whether nothing is changed
   */
  Restoration(SysTree tree, StateFolder folder, Step.Listener listener, boolean keep, boolean dryRun) {
    this.tree = tree;
    this.folder = folder;
    this.listener = listener;
    this.keep = keep;
    this.dryRun = dryRun;
  }

  /** Whether the folder has journals of runs. */
  boolean anyRuns() {
    return folder.journals().stream().anyMatch(file -> name(file).whose().run() != null);
  }

  private static JournalName name(Path file) {
    return Objects.requireNonNull(JournalName.parse(file), () -> file + " is no journal");
  }

  /** What {@link Tuning#restore} does. */
  Tuning.Restored all(@Nullable String profile) {
    refuseBesideRuns(JournalName.Whose.USERS, "nothing was put back");
    killedRuns();
    List<Journal> journals = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      Path file = folder.dir().resolve(new JournalName(JournalName.Whose.USERS, tree.bootId(), JournalName.place(tree, scope)).file());
      if (readable(file)) {
        journals.add(Journal.of(folder.dir(), tree, scope, JournalName.Whose.USERS));
      }
    }
    Set<String> profiles = new TreeSet<>();
    journals.forEach(journal -> journal.entries().forEach(entry -> profiles.add(entry.profile())));
    List<String> others = others();
    notes.addAll(others);
    if (profiles.isEmpty() && !others.isEmpty() && restored.isEmpty() && failed.isEmpty()) {
      throw Refusal.cannotRun("nothing was put back. " + String.join("\n", notes));
    }
    if (profile != null && !profiles.isEmpty() && !profiles.contains(profile)) {
      throw Refusal.badUsage(
          "the journals in %s hold what '%s' changed, not '%s'; nothing of it was put back"
              .formatted(folder.dir(), String.join("' and '", profiles), profile));
    }
    journals.forEach(this::putBack);
    return new Tuning.Restored(restored, failed, notes);
  }

  /** Puts back what runs have left that were killed. Of runs that may go on it makes a note. */
  Tuning.Restored killedRuns() {
    for (Path file : runs()) {
      JournalName name = name(file);
      if (!name.bootId().equals(tree.bootId())) {
        forget(file, "it is of an earlier boot, whose settings are gone");
      } else if (!name.here(tree) && !name.whose().alive() && endedWithRun(file)) {
        forget(file, "its network namespace, with all that was set there, ended with its run");
      } else if (!name.here(tree)) {
        notes.add(file + " is of a run in another network namespace; its settings go with that");
      } else if (name.whose().alive()) {
        notes.add(file + " is of a run that goes on, or of another process namespace: what it set is in force, and stays");
      } else if (readable(file)) {
        Journal journal = Journal.read(file);
        if (journal == null) {
          forget(file, "it holds no change");
        } else {
          putBack(journal);
        }
      }
    }
    return new Tuning.Restored(restored, failed, notes);
  }

  private static boolean endedWithRun(Path file) {
    Journal journal = Files.isReadable(file) ? Journal.read(file) : null;
    return journal != null && Boolean.TRUE.equals(journal.header().endsWithRun());
  }

  /** Puts back what that run set; gives what could not be. */
  List<String> run(JournalName.Whose whose) {
    for (Path file : folder.journals()) {
      if (name(file).whose().equals(whose) && name(file).here(tree)) {
        Journal journal = Journal.read(file);
        if (journal != null) {
          putBack(journal);
        }
      }
    }
    return failed;
  }

  /** Those of this folder and, of those that concern the settings here, the host's or root's, of which at least the names can be read. */
  private List<Path> runs() {
    List<Path> files = new ArrayList<>(folder.journals());
    Path other = folder.isUsers() ? StateFolder.ROOTS : folder.hosts();
    if (other != null && !other.equals(folder.dir()) && Files.isReadable(other)) {
      files.addAll(new StateFolder(other, null).journals().stream().filter(file -> name(file).here(tree)).toList());
    }
    return files.stream().filter(file -> name(file).whose().run() != null).toList();
  }

  private void forget(Path file, String why) {
    try {
      if (!dryRun && Files.isWritable(Objects.requireNonNull(file.getParent()))) {
        Files.delete(file);
      }
    } catch (IOException e) {
      notes.add(file + " could not be deleted (" + why + "): " + Tuning.reason(e));
    }
  }

  /**
   * Refuses where a run that goes on has settings of its own in force.
   *
   * @param whose who wants to change something; a run is no obstacle to itself
   * @param undone what the refusal says was not done
   */
  void refuseBesideRuns(JournalName.Whose whose, String undone) {
    for (Path file : runs()) {
      JournalName.Whose other = name(file).whose();
      if (name(file).here(tree) && other.alive() && !other.equals(whose)) {
        throw Refusal.cannotRun(
            "a run of process %d has kernel settings of its own in force here (%s); %s. %s: runbooks/procedures/tune-and-restore.md"
                .formatted(
                    Objects.requireNonNull(other.run()).pid(),
                    file,
                    undone,
                    other.seen()
                        ? "Wait for its end, or stop it with Ctrl-C"
                        : "That process is of another process namespace, so whether it goes on cannot be told from here. Wait for its end,"
                            + " or, where it was killed, run ./ladder tune restore in that namespace"));
      }
    }
  }

  private boolean readable(Path file) {
    if (!Files.exists(file) || Files.isReadable(file)) {
      return true;
    }
    failed.add(
        "the journal %s is there, and this user may not read it; nothing of it was put back. As root: %s"
            .formatted(file, new RestoreCommand(tree, Objects.requireNonNull(file.getParent())).asRoot()));
    return false;
  }

  private void putBack(Journal journal) {
    int failedBefore = failed.size();
    for (Map.Entry<String, String> old : journal.oldest().entrySet().stream().toList().reversed()) {
      putBack(journal, old.getKey(), old.getValue());
    }
    journal.groups().reversed().forEach(this::remove);
    if (failed.size() == failedBefore && !dryRun) {
      try {
        listener.at(Step.BEFORE_FORGET, "");
        journal.forget();
      } catch (IOException e) {
        failed.add("the journal " + journal.file() + " could not be deleted: " + Tuning.reason(e));
      }
    }
  }

  /** The value, which a dry run counts on from what it would have put back so far. */
  private @Nullable String present(String key) throws IOException {
    String counted = dryRun ? later.get(key) : null;
    return counted == null ? tree.read(key) : counted;
  }

  private void putBack(Journal journal, String key, String old) {
    try {
      String present = present(key);
      if (old.equals(present)) {
        restored.add(key + " = " + Values.brief(old) + " (it was so already)");
        return;
      }
      boolean others = journal.entries().stream().noneMatch(entry -> entry.of(key, String.valueOf(present)));
      if (keep && others) {
        restored.add(
            "%s = %s (kept: something else has set it since; it was '%s' before)"
                .formatted(key, Values.brief(present), Values.brief(old)));
        return;
      }
      if (!dryRun) {
        listener.at(Step.BEFORE_PUT_BACK, key);
        tree.set(key, old);
      }
      later.put(key, old);
      String seen = Values.brief(present);
      String now = dryRun ? " (now '" + seen + "')" : "";
      restored.add(key + " = " + Values.brief(old) + (others ? " (something else had set it to '" + seen + "')" : now));
    } catch (IOException e) {
      failed.add(key + " could not be put back to '" + Values.brief(old) + "': " + Tuning.reason(e) + ". " + Tuning.advice(key));
    }
  }

  private void remove(Path group) {
    if (!Files.exists(group)) {
      return;
    }
    try {
      if (!dryRun) {
        new ControlGroup(group).close();
      }
      restored.add("the control group " + group + " is removed");
    } catch (IOException e) {
      failed.add(String.valueOf(e.getMessage()));
    }
  }

  /** What the user's journals say that are not this boot's or not this namespace's, and those that may not be read. */
  private List<String> others() {
    List<String> others = new ArrayList<>();
    String bootId = tree.bootId();
    Stream<Path> roots =
        folder.isUsers() && Files.isReadable(StateFolder.ROOTS)
            ? new StateFolder(StateFolder.ROOTS, null).journals().stream().filter(file -> name(file).here(tree))
            : Stream.of();
    roots.filter(file -> name(file).whose().run() == null).forEach(this::readable);
    for (Path file : folder.journals()) {
      JournalName name = name(file);
      // A name is the file's own; what counts is the header.
      Journal journal = name.whose().run() != null || name.here(tree) || !readable(file) ? null : Journal.read(file);
      if (journal == null) {
        continue;
      }
      Journal.Header header = journal.header();
      others.add(
          header.bootId().equals(bootId)
              ? "%s is of network namespace %s, this process is in %s: restore in that one (ip netns exec NAME ...)"
                  .formatted(file, header.scope(), tree.network())
              : "%s is of boot %s, this is boot %s: the kernel has started with values of its own since, over which "
                      .formatted(file, header.bootId(), bootId)
                  + "the old ones must not be written; delete the file once you have seen it");
    }
    return others;
  }
}
