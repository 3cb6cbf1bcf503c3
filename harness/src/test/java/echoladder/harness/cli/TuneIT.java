package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.Root;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ladder tune} as a process, on a folder in place of /proc/sys. */
@Needs(Need.SETPRIV)
class TuneIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path dir;

  private Path maps = Path.of("");

  @BeforeEach
  void tree() throws IOException {
    maps = dir.resolve("sys/vm/max_map_count");
    Files.createDirectories(dir.resolve("sys/kernel/random"));
    Files.createDirectories(dir.resolve("sys/vm"));
    Files.writeString(dir.resolve("sys/kernel/random/boot_id"), "b001\n");
    Files.writeString(maps, "65530\n");
    Files.writeString(dir.resolve("p.conf"), "vm.max_map_count = 70000\n");
  }

  /** By somebody whom permissions bind, which they do not root, and who became root without sudo. */
  private LadderProcess tune(String... arguments) {
    return tuneBy(List.of("env", "--unset=SUDO_UID"), arguments);
  }

  private LadderProcess tuneBy(List<String> starter, String... arguments) {
    List<String> bound = new ArrayList<>(starter);
    if (Root.uid() == 0) {
      bound.addAll(List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-dac_override,-dac_read_search"));
    }
    List<String> where = List.of("--state", dir.resolve("state").toString(), "--proc-sys", dir.resolve("sys").toString());
    return LadderProcess.startWith(
        bound,
        HOME,
        dir,
        Stream.of(List.of("tune"), List.of(arguments), where).flatMap(List::stream).toArray(String[]::new));
  }

  @Test
  void aJournalThatMayNotBeReadEndsWithOneAndChangesNothing() throws Exception {
    String command = "./ladder tune restore --state " + dir.resolve("state") + " --proc-sys " + dir.resolve("sys");
    try (LadderProcess apply = tune("apply", dir.resolve("p.conf").toString())) {
      assertThat(apply.status()).as(apply.err()).isZero();
      assertThat(apply.err()).contains("'" + command + "' puts back");
    }
    Path journal;
    try (Stream<Path> files = Files.list(dir.resolve("state"))) {
      journal = files.filter(file -> file.toString().endsWith(".jsonl")).findFirst().orElseThrow();
    }
    Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("---------"));
    try (LadderProcess restore = tune("restore")) {
      assertThat(restore.status()).isEqualTo(1);
      assertThat(restore.err()).contains("the journal " + journal + " is there, and this user may not read it", "As root: sudo " + command + "\n");
    }
    assertThat(maps).hasContent("70000\n");
    Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rw-------"));
    try (LadderProcess restore = tune("restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
      assertThat(restore.out()).isEqualTo("vm.max_map_count = 65530\n");
    }
    assertThat(maps).hasContent("65530\n");
    // Only root was somebody else before: for another user the variable says nothing.
    try (LadderProcess apply = tuneBy(List.of("env", "SUDO_UID=1000"), "apply", dir.resolve("p.conf").toString())) {
      assertThat(apply.status()).as(apply.err()).isZero();
      assertThat(apply.err()).contains("'" + (Root.uid() == 0 ? "sudo " : "") + command + "' puts back");
    }
  }
}
