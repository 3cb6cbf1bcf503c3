package echoladder.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process and all that descend from it, as they are at each moment that one asks: a server that works in several processes, or
 * that was started by a shell. A process whose parent has ended is no descendant any more. Any thread may ask.
 */
public final class ProcessTree {
  /** USER_HZ: the kernel tells times in stat files in hundredths of a second, whatever its own clock. */
  private static final long TICK_NS = 10_000_000;

  /** Taken once: by its time of start it is told from a later process of the same pid, which would be a stranger's to signal. */
  private final @Nullable ProcessHandle root;
  private final ProcessCpu cpu = new ProcessCpu();

  /** That of the process which has that pid now; where none has, it is empty for good. */
  public ProcessTree(long root) {
    this.root = ProcessHandle.of(root).orElse(null);
  }

  /** The pids that run now, the root's first; none where the root has ended. */
  public List<Long> pids() {
    return handles().map(ProcessHandle::pid).toList();
  }

  /** The same as handles, which no later process of the same pid is taken for. */
  public Stream<ProcessHandle> handles() {
    return root == null || !runs(root) ? Stream.of() : Stream.concat(Stream.of(root), root.descendants().filter(ProcessTree::runs));
  }

  /**
   * CPU nanoseconds so far of all of them, and of their children that have ended and were waited for, those in steps of 10 ms; null
   * where the root has ended.
   */
  public @Nullable Long cpuNs() {
    List<Long> pids = pids();
    long sum = 0;
    for (long pid : pids) {
      long own = cpu.ns(pid);
      sum += Math.max(0, own) + ofEndedChildrenNs(pid);
    }
    return pids.isEmpty() ? null : (Long) sum;
  }

  /** RSS in bytes of all of them: a page that several of them share counts with each; null where the root has ended. */
  public @Nullable Long rssBytes() {
    List<Long> pids = pids();
    long sum = 0;
    for (long pid : pids) {
      Long own = ProcessMemory.rssBytes(pid);
      sum += own == null ? 0 : own;
    }
    return pids.isEmpty() ? null : (Long) sum;
  }

  /** Open descriptors of all of them; null where the root has ended or is somebody else's. */
  public @Nullable Long descriptors() {
    long sum = 0;
    for (long pid : pids()) {
      try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
        sum += open.count();
      } catch (IOException e) {
        if (root != null && pid == root.pid()) {
          return null;
        }
      }
    }
    return sum == 0 ? null : (Long) sum;
  }

  /** Whether a process runs: one that has ended and that nobody has waited for does not. */
  public static boolean runs(ProcessHandle process) {
    return process.isAlive() && ProcessFiles.runs(ProcessFiles.stat(process.pid()));
  }

  /** The running processes that may be looked at and have that entry, {@code NAME=value}, in their environment. */
  public static List<ProcessHandle> withVariable(String entry) {
    return ProcessHandle.allProcesses()
        .filter(process -> List.of(ProcessFiles.environment(process.pid()).split("\0", -1)).contains(entry))
        .filter(ProcessTree::runs)
        .toList();
  }

  /** cutime and cstime. */
  private static long ofEndedChildrenNs(long pid) {
    String[] stat = ProcessFiles.stat(pid);
    return stat == null ? 0 : (Long.parseLong(stat[13]) + Long.parseLong(stat[14])) * TICK_NS;
  }
}
