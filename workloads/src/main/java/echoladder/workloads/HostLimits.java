package echoladder.workloads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The limits that this host and the control groups around this process set. */
final class HostLimits {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final long RESERVE_LEAST = 512L << 20;
  private static final int RESERVE_SHARE = 32;

  private HostLimits() {}

  /**
   * Those in force for a workload.
   *
   * @param askedBytes the memory it was given; null for what is right on this host
   */
  static Limits of(@Nullable Long askedBytes, long timeNs, long availableBytes, long totalBytes) {
    Map<Long, String> memory = new TreeMap<>();
    Long group = memoryOfGroup();
    if (group != null) {
      memory.put(group, "limit of its control group");
    }
    if (askedBytes == null) {
      memory.put(availableBytes / 5 * 4, "four fifths of what the host had available at the start");
    } else {
      memory.put(askedBytes, group != null && group <= askedBytes
          ? "--memory-limit, enforced by its control group too"
          : "--memory-limit, enforced by its own readings alone");
    }
    var least = memory.entrySet().iterator().next();
    var tasks = tasks();
    return new Limits(
        least.getKey(),
        least.getValue(),
        Math.max(RESERVE_LEAST, totalBytes / RESERVE_SHARE),
        tasks.getKey(),
        tasks.getValue(),
        timeNs);
  }

  private static Map.Entry<Long, String> tasks() {
    TreeMap<Long, String> limits = new TreeMap<>();
    put(limits, NumberFile.only(Path.of("/proc/sys/kernel/pid_max")), "kernel.pid_max");
    put(limits, NumberFile.only(Path.of("/proc/sys/kernel/threads-max")), "kernel.threads-max");
    put(limits, NumberFile.only(groupFile("pids", "pids.max")), "pids.max of its control group");
    put(limits, processesOfUser(), "RLIMIT_NPROC");
    return limits.isEmpty() ? Map.entry(Long.MAX_VALUE, "nothing") : limits.firstEntry();
  }

  private static void put(Map<Long, String> limits, @Nullable Long limit, String name) {
    if (limit != null) {
      limits.putIfAbsent(limit, name);
    }
  }

  private static @Nullable Long processesOfUser() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
        if (line.startsWith("Max processes")) {
          String soft = line.substring("Max processes".length()).trim().split(" ", 2)[0];
          return soft.equals("unlimited") ? null : (Long) Long.parseLong(soft);
        }
      }
      return null;
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Long memoryOfGroup() {
    Long version2 = NumberFile.only(groupFile("", "memory.max"));
    Long limit = version2 != null ? version2 : NumberFile.only(groupFile("memory", "memory.limit_in_bytes"));
    // Version 1 writes "no limit" as the largest whole page.
    return limit == null || limit > 1L << 60 ? null : limit;
  }

  /** The file of the group that this process is in: by version 2 without, by version 1 with the controller's name. */
  private static Path groupFile(String controller, String name) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String[] parts = line.split(":", 3);
        if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
          Path group = CGROUPS.resolve(controller).resolve("." + parts[2]).resolve(name);
          if (Files.exists(group)) {
            return group;
          }
        }
      }
    } catch (IOException e) {
      // No /proc/self/cgroup: a kernel without control groups has no limit by them.
      return CGROUPS.resolve("none");
    }
    return CGROUPS.resolve("none");
  }
}
