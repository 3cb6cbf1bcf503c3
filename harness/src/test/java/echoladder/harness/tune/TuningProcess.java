package echoladder.harness.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that applies or restores and is killed on the way. */
public final class TuningProcess {
  private TuningProcess() {}

  /** Arguments: apply|restore, root, folder of the journals, profile, the step to die at (-1 = none). */
  public static void main(String[] args) throws IOException {
    int[] left = {Integer.parseInt(args[4])};
    Tuning tuning =
        new Tuning(
            SysTree.at(Path.of(args[1])),
            new StateFolder(Path.of(args[2]), null),
            JournalName.Whose.USERS,
            (step, key) -> {
              if (left[0]-- == 0) {
                killed();
              }
            });
    if (args[0].equals("apply")) {
      tuning.apply(SettingsProfile.parse(Files.readString(Path.of(args[3])), "p", args[3]), true);
    } else {
      tuning.restore(null, false);
    }
  }

  private static void killed() {
    try {
      new ProcessBuilder("sh", "-c", "kill -KILL $PPID").inheritIO().start();
      // The signal comes before this ends.
      new CountDownLatch(1).await();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("cannot kill this process", e);
    }
  }
}
