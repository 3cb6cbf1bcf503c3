package echoladder.harness.incident;

import echoladder.harness.common.ProcText;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.probe.CgroupEvents;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LimitProbe;
import echoladder.harness.probe.Reading;
import echoladder.linux.ControlGroups;
import echoladder.linux.process.OpenDescriptors;
import echoladder.linux.process.ProcessMemory;
import echoladder.linux.process.ProcessTree;
import echoladder.linux.sockets.NetworkNamespace;
import echoladder.linux.sockets.TcpSockets;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks at a process: /proc, its control groups, and its network namespace by entering that. Changes nothing. */
public final class LookReader {
  private static final List<String> NAMESPACES = List.of("net", "mnt", "pid", "user", "cgroup");

  /** Bounds a process's network namespace, though one value reaches the whole host. */
  private static final String CONNTRACK_COUNT = "net.netfilter.nf_conntrack_count";

  /** With fewer connections of its own, what a process has started is looked at, too. */
  private static final int FEW = 10;

  private static final int MOST_DESCENDANTS = 100;

  /** {@code TCP: inuse 5 orphan 0 tw 3 alloc 6 mem 2}. */
  private static final Pattern TCP_PAGES = Pattern.compile("(?m)^TCP: .*\\bmem (\\d{1,18})");

  private final long pid;
  private final String proc;

  /** Bounds that process. */
  public LookReader(long pid) {
    this.pid = pid;
    this.proc = "/proc/" + pid + "/";
  }

  /** What the network namespace alone shows. */
  private record Inside(HostFacts limits, @Nullable SocketUse sockets) {}

  /**
   * Looks once: milliseconds, and some seconds where it has a million descriptors.
   *
   * @throws Refusal where the process is gone or may not be looked at, with the right that is missing
   */
  public ProcessLook look() throws InterruptedException {
    List<String> status = ProcText.lines(proc + "status");
    if (status.isEmpty()) {
      throw gone();
    }
    OpenDescriptors open = descriptors(status);
    List<String> notKnown = new ArrayList<>();
    HostFacts own = HostFactsReader.read();
    ProcessLook.Identity identity =
        new ProcessLook.Identity(pid, word(status, "Name:"), foreign(notKnown), own.uid() == 0, own.raisesHardLimits());
    Inside inside = inside(identity, open, notKnown);
    OptionalLong mappings = ProcText.countLines(proc + "maps");
    long threads = ProcText.number(status, "Threads:").orElse(0);
    SocketUse sockets = inside.sockets;
    if (sockets == null) {
      throw Refusal.cannotRun(
          "the TCP sockets of process %s cannot be read: neither sock_diag nor %snet/tcp tells of them; run it as root"
              .formatted(identity.words(), proc));
    }
    return new ProcessLook(
        identity,
        open.total(),
        open.kinds(),
        threads,
        mappings.isPresent() ? (Long) mappings.getAsLong() : null,
        ProcessMemory.rssBytes(pid),
        sockets,
        counters(),
        userTasks(threads, sockets.connections(), inside.limits),
        inside.limits,
        groups(),
        descendants(open, sockets.connections()),
        notKnown);
  }

  private Refusal gone() {
    return Refusal.cannotRun(
        "there is no process %d that can be seen from here: it has ended, or /proc is mounted with hidepid, or it runs in another pid"
                .formatted(pid)
            + " namespace; find it with 'pgrep -a NAME' or 'ss -ltnp' on its host, as root");
  }

  private OpenDescriptors descriptors(List<String> status) {
    try {
      return OpenDescriptors.of(pid);
    } catch (AccessDeniedException e) {
      long own = uid(ProcText.lines("/proc/self/status"));
      long its = uid(status);
      throw Refusal.cannotRun(
          ("process %d (%s) may not be looked at: %sfd is closed to uid %d, and the process is of uid %d. %s: run it with sudo, or in the"
                  + " container's host as root")
              .formatted(
                  pid,
                  word(status, "Name:"),
                  proc,
                  own,
                  its,
                  own == its
                      ? "It has rights that this process lacks, or is not dumpable, so CAP_SYS_PTRACE is missing"
                      : "CAP_SYS_PTRACE is missing"));
    } catch (IOException e) {
      // NoSuchFileException, or ESRCH while it ends: what was said of it a moment ago no longer holds.
      throw gone();
    }
  }

