package echoladder.harness.lab;

import echoladder.harness.common.Refusal;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Whether a lab of root's can be given a read-only view of this host: it takes a mount namespace. */
final class Confinement {
  private static final List<String> TRIAL = List.of("unshare", "--mount", "--propagation", "private", "true");
  private static final Duration BOUND = Duration.ofSeconds(30);

  private Confinement() {}

  /**
   * Tries it.
   *
   * @throws Refusal (cannot run) where there can be no such namespace
   */
  static void refuseWhereThereIsNone() {
    refuseWhereFails(TRIAL, BOUND);
  }

  static void refuseWhereFails(List<String> trial, Duration bound) {
    String why;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (HeadAndTail out = HeadAndTail.log(said);
        ChildProcess tried = ChildProcess.start(new ProcessBuilder(trial).redirectErrorStream(true), out, null)) {
      if (!tried.endsWithin(bound)) {
        why = "'%s' did not end within %.0f s".formatted(String.join(" ", trial), bound.toMillis() / 1e3);
      } else if (Objects.equals(tried.status(), 0)) {
        return;
      } else {
        boolean whole = tried.drained();
        why = tried.ending() + ": " + said.toString(StandardCharsets.UTF_8).strip() + (whole ? "" : "...");
      }
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      why = "interrupted";
    }
    throw Refusal.cannotRun(
        ("a lab of root's sees this host read-only, which takes a mount namespace, and none can be made here (%s); nothing was started."
            + " Run it as an ordinary user; or with --write /, and then it may write everywhere: runbooks/procedures/use-the-lab.md")
            .formatted(why));
  }
}
