package echoladder.harness.lab;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Whether a lab of root's can be given a read-only view of this host: it takes a mount namespace. */
final class Confinement {
  private Confinement() {}

  /**
   * Tries it.
   *
   * @throws Refusal (cannot run) where there can be no such namespace
   */
  static void refuseWhereThereIsNone() {
    String said;
    try {
      Process tried =
          new ProcessBuilder("unshare", "--mount", "--propagation", "private", "true").redirectErrorStream(true).start();
      said = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (tried.waitFor() == 0) {
        return;
      }
    } catch (IOException e) {
      said = String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      said = "interrupted";
    }
    throw Refusal.cannotRun(
        ("a lab of root's sees this host read-only, which takes a mount namespace, and none can be made here (%s); nothing was started."
            + " Run it as an ordinary user; or with --write /, and then it may write everywhere: runbooks/procedures/use-the-lab.md")
            .formatted(said));
  }
}
