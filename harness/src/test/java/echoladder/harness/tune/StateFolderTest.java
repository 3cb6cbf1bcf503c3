package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in a folder of journals is written as root to kernel settings: nobody else may have put it there. */
final class StateFolderTest {
  private static final SettingsProfile PROFILE = SettingsProfile.parse("vm.max_map_count = 70000\n", "p", "p.conf");

  /** Not root, and not whoever runs this. */
  private static final int SOMEBODY = 65_534;

  private final Path dir;
  private final Path state;
  private final FakeSys sys;

  StateFolderTest(@TempDir Path dir) {
    this.dir = dir;
    state = dir.resolve("state");
    sys = new FakeSys(dir.resolve("sys"), "b001");
  }

  private Tuning tuning(Path folder) {
    return new Tuning(sys.tree("net:[1]"), new StateFolder(folder, null));
  }

  private void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private Path journal() throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files.filter(file -> file.toString().endsWith(".jsonl")).findFirst().orElseThrow();
    }
  }

  @Test
  void whatItMakesIsItsUsersAlone() throws IOException {
    tuning(state).apply(PROFILE, false);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state))).isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(journal()))).isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwxr-xrwx", "rwxrwxrwx"})
  void aFolderThatOthersMayWriteToIsNotUsed(String permissions) throws IOException {
    permit(Files.createDirectory(state), permissions);
    assertThatThrownBy(() -> tuning(state).apply(PROFILE, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("its group or others may write to it");
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  /** Not even root may make a folder there. */
  @Test
  void aPlaceThatCannotBeWrittenIsToldBeforehand() {
    assertThat(new StateFolder(Path.of("/proc/sys/kernel/echo-ladder"), null).complaint())
        .isEqualTo("old values cannot be noted in /proc/sys/kernel/echo-ladder, as /proc/sys/kernel cannot be written");
    assertThat(new StateFolder(state, null).complaint()).isNull();
  }

  @Test
  void aLinkIsNoFolder() throws IOException {
    Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(state, elsewhere);
    assertThatThrownBy(() -> tuning(link).apply(PROFILE, false)).hasMessageContaining("it is a link");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void aJournalThatOthersMayWriteToIsNotPutBack() throws IOException {
    tuning(state).apply(PROFILE, false);
    permit(journal(), "rw-rw-rw-");
    assertThatThrownBy(() -> tuning(state).restore(null, false)).hasMessageContaining("is not to be trusted");
    assertThat(sys.values()).containsEntry("vm.max_map_count", "70000");
  }

  @Needs(Need.OTHER_OWNERS)
  @Test
  void aFolderOfAnotherUserIsNotUsed() throws IOException {
    Files.setAttribute(Files.createDirectory(state), "unix:uid", SOMEBODY);
    assertThatThrownBy(() -> tuning(state).apply(PROFILE, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(state + " is not to be trusted")
        .hasMessageContaining("it belongs to user " + SOMEBODY);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  @Needs(Need.OTHER_OWNERS)
  @Test
  void aJournalOfAnotherUserIsNotPutBack() throws IOException {
    tuning(state).apply(PROFILE, false);
    Files.setAttribute(journal(), "unix:uid", SOMEBODY);
    assertThatThrownBy(() -> tuning(state).restore(null, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(journal() + " is not to be trusted")
        .hasMessageContaining("it belongs to user " + SOMEBODY);
    assertThat(sys.values()).containsEntry("vm.max_map_count", "70000");
  }

  @Test
  void aLinkInPlaceOfAJournalIsNeitherReadNorWrittenThrough() throws IOException {
    tuning(state).apply(PROFILE, false);
    Path journal = journal();
    Path victim = Files.writeString(dir.resolve("victim"), "mine\n");
    Files.delete(journal);
    Files.createSymbolicLink(journal, victim);
    assertThatThrownBy(() -> tuning(state).apply(SettingsProfile.parse("kernel.pid_max = 99999", "p", "p"), false))
        .hasMessageContaining("it is a link");
    assertThat(victim).hasContent("mine\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..victim", "/victim", ".victim", "sys/../victim", "net/../../victim", "../victim", "victim"})
  void aKeyNeverLeavesTheTree(String key) throws IOException {
    Path victim = Files.writeString(dir.resolve("victim"), "mine\n");
    SysTree tree = new SysTree(dir.resolve("sys"), "net:[1]");
    for (String tried : List.of(key, key.startsWith("/") ? victim.toString() : key)) {
      assertThatThrownBy(() -> tree.read(tried)).isInstanceOf(Refusal.class).hasMessageContaining("no name of a kernel setting");
      assertThatThrownBy(() -> tree.write(tried, "1")).isInstanceOf(Refusal.class);
    }
    assertThat(victim).hasContent("mine\n");
  }

  @Test
  void aLinkInTheTreeIsNotFollowed() throws IOException {
    Path victim = Files.writeString(Files.createDirectory(dir.resolve("other")).resolve("victim"), "mine\n");
    Files.createSymbolicLink(sys.root.resolve("kernel/led"), Objects.requireNonNull(victim.getParent()));
    assertThatThrownBy(() -> sys.tree("net:[1]").write("kernel.led.victim", "1")).hasMessageContaining("is a link");
    assertThat(victim).hasContent("mine\n");
  }

  @Test
  void aJournalsKeyDoesNotLeaveTheTreeEither() throws IOException {
    Path victim = Files.writeString(dir.resolve("victim"), "mine\n");
    tuning(state).apply(PROFILE, false);
    String key = victim.toString();
    Files.writeString(
        journal(), Files.readString(journal()).replace("\"key\":\"vm.max_map_count\"", "\"key\":\"" + key + "\""));
    assertThatThrownBy(() -> tuning(state).restore(null, false)).hasMessageContaining("no name of a kernel setting");
    assertThat(victim).hasContent("mine\n");
  }

  /** Settings of the whole host have one lock, wherever the journals are. */
  @Test
  void twoFoldersOfOneHostTakeTurns() throws Exception {
    Path hosts = dir.resolve("hosts");
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    StateFolder first = new StateFolder(dir.resolve("first"), hosts);
    Thread atWork =
        Thread.ofVirtual()
            .start(
                () ->
                    first.locked(
                        () -> {
                          inside.countDown();
                          try {
                            return leave.await(60, TimeUnit.SECONDS);
                          } catch (InterruptedException e) {
                            return false;
                          }
                        }));
    assertThat(inside.await(60, TimeUnit.SECONDS)).isTrue();
    Tuning second = new Tuning(sys.tree("net:[1]"), new StateFolder(dir.resolve("second"), hosts));
    assertThatThrownBy(() -> second.apply(PROFILE, false)).hasMessageContaining("at work with the journals in " + hosts);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
    leave.countDown();
    atWork.join();
    second.apply(PROFILE, false);
    assertThat(sys.values()).containsEntry("vm.max_map_count", "70000");
  }
}
