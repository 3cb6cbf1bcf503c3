package echoladder.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The control groups that a process is in, of version 1 and 2, found by what is mounted here and not by where it usually
 * is. All who read or make groups ask this, so that they look at the same ones.
 *
 * @param root {@code /}, or a folder of the same form
 * @param process its id, or {@code self}
 */
public record ControlGroups(Path root, String process) {
  private static final int MOST_LEVELS = 100;

  /**
   * A group.
   *
   * @param dir its folder
   * @param version 1 or 2, on which the names of its files depend
   */
  public record Group(Path dir, int version) {
    /** A file of it, by what it is called in each version. */
    public Path file(String version1, String version2) {
      return dir.resolve(version == 1 ? version1 : version2);
    }
  }

  /** The groups of a process of this host. */
  public static ControlGroups of(long pid) {
    return new ControlGroups(Path.of("/"), Long.toString(pid));
  }

  /** The groups of this process. */
  public static ControlGroups own() {
    return new ControlGroups(Path.of("/"), "self");
  }

  /**
   * The groups that a controller (as {@code memory}, {@code pids}) binds the process by: its own first, then those above, up
   * to the top of what is mounted. Where a kernel has both versions mounted, those of each. None = it is not mounted here.
   */
  public List<Group> with(String controller) {
    List<Group> groups = new ArrayList<>();
    for (String line : lines(root.resolve("proc").resolve(process).resolve("cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length != 3) {
        continue;
      }
      boolean version2 = parts[0].equals("0") && parts[1].isEmpty();
      if (version2 || List.of(parts[1].split(",", -1)).contains(controller)) {
        Mount mount = mount(version2 ? null : controller);
        if (mount != null) {
          climb(mount, parts[2], version2 ? 2 : 1, groups);
        }
      }
    }
    return groups;
  }

  /** Where groups with that controller are made: the top of what is mounted of it; null where it is not. */
  public @Nullable Group top(String controller) {
    Mount version1 = mount(controller);
    if (version1 != null) {
      return new Group(folder(version1), 1);
    }
    Mount version2 = mount(null);
    return version2 != null
            && lines(folder(version2).resolve("cgroup.controllers")).stream()
                .anyMatch(line -> List.of(line.split(" ", -1)).contains(controller))
        ? new Group(folder(version2), 2)
        : null;
  }

  private void climb(Mount mount, String group, int version, List<Group> into) {
    Path top = folder(mount);
    Path at = top.resolve(below(mount.root, group)).normalize();
    // A group outside of what is mounted here, as in some containers: only the top is to be seen.
    if (!at.startsWith(top) || !Files.isDirectory(at)) {
      at = top;
    }
    for (int level = 0; level < MOST_LEVELS && at != null && at.startsWith(top); level++, at = at.getParent()) {
      into.add(new Group(at, version));
    }
  }

  private Path folder(Mount mount) {
    return root.resolve(mount.point.substring(1));
  }

  private static String below(String mountRoot, String group) {
    boolean mounted = mountRoot.equals("/") || group.equals(mountRoot) || group.startsWith(mountRoot + "/");
    String inside = mounted ? group.substring(mountRoot.length()) : group;
    return inside.replaceFirst("^/+", "");
  }

  /** None where there is no such file: a process that is gone, a kernel without control groups. */
  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  private record Mount(String root, String point) {}

  /** Where the controller of version 1 is mounted, or version 2 (null). */
  private @Nullable Mount mount(@Nullable String controller) {
    for (String line : lines(root.resolve("proc/self/mountinfo"))) {
      // 36 35 0:31 ROOT POINT OPTIONS [FIELDS...] - TYPE SOURCE SUPER_OPTIONS
      String[] halves = line.split(" - ", 2);
      String[] first = halves[0].split(" ", -1);
      String[] second = halves.length < 2 ? new String[0] : halves[1].split(" ", -1);
      if (first.length < 5 || second.length < 3) {
        continue;
      }
      boolean matches =
          controller == null
              ? second[0].equals("cgroup2")
              : second[0].equals("cgroup") && List.of(second[2].split(",", -1)).contains(controller);
      if (matches) {
        return new Mount(first[3], first[4]);
      }
    }
    return null;
  }
}
