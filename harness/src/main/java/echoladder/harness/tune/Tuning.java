package echoladder.harness.tune;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sets the settings of profiles and puts them back. Each old value is in a journal on the disk before its setting is
 * changed, so that whatever ends this process, another one can put all back. There are two journals per boot: the
 * host's, and one per network namespace, as each has settings of its own; a lock keeps two processes apart.
 */
public final class Tuning {
  private final SysTree tree;
  private final Path dir;
  private final Step.Listener listener;

  /**
   * For that tree.
   *
   * @param dir where journals are; created when needed
   */
  public Tuning(SysTree tree, Path dir) {
    this(tree, dir, (_, _) -> {});
  }

  Tuning(SysTree tree, Path dir, Step.Listener listener) {
    this.tree = tree;
    this.dir = dir;
    this.listener = listener;
  }

  /** What applying would do; changes nothing. {@code lower} as for {@link #apply}. */
  public List<Change> plan(Profile profile, boolean lower) {
    List<Change> changes = new ArrayList<>();
    for (Knob knob : profile.knobs()) {
      try {
        String present = tree.read(knob.key());
        String target =
            lower || present == null ? knob.value() : Values.covering(knob.key(), present, knob.value());
        changes.add(new Change(knob, present, target));
      } catch (IOException e) {
        throw Refusal.cannotRun("cannot read " + knob.key() + ": " + e);
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
  public List<Change> apply(Profile profile, boolean lower) {
    return locked(() -> applyLocked(profile, lower));
  }

  private List<Change> applyLocked(Profile profile, boolean lower) {
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
        journals.put(Scope.of(key), journal(journals, key).with(entry(change, profile)));
        listener.at(Step.BEFORE_CHANGE, key);
        done.add(change);
        set(key, change.target());
        listener.at(Step.AFTER_CHANGE, key);
      } catch (IOException e) {
        String undone = undo(done, journals, profile);
        throw Refusal.cannotRun(
            "%s could not be set from '%s' to '%s': %s; %s. %s"
                .formatted(key, present, change.target(), reason(e), undone, advice(key)));
      }
    }
    return changes;
  }

  private static Journal.Entry entry(Change change, Profile profile) {
    return new Journal.Entry(
        change.knob().key(), String.valueOf(change.present()), change.target(), profile.name());
  }

  /** Puts back what this apply changed, and deletes a journal that holds nothing else; says what came of it. */
  private String undo(List<Change> done, Map<Scope, Journal> journals, Profile profile) {
    List<String> failed = new ArrayList<>();
    for (Change change : done.reversed()) {
      String key = change.knob().key();
      try {
        listener.at(Step.BEFORE_UNDO, key);
        String old = String.valueOf(change.present());
        if (!old.equals(tree.read(key))) {
          set(key, old);
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
   * @throws Refusal where there are only journals of other boots or namespaces, or none of that profile
   */
  public Restored restore(@Nullable String profile) {
    return locked(() -> restoreLocked(profile));
  }

  private Restored restoreLocked(@Nullable String profile) {
    Map<Scope, Journal> journals = journals();
    List<String> notes = others(journals);
    List<String> restored = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    Set<String> profiles = new TreeSet<>();
    journals.values().forEach(journal -> journal.entries().forEach(entry -> profiles.add(entry.profile())));
    if (profiles.isEmpty() && !notes.isEmpty()) {
      throw Refusal.cannotRun("nothing was put back. " + String.join("\n", notes));
    }
    if (profile != null && !profiles.isEmpty() && !profiles.contains(profile)) {
      throw Refusal.badUsage(
          "the journals in %s hold what '%s' changed, not '%s'; nothing was put back"
              .formatted(dir, String.join("' and '", profiles), profile));
    }
    for (Journal journal : journals.values()) {
      int failedBefore = failed.size();
      Map<String, String> latest = journal.latest();
      for (Map.Entry<String, String> old : journal.oldest().entrySet().stream().toList().reversed()) {
        putBack(old.getKey(), old.getValue(), latest.getOrDefault(old.getKey(), ""), restored, failed);
      }
      if (failed.size() == failedBefore) {
        try {
          listener.at(Step.BEFORE_FORGET, "");
          journal.forget();
        } catch (IOException e) {
          failed.add("the journal " + journal.file() + " could not be deleted: " + reason(e));
        }
      }
    }
    return new Restored(restored, failed, notes);
  }

  private void putBack(String key, String old, String applied, List<String> restored, List<String> failed) {
    try {
      String present = tree.read(key);
      if (old.equals(present)) {
        restored.add(key + " = " + old + " (it was so already)");
        return;
      }
      listener.at(Step.BEFORE_PUT_BACK, key);
      set(key, old);
      restored.add(
          key + " = " + old + (applied.equals(present) ? "" : " (something else had set it to '" + present + "')"));
    } catch (IOException e) {
      failed.add(key + " could not be put back to '" + old + "': " + reason(e) + ". " + advice(key));
    }
  }

  /** Sets and reads back, as a kernel may take another value than it was given. */
  private void set(String key, String value) throws IOException {
    tree.write(key, value);
    String taken = tree.read(key);
    if (!value.equals(taken)) {
      throw new IOException("it reads '" + taken + "' after '" + value + "' was written");
    }
  }

  /** In the order of the scopes. */
  private Map<Scope, Journal> journals() {
    Map<Scope, Journal> journals = new EnumMap<>(Scope.class);
    for (Scope scope : Scope.values()) {
      journals.put(scope, Journal.of(dir, tree, scope));
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

  /** What the journals say that are not this boot's or not this namespace's. */
  private List<String> others(Map<Scope, Journal> own) {
    List<String> notes = new ArrayList<>();
    String bootId = tree.bootId();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : files.filter(f -> f.getFileName().toString().matches("tune-.*\\.jsonl")).sorted().toList()) {
        Journal journal = own.values().stream().anyMatch(j -> j.file().equals(file)) ? null : Journal.read(file);
        if (journal == null) {
          continue;
        }
        Journal.Header header = journal.header();
        notes.add(
            header.bootId().equals(bootId)
                ? "%s is of network namespace %s, this process is in %s: restore in that one (ip netns exec NAME ...)"
                    .formatted(file, header.scope(), tree.network())
                : "%s is of boot %s, this is boot %s: the kernel has started with values of its own since, over which "
                        .formatted(file, header.bootId(), bootId)
                    + "the old ones must not be written; delete the file once you have seen it");
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot list the journals in " + dir + ": " + e);
    }
    return notes;
  }

  private static String reason(IOException e) {
    String said = String.valueOf(e.getMessage());
    return e.getClass() == IOException.class ? said : e.getClass().getSimpleName() + " " + said;
  }

  private static String advice(String key) {
    return "Setting it needs root on the host itself (for net.* in the namespace's own user namespace), and a /proc/sys "
        + "that is not mounted read-only, as it is in most containers: runbooks/procedures/tune-and-restore.md; or set "
        + key
        + " from outside";
  }

  @FunctionalInterface
  private interface Work<T> {
    T run();
  }

  private <T> T locked(Work<T> work) {
    Path file = dir.resolve("tune.lock");
    try {
      Files.createDirectories(dir);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot create the folder of the journals, " + dir + ": " + e + "; choose one with --state");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw Refusal.cannotRun("another 'ladder tune' is at work with the journals in " + dir + "; try again after it");
      }
      return work.run();
    } catch (OverlappingFileLockException e) {
      throw Refusal.cannotRun("another thread is at work with the journals in " + dir);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot lock " + file + ": " + e + "; choose another folder with --state");
    }
  }
}
