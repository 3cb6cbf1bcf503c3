package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.linux.process.Starter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's settings lie upon the user's, so the user's cannot be taken away from under them. Journals are real, the settings are files. */
final class BesideRunsTest {
  private static final String KEY = "net.core.somaxconn";
  private static final SettingsProfile USERS = profile("net.core.somaxconn = 65535");
  private static final SettingsProfile RUNS = profile("net.core.somaxconn = 128");

  /** It belongs to the boot below and not to this one, so nobody's who runs. */
  private static final JournalName.Whose KILLED =
      new JournalName.Whose(new Starter("b001", 4_711, 1), JournalName.Whose.thisRun().pidNamespace());

  private final FakeSys sys;
  private final SysTree tree;
  private final StateFolder state;
  private final Tuning user;

  BesideRunsTest(@TempDir Path dir) throws IOException {
    sys = new FakeSys(dir.resolve("sys"), Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim());
    tree = sys.tree("net:[1]");
    state = new StateFolder(dir.resolve("state"), null);
    user = new Tuning(tree, state);
  }

  private static SettingsProfile profile(String text) {
    return SettingsProfile.parse(text, "p", "p.conf");
  }

  private String value() throws IOException {
    return String.valueOf(tree.read(KEY));
  }

  @Test
  void restoreWaitsForTheRunAndTheOldValueComesBack() throws IOException {
    user.apply(USERS, false);
    RunJournal run = new RunJournal(tree, state, JournalName.Whose.thisRun());
    run.apply(RUNS);
    List<Path> journals = state.journals();
    assertThatThrownBy(() -> user.restore(null, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("a run of process %d has kernel settings of its own in force here", ProcessHandle.current().pid())
        .hasMessageContaining("nothing was put back");
    assertThatThrownBy(() -> user.wouldRestore(null, false)).hasMessageContaining("nothing was put back");
    assertThat(value()).isEqualTo("128");
    assertThat(state.journals()).isEqualTo(journals);

    run.close();
    assertThat(value()).isEqualTo("65535");
    user.restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
    assertThat(state.journals()).isEmpty();
  }

  @Test
  void theEndOfARunWaitsForWhoIsAtWork() throws IOException {
    RunJournal run = new RunJournal(tree, state, JournalName.Whose.thisRun());
    run.apply(RUNS);
    try (FileChannel channel = FileChannel.open(state.dir().resolve("tune.lock"), StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(run::close)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at work with the journals in " + state.dir())
          .hasMessageContaining("./ladder tune restore");
      assertThat(value()).isEqualTo("128");
    }
    run.close();
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
    assertThat(state.journals()).isEmpty();
  }

  /** A run that is interrupted ends so. */
  @Test
  void anInterruptedThreadPutsBackAllTheSame() throws IOException {
    RunJournal run = new RunJournal(tree, state, JournalName.Whose.thisRun());
    run.apply(RUNS);
    Thread.currentThread().interrupt();
    run.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  /** Whichever folder the user names: the kernel has one value. */
  @Test
  void anotherFolderIsNoWayAround() throws IOException {
    RunJournal run = new RunJournal(tree, state, JournalName.Whose.thisRun());
    run.apply(RUNS);
    Tuning elsewhere = new Tuning(tree, new StateFolder(state.dir().resolveSibling("other"), state.dir()));
    assertThatThrownBy(() -> elsewhere.apply(profile("net.core.somaxconn = 9000"), false)).hasMessageContaining("nothing was set");
    assertThatThrownBy(() -> elsewhere.restore(null, false)).hasMessageContaining("nothing was put back");
    assertThat(value()).isEqualTo("128");
    run.close();
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  /** The one that was killed is undone first, in a dry run too. */
  @Test
  void aKilledRunsValueIsNobodyElsesDoing() throws IOException {
    user.apply(USERS, false);
    new Tuning(tree, state, KILLED, (_, _) -> {}).apply(RUNS, true);
    List<String> expected = List.of("net.core.somaxconn = 65535 (now '128')", "net.core.somaxconn = 4096 (now '65535')");
    assertThat(user.wouldRestore(null, false).restored()).isEqualTo(expected);
    assertThat(user.restore(null, false).restored()).containsExactly("net.core.somaxconn = 65535", "net.core.somaxconn = 4096");
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  /** Killed between the line of the journal and the second change, what is in force is the first apply's. */
  @Test
  void theValueOfAnEarlierApplyIsNobodyElsesDoing() throws IOException {
    user.apply(USERS, false);
    user.apply(profile("net.core.somaxconn = 70000"), false);
    sys.put(KEY, "65535");
    assertThat(user.restore(null, false).restored()).containsExactly("net.core.somaxconn = 4096");
  }
}
