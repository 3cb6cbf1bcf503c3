package echoladder.linux.process;

import static java.util.function.Predicate.not;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process and all that belong to it, as they are at each moment that one asks: a server that works in several processes, or that
 * was started by a shell. What descends from the process belongs to it. So does what has left its parents and has the same
 * {@link #MARK}; without that variable a process whose parent has ended belongs to nobody. Any thread may ask.
 */
public final class ProcessTree {
  /** The variable by which a process is found that has left its parents: processes hand their environment on. */
  public static final String MARK = "ECHOLADDER_OWN_SERVER";

  /** USER_HZ: the kernel tells times in stat files in hundredths of a second, whatever its own clock. */
  private static final long TICK_NS = 10_000_000;

  /** A process has no environment to be read for a moment while it turns into another program; some never have. */
  private static final int LOOKS_AT_EMPTY = 3;

  /** Taken once: by its time of start it is told from a later process of the same pid, which would be a stranger's to signal. */
  private final @Nullable ProcessHandle root;
  private final @Nullable String mark;
  private final ProcessCpu cpu = new ProcessCpu();

  /** Who had the mark when it was read. */
  private final Set<ProcessHandle> marked = new HashSet<>();

  /** Who had it not, with how often each was looked at: an environment hardly changes, and reading it costs. */
  private final Map<ProcessHandle, Integer> unmarked = new HashMap<>();

  /** CPU of those whose parents are not in the tree, as it was read last: nobody here waits for them, who would tell it then. */
  private final Map<ProcessHandle, Long> strayNs = new HashMap<>();
  private long endedStraysNs;

  /** That of the process which has that pid now; where none has, it is empty for good. */
  public ProcessTree(long root) {
    this.root = ProcessHandle.of(root).orElse(null);
    this.mark =
        Stream.of(ProcessFiles.environment(root).split("\0", -1)).filter(entry -> entry.startsWith(MARK + "=")).findFirst().orElse(null);
  }

  /** The pids that run now, the root's first; none where the root has ended. */
  public List<Long> pids() {
    return handles().map(ProcessHandle::pid).toList();
  }

  /** The processes that run now as handles, which no later process of the same pid is taken for; the root's first. */
  public Stream<ProcessHandle> handles() {
    return members().stream();
  }

  private synchronized Set<ProcessHandle> members() {
    Set<ProcessHandle> members = new LinkedHashSet<>();
    if (root != null && runs(root)) {
      members.add(root);
      root.descendants().filter(ProcessTree::runs).forEach(members::add);
      members.addAll(strays(members));
    }
    return members;
  }

  private List<ProcessHandle> strays(Set<ProcessHandle> family) {
    String entry = mark;
    if (entry == null) {
      return List.of();
    }
    Set<ProcessHandle> others = ProcessHandle.allProcesses().filter(not(family::contains))
        .collect(Collectors.toCollection(LinkedHashSet::new));
    marked.retainAll(others);
    unmarked.keySet().retainAll(others);
    return others.stream().filter(other -> isMarked(other, entry)).filter(ProcessTree::runs).toList();
  }

  private boolean isMarked(ProcessHandle process, String entry) {
    int looks = unmarked.getOrDefault(process, 0);
    if (marked.contains(process) || looks >= LOOKS_AT_EMPTY) {
      return marked.contains(process);
    }
    String environment = ProcessFiles.environment(process.pid());
    if (has(environment, entry)) {
      return marked.add(process);
    }
    unmarked.put(process, environment.isEmpty() ? looks + 1 : LOOKS_AT_EMPTY);
    return false;
  }

  private static boolean has(String environment, String entry) {
    return List.of(environment.split("\0", -1)).contains(entry);
  }

  /**
   * CPU nanoseconds so far of all of them, and of their children that have ended and were waited for, those in steps of 10 ms. One
   * that had left its parents and has ended counts with what was read of it last. Null where the root has ended.
   */
  public synchronized @Nullable Long cpuNs() {
    Set<ProcessHandle> members = members();
    long sum = 0;
    for (ProcessHandle member : members) {
      long ns = Math.max(0, cpu.ns(member.pid())) + ofEndedChildrenNs(member.pid());
      boolean stray = mark != null && !member.equals(root) && member.parent().filter(members::contains).isEmpty();
      sum += stray ? strayNs.merge(member, ns, Math::max) : ns;
    }
    for (ProcessHandle ended : strayNs.keySet().stream().filter(not(members::contains)).toList()) {
      endedStraysNs += Objects.requireNonNull(strayNs.remove(ended));
    }
    return members.isEmpty() ? null : (Long) (sum + endedStraysNs);
  }

  /**
   * RSS in bytes of all of them: a page that several of them share counts with each; null where the root has ended, and of the
   * kernel's own processes, which have none.
   */
  public @Nullable Long rssBytes() {
    return pids().stream().map(ProcessMemory::rssBytes).filter(Objects::nonNull).reduce(Long::sum).orElse(null);
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
        .filter(process -> has(ProcessFiles.environment(process.pid()), entry))
        .filter(ProcessTree::runs)
        .toList();
  }

  /** cutime and cstime. */
  private static long ofEndedChildrenNs(long pid) {
    String[] stat = ProcessFiles.stat(pid);
    return stat == null ? 0 : (Long.parseLong(stat[13]) + Long.parseLong(stat[14])) * TICK_NS;
  }
}
