package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TuningTest {
  private static final String NET = "net:[4026531840]";
  private static final SettingsProfile PROFILE =
      profile(
          """
          net.core.somaxconn = 1024
          net.core.netdev_max_backlog = 5000
          net.ipv4.tcp_mem = 500000 1000000 400000
          net.ipv4.ip_local_port_range = 40000 65535
          -net.netfilter.nf_conntrack_max = 7
          """);

  private final FakeSys sys;
  private final Path state;

  TuningTest(@TempDir Path dir) {
    sys = new FakeSys(dir.resolve("sys"), "b001");
    state = dir.resolve("state");
  }

  private static SettingsProfile profile(String text) {
    return SettingsProfile.parse(text, "p", "p.conf");
  }

  private Tuning tuning() {
    return new Tuning(sys.tree(NET), new StateFolder(state, null));
  }

  private List<String> journals() throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files.map(f -> f.getFileName().toString()).filter(n -> !n.equals("tune.lock")).sorted().toList();
    }
  }

  @Test
  void whatIsHigherIsKeptFieldByField() throws IOException {
    tuning().apply(PROFILE, false);
    assertThat(sys.values())
        .containsEntry("net.core.somaxconn", "4096")
        .containsEntry("net.core.netdev_max_backlog", "5000")
        .containsEntry("net.ipv4.tcp_mem", "500000 1000000 575796")
        .containsEntry("net.ipv4.ip_local_port_range", "32768 65535");
    assertThat(journals()).containsExactly("tune-b001-host.jsonl", "tune-b001-net-4026531840.jsonl");
    tuning().restore("p", false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
    assertThat(journals()).isEmpty();
  }

  @Test
  void lowersWhenTold() {
    tuning().apply(PROFILE, true);
    assertThat(sys.values())
        .containsEntry("net.core.somaxconn", "1024")
        .containsEntry("net.ipv4.tcp_mem", "500000 1000000 400000")
        .containsEntry("net.ipv4.ip_local_port_range", "40000 65535");
    tuning().restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  @Test
  void anEmptyValueComesBackEmpty() {
    tuning().apply(profile("net.ipv4.ip_local_reserved_ports = 9000,9100"), false);
    assertThat(sys.values()).containsEntry("net.ipv4.ip_local_reserved_ports", "9000,9100");
    tuning().restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  /** The kernel reads it back so, and what an administrator has reserved stays reserved. */
  @Test
  void reservedPortsAreInTheKernelsForm() {
    sys.put("net.ipv4.ip_local_reserved_ports", "8080");
    tuning().apply(profile("net.ipv4.ip_local_reserved_ports = 9101,9100,9000"), false);
    assertThat(sys.values()).containsEntry("net.ipv4.ip_local_reserved_ports", "8080,9000,9100-9101");
    assertThat(tuning().plan(profile("net.ipv4.ip_local_reserved_ports = 9100-9101"), false).getFirst().satisfied()).isTrue();
    tuning().restore(null, false);
    assertThat(sys.values()).containsEntry("net.ipv4.ip_local_reserved_ports", "8080");
  }

  @Test
  void aSecondApplyKeepsTheFirstOldValues() {
    tuning().apply(PROFILE, false);
    tuning().apply(profile("net.core.netdev_max_backlog = 9000\nvm.max_map_count = 70000"), false);
    assertThat(sys.values()).containsEntry("net.core.netdev_max_backlog", "9000");
    tuning().restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  @Test
  void aPartialFailureIsUndone() throws IOException {
    Tuning failing =
        new Tuning(
            sys.tree(NET),
            new StateFolder(state, null),
            JournalName.Whose.USERS,
            (step, key) -> {
              if (step == Step.BEFORE_CHANGE && key.equals("net.ipv4.tcp_mem")) {
                delete(sys.root.resolve("net/ipv4/tcp_mem"));
              }
            });
    assertThatThrownBy(() -> failing.apply(PROFILE, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("net.ipv4.tcp_mem could not be set from '287898 383867 575796' to '500000 1000000 575796'")
        .hasMessageContaining("putting back failed too for net.ipv4.tcp_mem");
    assertThat(sys.values()).containsEntry("net.core.netdev_max_backlog", "1000");
    sys.put("net.ipv4.tcp_mem", "287898 383867 575796");
    tuning().restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
    assertThat(journals()).isEmpty();
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void refusesAfterAReboot() throws IOException {
    tuning().apply(PROFILE, false);
    Map<String, String> applied = sys.values();
    sys.put("kernel.random.boot_id", "b002");
    assertThatThrownBy(() -> tuning().restore(null, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("nothing was put back")
        .hasMessageContaining("is of boot b001, this is boot b002");
    assertThat(sys.values()).isEqualTo(applied);
    // Renaming it is no way around: the header counts.
    Files.move(state.resolve("tune-b001-host.jsonl"), state.resolve("tune-b002-host.jsonl"));
    assertThatThrownBy(() -> tuning().restore(null, false)).hasMessageContaining("says that it is of boot b001");
    assertThat(sys.values()).isEqualTo(applied);
  }

  @Test
  void eachNamespaceHasItsJournal() {
    tuning().apply(profile("net.core.somaxconn = 9000"), false);
    Tuning elsewhere = new Tuning(sys.tree("net:[7]"), new StateFolder(state, null));
    assertThatThrownBy(() -> elsewhere.restore(null, false)).hasMessageContaining("is of network namespace " + NET);
    assertThat(sys.values()).containsEntry("net.core.somaxconn", "9000");
    tuning().restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  @Test
  void refusesToRestoreAnotherProfile() {
    tuning().apply(PROFILE, false);
    assertThatThrownBy(() -> tuning().restore("other", false)).hasMessageContaining("hold what 'p' changed, not 'other'");
  }

  @Test
  void saysWhoseValueItOverwrites() {
    tuning().apply(PROFILE, false);
    sys.put("net.core.netdev_max_backlog", "77");
    assertThat(tuning().restore(null, false).restored())
        .contains("net.core.netdev_max_backlog = 1000 (something else had set it to '77')");
  }

  @Test
  void aHalfWrittenLineIsAChangeThatNeverWas() throws IOException {
    tuning().apply(profile("vm.max_map_count = 70000"), false);
    Path journal = state.resolve("tune-b001-host.jsonl");
    Files.writeString(journal, "{\"key\":\"kernel.pid_max\",\"old\":\"3", StandardOpenOption.APPEND);
    tuning().apply(profile("kernel.pid_max = 99999"), false);
    assertThat(Files.readAllLines(journal)).hasSize(3).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    tuning().restore(null, false);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  @Test
  void aDamagedJournalIsNotGuessedAt() throws IOException {
    tuning().apply(profile("vm.max_map_count = 70000"), false);
    Files.writeString(state.resolve("tune-b001-host.jsonl"), "nonsense\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> tuning().restore(null, false)).isInstanceOf(Refusal.class).hasMessageContaining("cannot be read");
  }

  @Test
  void keepsWhatAnAdministratorHasSetSince() throws IOException {
    tuning().apply(PROFILE, false);
    sys.put("net.core.netdev_max_backlog", "77");
    assertThat(tuning().restore(null, true).restored())
        .contains("net.core.netdev_max_backlog = 77 (kept: something else has set it since; it was '1000' before)")
        .contains("net.ipv4.tcp_mem = 287898 383867 575796");
    assertThat(sys.values())
        .containsEntry("net.core.netdev_max_backlog", "77")
        .containsEntry("net.ipv4.tcp_mem", "287898 383867 575796");
    assertThat(journals()).isEmpty();
  }

  @Test
  void aDryRunShowsAndChangesNothing() throws IOException {
    tuning().apply(PROFILE, false);
    Map<String, String> applied = sys.values();
    List<String> journals = journals();
    assertThat(tuning().wouldRestore(null, false).restored())
        .contains("net.core.netdev_max_backlog = 1000 (now '5000')");
    assertThat(sys.values()).isEqualTo(applied);
    assertThat(journals()).isEqualTo(journals);
  }

  @Test
  void oneAtATime() throws IOException {
    Files.createDirectories(state);
    try (FileChannel channel =
            FileChannel.open(
                state.resolve("tune.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(() -> tuning().apply(PROFILE, false)).isInstanceOf(Refusal.class).hasMessageContaining("at work");
    }
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }

  @Test
  void planChangesNothing() {
    assertThat(tuning().plan(PROFILE, false))
        .extracting(Change::standing)
        .containsExactly(
            Change.Standing.HIGHER,
            Change.Standing.DIFFERENT,
            Change.Standing.DIFFERENT,
            Change.Standing.DIFFERENT,
            Change.Standing.ABSENT_AS_ALLOWED);
    assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
  }
}
