package echoladder.harness.tune;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run sets on this host for a while: kernel settings and control groups. Each is in a journal on the disk before
 * it is made, so that after a SIGKILL of this process the next run, {@code --resume} and {@code tune restore} find it.
 * Not thread safe; a process has one at a time.
 */
public final class RunJournal implements AutoCloseable {
  private final SysTree tree;
  private final StateFolder folder;
  private final JournalName.Whose whose;
  private boolean used;

  /** Reads them for this process, on this host. */
  public RunJournal() {
    this(SysTree.own(), StateFolder.own(), JournalName.Whose.thisRun());
  }

  RunJournal(SysTree tree, StateFolder folder, JournalName.Whose whose) {
    this.tree = tree;
    this.folder = folder;
    this.whose = whose;
  }

  /** Why nothing can be set by way of it; null where nothing is known against it. */
  public static @Nullable String complaint() {
    return StateFolder.own().complaint();
  }

  /** Sets what the profile says, also lower; all of it or nothing. */
  public void apply(SettingsProfile profile) {
    used = true;
    new Tuning(tree, folder, whose, (_, _) -> {}).apply(profile, true);
  }

  /** Makes control groups: see {@link ControlGroup#make}. */
  public List<ControlGroup> groups(String name, Map<ControlGroup.Kind, Long> limits) throws IOException {
    used |= !limits.isEmpty();
    return ControlGroup.make(
        name,
        limits,
        group ->
            folder.locked(
                () -> {
                  try {
                    return Journal.of(folder.dir(), tree, Scope.HOST, whose).with(group);
                  } catch (IOException e) {
                    throw Refusal.cannotRun(
                        "the control group " + group + " could not be noted in " + folder.dir() + ": " + ErrorText.of(e));
                  }
                }));
  }

  /**
   * Puts all back, and removes the groups, while no other process is at work with the journals. An interrupt does not hold it up.
   *
   * @throws IOException of what could not be; the journal keeps it
   */
  @Override
  public void close() throws IOException {
    if (!used) {
      return;
    }
    // Channels close under an interrupted thread, and what is not put back now stays in force.
    boolean interrupted = Thread.interrupted();
    List<String> failed;
    try {
      failed = folder.locked(() -> new Restoration(tree, folder, (_, _) -> {}, false, false).run(whose));
    } catch (Refusal e) {
      failed = List.of(String.valueOf(e.getMessage()));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (!failed.isEmpty()) {
      throw new IOException(String.join("; ", failed) + "; try again: " + new Tuning(tree, folder).restoreCommand());
    }
  }

  /**
   * Puts back what runs have left that were killed, before something is measured under it.
   *
   * @return what was done, and what is in force of runs that go on; a sentence each
   * @throws Refusal (cannot run) where something could not be put back
   */
  public static List<String> restoreKilledRuns() {
    Tuning.Restored done = new Tuning(SysTree.own(), StateFolder.own()).restoreKilledRuns();
    if (!done.failed().isEmpty()) {
      throw Refusal.cannotRun(
          "a run that was killed has left settings, and this one would be measured under them: " + String.join("; ", done.failed()));
    }
    return Stream.concat(done.restored().stream().map(what -> "a killed run has left this, put back: " + what), done.notes().stream())
        .toList();
  }
}
