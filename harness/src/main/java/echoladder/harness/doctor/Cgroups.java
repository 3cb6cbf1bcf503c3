package echoladder.harness.doctor;

import echoladder.harness.common.ProcText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The limits of control groups, of version 1 and 2, effective over all ancestors that this process can see. */
final class Cgroups {
  /** Version 1 writes the greatest number of whole pages where nothing is limited. */
  private static final long UNLIMITED = 1L << 62;

  private static final int MOST_LEVELS = 100;

  private final Path root;
  private final String process;

  /** Of this process; {@code root} is {@code /}, or a folder of the same form. */
  Cgroups(Path root) {
    this(root, "self");
  }

  /** Of a process by its id, or {@code self}. */
  Cgroups(Path root, String process) {
    this.root = root;
    this.process = process;
  }

  /** Tasks, where a group limits them. */
  @Nullable CgroupLimit pids() {
    return tightest("pids", "pids.max", "pids.current", "pids.max", "pids.current", null, null);
  }

  /** Bytes of memory, where a group limits them. */
  @Nullable CgroupLimit memory() {
    return tightest(
        "memory",
        "memory.max",
        "memory.current",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "inactive_file ",
        "total_inactive_file ");
  }

  private @Nullable CgroupLimit tightest(
      String controller,
      String max2,
      String used2,
      String max1,
      String used1,
      @Nullable String cache2,
      @Nullable String cache1) {
    CgroupLimit tightest = null;
    for (String line : ProcText.lines(root.resolve("proc").resolve(process).resolve("cgroup").toString())) {
      String[] parts = line.split(":", 3);
      boolean version2 = parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty();
      if (parts.length != 3 || !(version2 || List.of(parts[1].split(",", -1)).contains(controller))) {
        continue;
      }
      Mount mount = mount(version2 ? null : controller);
      if (mount == null) {
        continue;
      }
      CgroupLimit found =
          version2
              ? climb(mount, parts[2], max2, used2, cache2)
              : climb(mount, parts[2], max1, used1, cache1);
      if (found != null && (tightest == null || found.left() < tightest.left())) {
        tightest = found;
      }
    }
    return tightest;
  }

  /** From the group of this process up to the top of the mount. */
  private @Nullable CgroupLimit climb(Mount mount, String group, String max, String used, @Nullable String cache) {
    Path top = root.resolve(mount.point().substring(1));
    Path at = top.resolve(below(mount.root(), group)).normalize();
    // A group outside of what is mounted here, as in some containers: only the top is to be seen.
    if (!at.startsWith(top) || !Files.isDirectory(at)) {
      at = top;
    }
    CgroupLimit tightest = null;
    for (int level = 0; level < MOST_LEVELS && at != null && at.startsWith(top); level++, at = at.getParent()) {
      OptionalLong limit = ProcText.number(at.resolve(max).toString());
      OptionalLong taken = ProcText.number(at.resolve(used).toString());
      if (limit.isEmpty() || taken.isEmpty() || limit.getAsLong() >= UNLIMITED) {
        continue;
      }
      long idle =
          cache == null ? 0 : ProcText.number(ProcText.lines(at.resolve("memory.stat").toString()), cache).orElse(0);
      CgroupLimit here =
          new CgroupLimit(
              "/" + root.relativize(at.resolve(max)),
              limit.getAsLong(),
              Math.max(0, taken.getAsLong() - idle),
              Files.isWritable(at.resolve(max)));
      if (tightest == null || here.left() < tightest.left()) {
        tightest = here;
      }
    }
    return tightest;
  }

  private static String below(String mountRoot, String group) {
    String inside = group.startsWith(mountRoot) ? group.substring(mountRoot.length()) : group;
    return inside.replaceFirst("^/+", "");
  }

  private record Mount(String root, String point) {}

  /** Where the controller of version 1 is mounted, or version 2 (null). */
  private @Nullable Mount mount(@Nullable String controller) {
    for (String line : ProcText.lines(root.resolve("proc/self/mountinfo").toString())) {
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