  private List<String> foreign(List<String> notKnown) {
    List<String> foreign = new ArrayList<>();
    for (String kind : NAMESPACES) {
      try {
        Path its = Files.readSymbolicLink(Path.of(proc + "ns/" + kind));
        if (!its.equals(Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind)))) {
          foreign.add(kind);
        }
      } catch (IOException e) {
        notKnown.add("whether it is in another %s namespace: %sns/%s cannot be read".formatted(kind, proc, kind));
      }
    }
    return foreign;
  }

  private Inside inside(ProcessLook.Identity identity, OpenDescriptors open, List<String> notKnown) throws InterruptedException {
    if (!identity.foreignNetwork()) {
      return told(open);
    }
    try {
      return NetworkNamespace.in(pid, () -> told(open));
    } catch (IOException e) {
      notKnown.add(
          "the settings of its network namespace, its backlogs and its drops: %s; CAP_SYS_ADMIN is missing, run it with sudo"
              .formatted(e.getMessage()));
      return new Inside(
          withoutNetwork(HostFactsReader.of(pid)),
          SocketUse.of(proc + "net/tcp", (states, take) -> TcpSockets.of(pid, states, take), open.sockets()));
    }
  }

  /** In the network namespace of the process. */
  private Inside told(OpenDescriptors open) {
    SocketUse sockets = SocketUse.of("sock_diag", TcpSockets::here, open.sockets());
    return new Inside(
        HostFactsReader.of(pid),
        sockets != null
            ? sockets
            : SocketUse.of(proc + "net/tcp", (states, take) -> TcpSockets.of(pid, states, take), open.sockets()));
  }

  /** Without what is another value in each network namespace: this process's would be mistaken for it. */
  static HostFacts withoutNetwork(HostFacts facts) {
    Map<String, String> sysctl = new TreeMap<>(facts.sysctl());
    sysctl.keySet().removeIf(
        key ->
            key.equals(CONNTRACK_COUNT)
                || KnownLimit.ofSetting(key).filter(limit -> limit.reach() == KnownLimit.Reach.NETWORK).isPresent());
    return facts.replacing(sysctl);
  }

  private Map<String, Long> counters() {
    Reading reading = new Reading(System.nanoTime());
    LimitProbe.netstat(ProcText.lines(proc + "net/netstat"), reading);
    CgroupEvents.of(pid).sample(reading);
    Map<String, Long> counters = new TreeMap<>();
    for (Figure figure :
        List.of(
            Figure.LISTEN_OVERFLOWS,
            Figure.LISTEN_DROPS,
            Figure.SYN_QUEUE_FULL,
            Figure.CGROUP_TASK_REFUSALS,
            Figure.CGROUP_MEMORY_REFUSALS,
            Figure.CGROUP_OOM_KILLS)) {
      reading.get(figure).ifPresent(count -> counters.put(figure.column(), count));
    }
    String sockets = ProcText.read(proc + "net/sockstat");
    Matcher pages = TCP_PAGES.matcher(sockets == null ? "" : sockets);
    if (pages.find()) {
      counters.put(ProcessBounds.TCP_PAGES, Long.parseLong(pages.group(1)));
    }
    return counters;
  }

  private List<String> groups() {
    List<String> groups = new ArrayList<>();
    for (String controller : List.of("memory", "pids")) {
      List<ControlGroups.Group> with = ControlGroups.of(pid).with(controller);
      groups.add(
          with.isEmpty()
              ? controller + ": not mounted here"
              : "%s: %s (version %d)".formatted(controller, with.getFirst().dir(), with.getFirst().version()));
    }
    return groups;
  }

  /** All threads of the process's user: a look at every process, so only where RLIMIT_NPROC may come near. */
  private @Nullable Long userTasks(long threads, long connections, HostFacts limits) {
    if (limits.nprocSoft() == Amounts.ANY || (threads < limits.nprocSoft() / 2 && threads < connections)) {
      return null;
    }
    long tasks = 0;
    for (ProcessHandle process : (Iterable<ProcessHandle>) ProcessHandle.allProcesses()::iterator) {
      List<String> status = ProcText.lines("/proc/" + process.pid() + "/status");
      tasks += uid(status) == limits.uid() ? ProcText.number(status, "Threads:").orElse(0) : 0;
    }
    return tasks;
  }

  /** A master of workers, or a shell, has no connections of its own. */
  private List<String> descendants(OpenDescriptors own, long connections) {
    if (connections >= FEW) {
      return List.of();
    }
    long busiest = 0;
    int sockets = own.sockets().size();
    for (long descendant : new ProcessTree(pid).pids().stream().skip(1).limit(MOST_DESCENDANTS).toList()) {
      int its = sockets(descendant);
      if (its > sockets) {
        sockets = its;
        busiest = descendant;
      }
    }
    return busiest == 0
        ? List.of()
        : List.of(
            "of the processes that it has started, %d has most sockets, %s: ./ladder doctor --pid %d"
                .formatted(busiest, Amounts.count((long) sockets), busiest));
  }

  /** None of one that has ended or is somebody else's. */
  private static int sockets(long process) {
    try {
      return OpenDescriptors.of(process).sockets().size();
    } catch (IOException e) {
      return 0;
    }
  }

  private static long uid(List<String> status) {
    return ProcText.number(status, "Uid:").orElse(-1);
  }

  private static String word(List<String> status, String key) {
    return status.stream().filter(line -> line.startsWith(key)).map(line -> line.substring(key.length()).strip()).findFirst().orElse("?");
  }
}
