package echoladder.harness.tune;

import echoladder.harness.common.ProcText;
import echoladder.linux.ControlGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control group made for one process tree, of version 1 or 2, below the root of its hierarchy as this process sees it.
 *
 * @param dir its folder
 */
public record ControlGroup(Path dir) implements AutoCloseable {
  private static final int MOST_TRIES = 50;
  private static final long BETWEEN_TRIES_MS = 100;

  /** A limit of a group. */
  public enum Kind {
    MEMORY("memory", "memory.limit_in_bytes", "memory.max"),
    TASKS("pids", "pids.max", "pids.max");

    private final String controller;
    private final String version1;
    private final String version2;

    Kind(String controller, String version1, String version2) {
      this.controller = controller;
      this.version1 = version1;
      this.version2 = version2;
    }
  }

  /** Why there can be none with that controller here; null where there can. */
  public static @Nullable String complaint(Kind kind) {
    return complaint(ControlGroups.own(), kind);
  }

  private static @Nullable String complaint(ControlGroups here, Kind kind) {
    ControlGroups.Group top = here.top(kind.controller);
    return top == null
        ? "no control group with the controller '%s' can be made: this kernel does not have it, or it is not mounted"
            .formatted(kind.controller)
        : Files.isWritable(top.dir()) ? null : "no control group can be made in " + top.dir() + ": this process may not write there";
  }

  /**
   * Makes what it takes for those limits together: of version 1 a group for each, in a hierarchy of its own; of version 2
   * one for all, as a process is in one group only.
   *
   * @param name of their folders
   * @param before takes the folder of each before it is made
   * @throws IOException where one cannot be made; then none is left
   */
  static List<ControlGroup> make(String name, Map<Kind, Long> limits, Consumer<Path> before) throws IOException {
    return make(ControlGroups.own(), name, limits, before);
  }

  static List<ControlGroup> make(ControlGroups here, String name, Map<Kind, Long> limits, Consumer<Path> before)
      throws IOException {
    List<ControlGroup> made = new ArrayList<>();
    boolean all = false;
    try {
      for (Map.Entry<Kind, Long> limit : new TreeMap<>(limits).entrySet()) {
        ControlGroups.Group top = here.top(limit.getKey().controller);
        if (top == null) {
          throw new IOException(complaint(here, limit.getKey()));
        }
        Path base = top.dir();
        boolean version2 = top.version() == 2;
        if (version2) {
          handOn(base, limit.getKey().controller);
        }
        if (!version2 || made.isEmpty()) {
          before.accept(base.resolve(name));
          made.add(new ControlGroup(Files.createDirectory(base.resolve(name))));
        }
        Files.writeString(
            made.getLast().dir.resolve(version2 ? limit.getKey().version2 : limit.getKey().version1),
            Long.toString(limit.getValue()));
      }
      all = true;
      return made;
    } finally {
      if (!all) {
        for (ControlGroup group : made) {
          group.close();
        }
      }
    }
  }

  /** Groups of version 2 have what the group above hands on to them. */
  private static void handOn(Path base, String controller) throws IOException {
    Path handed = base.resolve("cgroup.subtree_control");
    if (List.of(String.valueOf(ProcText.read(handed.toString())).trim().split(" ", -1)).contains(controller)) {
      return;
    }
    try {
      Files.writeString(handed, "+" + controller);
    } catch (IOException e) {
      throw new IOException(
          ("the controller '%s' cannot be handed on to a group below %s: %s. Of version 2 a group that has processes of its own, as the"
              + " top of a container's has, hands none on: run it on the host itself")
              .formatted(controller, base, e.getMessage()),
          e);
    }
  }

  /** What starts a process in it: writes its own id there, and becomes the process. */
  public List<String> wrapper() {
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", dir.resolve("cgroup.procs").toString());
  }

  /**
   * Removes it, once the last process has left it.
   *
   * @throws IOException where it stays
   */
  @Override
  public void close() throws IOException {
    boolean interrupted = false;
    IOException failure = null;
    for (int i = 0; i < MOST_TRIES; i++) {
      try {
        // A group is removed by rmdir alone; its files are the kernel's.
        Files.deleteIfExists(dir);
        failure = null;
        break;
      } catch (IOException e) {
        failure = e;
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
    if (failure != null) {
      List<String> inside = ProcText.lines(dir.resolve("cgroup.procs").toString());
      throw new IOException(
          "the control group %s could not be removed (%s); processes in it: %s; when they have ended: rmdir %s"
              .formatted(dir, failure, inside.isEmpty() ? "none to be seen" : String.join(", ", inside), dir),
          failure);
    }
  }
}
