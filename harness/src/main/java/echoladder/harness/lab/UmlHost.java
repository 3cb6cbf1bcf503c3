package echoladder.harness.lab;

import echoladder.harness.common.ProcText;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.HostLimits;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What User Mode Linux needs of its host.
 *
 * @param architecture as Java names it
 * @param path the folders of programs
 * @param temporary the environment's TMPDIR; null = not set
 * @param mounts the lines of /proc/self/mounts
 * @param memory what the host can give
 * @param maps vm.max_map_count; empty where it cannot be read
 */
record UmlHost(
    String architecture,
    List<Path> path,
    @Nullable Path temporary,
    List<String> mounts,
    HostLimits memory,
    OptionalLong maps) {

  static final String KERNEL = "linux.uml";

  /** The kernel's own pages for mappings and tables, and the harness beside it. */
  private static final long BESIDE_BYTES = 256L << 20;

  private static final int PAGE_BYTES = 4096;

  /** Programs with the Debian package that has each. */
  static final Map<String, String> PROGRAMS = new LinkedHashMap<>();

  static {
    PROGRAMS.put(KERNEL, "user-mode-linux");
    PROGRAMS.put("bash", "bash");
    PROGRAMS.put("setsid", "util-linux");
    PROGRAMS.put("setpriv", "util-linux");
    PROGRAMS.put("taskset", "util-linux");
    PROGRAMS.put("unshare", "util-linux");
    PROGRAMS.put("mount", "mount");
    PROGRAMS.put("ip", "iproute2");
    // Without it the kernel has no overlay, so nothing that a server unpacks or a run makes below /tmp can be written.
    PROGRAMS.put("insmod", "kmod");
  }

  static UmlHost own() {
    List<Path> folders = new ArrayList<>();
    for (String folder : String.valueOf(System.getenv("PATH")).split(":", -1)) {
      folders.add(Path.of(folder.isEmpty() ? "." : folder));
    }
    // Where mount and ip are, which not every user has on PATH.
    folders.add(Path.of("/usr/sbin"));
    folders.add(Path.of("/sbin"));
    String temporary = System.getenv("TMPDIR");
    return new UmlHost(
        System.getProperty("os.arch"),
        folders,
        temporary == null || temporary.isEmpty() ? null : Path.of(temporary),
        ProcText.lines("/proc/self/mounts"),
        HostLimits.of(HostFactsReader.read()),
        ProcText.number("/proc/sys/vm/max_map_count"));
  }

  /** Where a program is. */
  Path program(String name) {
    for (Path folder : path) {
      Path file = folder.resolve(name);
      if (Files.isExecutable(file) && !Files.isDirectory(file)) {
        return file.toAbsolutePath();
      }
    }
    throw Refusal.cannotRun(
        "the lab needs %s, which is not on PATH; install the Debian package %s (apt install %s)"
            .formatted(name, PROGRAMS.get(name), PROGRAMS.get(name)));
  }

  /** Each of them, and an architecture for which there is a kernel. */
  void refuseWithoutPrograms() {
    if (!architecture.equals("amd64")) {
      throw Refusal.cannotRun(
          "the lab runs on x86-64 alone, as User Mode Linux does; this is " + architecture);
    }
    PROGRAMS.keySet().forEach(this::program);
  }

  /**
   * Where the guest's memory lies, in a file without name: the environment's TMPDIR, else /dev/shm, else /tmp.
   *
   * @throws Refusal (cannot run) where there is not that much memory or room
   */
  Path memoryFolder(long bytes) {
    if (memory.memoryAvailableBytes() - BESIDE_BYTES < bytes) {
      throw Refusal.cannotRun(
          "a lab of %s does not fit: %s are available by %s, less %s for the host beside it; give less with --memory"
              .formatted(
                  mebibytes(bytes), mebibytes(memory.memoryAvailableBytes()), memory.memoryLimitedBy(),
                  mebibytes(BESIDE_BYTES)));
    }
    List<String> refused = new ArrayList<>();
    List<Path> candidates =
        temporary == null ? List.of(Path.of("/dev/shm"), Path.of("/tmp")) : List.of(temporary);
    for (Path folder : candidates) {
      String complaint = complaint(folder, bytes);
      if (complaint == null) {
        return folder;
      }
      refused.add(folder + " " + complaint);
    }
    throw Refusal.cannotRun(
        "there is no place for a lab's memory of %s: %s; give less with --memory, or a folder with TMPDIR=DIR"
            .formatted(mebibytes(bytes), String.join("; ", refused)));
  }

  private @Nullable String complaint(Path folder, long bytes) {
    try {
      if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
        return "is no folder that can be written to";
      }
      if (noexec(folder.toRealPath())) {
        return "is mounted noexec, and the guest's programs lie in its memory";
      }
      long usable = Files.getFileStore(folder).getUsableSpace();
      return usable < bytes ? "has room for " + mebibytes(usable) : null;
    } catch (IOException e) {
      return "cannot be examined: " + ErrorText.of(e);
    }
  }

  /** By the mount that has the longest beginning in common. */
  private boolean noexec(Path folder) {
    int longest = -1;
    boolean noexec = false;
    for (String line : mounts) {
      String[] words = line.split(" ", -1);
      if (words.length > 3 && folder.startsWith(words[1]) && words[1].length() >= longest) {
        longest = words[1].length();
        noexec = List.of(words[3].split(",")).contains("noexec");
      }
    }
    return noexec;
  }

  /**
   * Refuses a host on which a process of the guest would be killed for its mappings.
   *
   * @param least that it has to allow; 0 = whatever it allows will do
   */
  void refuseFewMappings(long memoryBytes, long least) {
    if (maps.isPresent() && maps.getAsLong() < least) {
      throw Refusal.cannotRun(Mappings.refusal("a command of " + mebibytes(memoryBytes), least, maps.getAsLong()));
    }
  }

  /** What to do about mappings. */
  String mapsAdvice() {
    return maps.isEmpty()
        ? "vm.max_map_count of this host may be too low for it"
        : "vm.max_map_count of this host is %,d: raise it, as root on the host, by sysctl -w vm.max_map_count=N"
            .formatted(maps.getAsLong());
  }

  /** What may go wrong later. */
  List<String> doubts(long memoryBytes) {
    long most = Mappings.atWorst(memoryBytes);
    if (maps.isEmpty() || maps.getAsLong() >= most) {
      return List.of();
    }
    return List.of(
        ("vm.max_map_count of this host is %,d: a process inside may be killed once it has more than %s, at worst; "
                + "for all of %s: sysctl -w vm.max_map_count=%d, as root on the host")
            .formatted(maps.getAsLong(), mebibytes(maps.getAsLong() * PAGE_BYTES), mebibytes(memoryBytes), most));
  }

  static String mebibytes(long bytes) {
    return "%,d MiB".formatted(bytes >> 20);
  }
}
