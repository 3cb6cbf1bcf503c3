package echoladder.harness.tune;

import echoladder.harness.common.ShellWord;
import java.nio.file.Path;

/**
 * The command that puts back what a journal holds, as a shell takes it.
 *
 * @param tree whose settings they are
 * @param journals the folder of the journals
 */
record RestoreCommand(SysTree tree, Path journals) {
  /**
   * For the user of this process.
   *
   * @param sudo whether this user became root by sudo
   */
  String again(boolean sudo) {
    return text(sudo, StateFolder.own().dir());
  }

  /** For root, whoever this process is of. */
  String asRoot() {
    return text(true, StateFolder.ROOTS);
  }

  /** Names each folder that differs from what the command takes by itself. */
  private String text(boolean sudo, Path usual) {
    return (sudo ? "sudo " : "")
        + "./ladder tune restore"
        + (journals.equals(usual) ? "" : " --state " + ShellWord.of(journals.toString()))
        + (tree.root().equals(SysTree.KERNELS) ? "" : " --proc-sys " + ShellWord.of(tree.root().toAbsolutePath().toString()));
  }
}
