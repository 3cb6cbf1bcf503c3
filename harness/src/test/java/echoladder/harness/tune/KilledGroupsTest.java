package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Refusal;
import echoladder.linux.ControlGroups;
import echoladder.linux.process.Starter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host of the form that has control groups of version 2 alone, and a run that was killed on it. */
final class KilledGroupsTest {
  private static final Map<ControlGroup.Kind, Long> LIMITS =
      Map.of(ControlGroup.Kind.MEMORY, 1_000_000L, ControlGroup.Kind.TASKS, 40L);

  /** It belongs to the boot below and not to this one, so nobody's who runs. */
  private static final JournalName.Whose KILLED =
      new JournalName.Whose(new Starter("b001", 4_711, 1), JournalName.Whose.thisRun().pidNamespace());

  @TempDir private Path root;

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  @Test
  void itsGroupIsInAJournalBeforeItIsThereAndIsRemovedByTheNextThatLooks() throws IOException {
    SysTree tree = new FakeSys(root.resolve("proc/sys"), "b001").tree("net:[1]");
    put("proc/self/mountinfo", "30 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw");
    put("sys/fs/cgroup/cgroup.controllers", "cpu memory pids");
    StateFolder state = new StateFolder(root.resolve("state"), null);
    Tuning tuning = new Tuning(tree, state);
    List<ControlGroup> made =
        ControlGroup.make(
            new ControlGroups(root, "self"), "echo-ladder-4711-floor", LIMITS, group -> state.locked(() -> noted(state, tree, group)));
    assertThat(made).containsExactly(new ControlGroup(root.resolve("sys/fs/cgroup/echo-ladder-4711-floor")));
    Path group = made.getFirst().dir();
    // The kernel's own files of a group are in nobody's way.
    for (String file : List.of("memory.max", "pids.max")) {
      Files.delete(group.resolve(file));
    }
    String removed = "the control group " + group + " is removed";
    assertThat(tuning.wouldRestore(null, false).restored()).containsExactly(removed);
    assertThat(group).isDirectory();
    assertThat(tuning.restoreKilledRuns()).isEqualTo(new Tuning.Restored(List.of(removed), List.of(), List.of()));
    assertThat(group).doesNotExist();
    assertThat(state.journals()).isEmpty();
  }

  private static Journal noted(StateFolder state, SysTree tree, Path group) {
    assertThat(group).doesNotExist();
    try {
      return Journal.of(state.dir(), tree, Scope.HOST, KILLED).with(group);
    } catch (IOException e) {
      throw Refusal.cannotRun(e.toString());
    }
  }
}
