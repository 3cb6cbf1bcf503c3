package echoladder.harness.settings;

import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A control group made for one process tree, of version 1 or 2, below the root of its hierarchy as this process sees it.
 *
 * @param dir its folder
 */
public record ControlGroup(Path dir) implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int MOST_TRIES = 50;
  private static final long BETWEEN_TRIES_MS = 100;

  /** Why there can be none with that controller here; null where there can. */
  public static @Nullable String complaint(String controller) {
    Path base = base(controller);
    return base == null
        ? "no control group with the controller '%s' can be made: this kernel does not have it, or it is not mounted below %s"
            .formatted(controller, ROOT)
        : Files.isWritable(base) ? null : "no control group can be made in " + base + ": this process may not write there";
  }

  /** Where groups with that controller are made; null where there are none. */
  private static @Nullable Path base(String controller) {
    Path version1 = ROOT.resolve(controller);
    if (Files.exists(version1.resolve("cgroup.procs"))) {
      return version1;
    }
    String there = ProcText.read(ROOT.resolve("cgroup.controllers").toString());
    return there != null && List.of(there.trim().split(" ", -1)).contains(controller) ? ROOT : null;
  }

  /**
   * Makes one.
   *
   * @param name of its folder
   * @param file of it that holds the limit, of version 2; version 1 has another name for memory's
   */
  public static ControlGroup make(String controller, String name, String file, long limit) throws IOException {
    Path base = base(controller);
    if (base == null) {
      throw new IOException(complaint(controller));
    }
    boolean version2 = base.equals(ROOT);
    if (version2) {
      Files.writeString(base.resolve("cgroup.subtree_control"), "+" + controller);
    }
    ControlGroup group = new ControlGroup(Files.createDirectory(base.resolve(name)));
    boolean made = false;
    try {
      String own = !version2 && file.equals("memory.max") ? "memory.limit_in_bytes" : file;
      Files.writeString(group.dir.resolve(own), Long.toString(limit));
      made = true;
      return group;
    } finally {
      if (!made) {
        group.close();
      }
    }
  }

  /** What starts a process in it: writes its own id there, and becomes the process. */
  public List<String> wrapper() {
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", dir.resolve("cgroup.procs").toString());
  }

  /** Removes it, once the last process has left it; one that stays is left to the user's eye. */
  @Override
  public void close() {
    boolean interrupted = false;
    for (int i = 0; i < MOST_TRIES; i++) {
      try {
        // A group is removed by rmdir alone; its files are the kernel's.
        Files.deleteIfExists(dir);
        break;
      } catch (IOException e) {
        try {
          TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MS);
        } catch (InterruptedException late) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
