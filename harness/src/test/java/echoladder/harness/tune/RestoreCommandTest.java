package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A command that a message prints does as it is printed what the message says of it. */
final class RestoreCommandTest {
  private static final SysTree KERNELS = new SysTree(SysTree.KERNELS, "net:[1]");
  private static final SysTree OTHER = new SysTree(Path.of("/tmp/a tree"), "net:[1]");

  @Test
  void namesNoFolderThatItTakesByItself() {
    Path own = StateFolder.own().dir();
    assertThat(new RestoreCommand(KERNELS, own).again(false)).isEqualTo("./ladder tune restore");
    assertThat(new RestoreCommand(KERNELS, own).again(true)).isEqualTo("sudo ./ladder tune restore");
    assertThat(new RestoreCommand(KERNELS, StateFolder.ROOTS).asRoot()).isEqualTo("sudo ./ladder tune restore");
  }

  @Test
  void namesEachOtherFolder() {
    RestoreCommand command = new RestoreCommand(OTHER, Path.of("/tmp/it's mine"));
    assertThat(command.again(false)).isEqualTo("./ladder tune restore --state '/tmp/it'\\''s mine' --proc-sys '/tmp/a tree'");
    assertThat(command.asRoot()).isEqualTo("sudo " + command.again(false));
    assertThat(new RestoreCommand(KERNELS, Path.of("/home/u/.local/state/echo-ladder")).asRoot())
        .isEqualTo("sudo ./ladder tune restore --state /home/u/.local/state/echo-ladder");
  }
}
