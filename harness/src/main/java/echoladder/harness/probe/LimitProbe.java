package echoladder.harness.probe;

import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads how near the kernel's limits are and what the kernel has refused: counts of the whole host, of this network namespace, of
 * the server's where that is another, and of the server's control groups. Each is a small file; a count that this kernel does not have
 * is absent.
 */
public final class LimitProbe implements Probe {
  private static final List<String> COUNTS_OF_TCP = List.of("TcpExt:", "Tcp:");
  private static final int STEERED = 9;

  /** What shows that a setting of the kernel was at work, and tells of no limit. */
  public static final Set<Figure> AT_WORK =
      Set.of(
          Figure.TCP_RETRANSMITS, Figure.TCP_AUTOCORKINGS, Figure.BUSY_POLL_PACKETS, Figure.SOFTNET_STEERED, Figure.HOST_COMMITTED_BYTES,
          Figure.HOST_HUGE_PAGE_FAULTS);

  private final @Nullable CgroupEvents cgroup;
  private final List<String> networks;

  LimitProbe(Subject subject) {
    this.cgroup = subject.serverPid() == null ? null : CgroupEvents.of(subject.serverPid());
    this.networks = networks(subject.serverPid());
  }

  private LimitProbe(long pid) {
    this.cgroup = CgroupEvents.of(pid);
    this.networks = networks(pid);
  }

  /** The folders of /proc in which network namespaces show their counts: this one's, and the server's where that is another. */
  static List<String> networks(@Nullable Long serverPid) {
    String own = namespace("self");
    String server = serverPid == null ? null : namespace(serverPid.toString());
    return own == null || server == null || own.equals(server)
        ? List.of("/proc/net")
        : List.of("/proc/net", "/proc/" + serverPid + "/net");
  }

  private static @Nullable String namespace(String process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", process, "ns/net")).toString();
    } catch (IOException e) {
      return null; // It is gone, or not ours to see.
    }
  }

  /** The counts as they are now, with those of the control groups that a process is in. */
  public static Reading now(long pid) {
    Reading counts = new Reading(System.nanoTime());
    new LimitProbe(pid).sample(counts);
    return counts;
  }

  @Override
  public void sample(Reading into) {
    // Together one list, in which the pairs of lines of both namespaces are added up.
    netstat(
        networks.stream()
            .flatMap(folder -> Stream.of(folder + "/netstat", folder + "/snmp"))
            .flatMap(file -> ProcText.lines(file).stream())
            .toList(),
        into);
    sockstat(ProcText.lines("/proc/net/sockstat"), into);
    softnet(ProcText.lines("/proc/net/softnet_stat"), into);
    String files = ProcText.read("/proc/sys/fs/file-nr");
    if (files != null) {
      into.put(Figure.HOST_OPEN_FILES, Long.parseLong(files.trim().split("\\s+", 2)[0]));
    }
    String load = ProcText.read("/proc/loadavg");
    if (load != null) {
      // The number after the slash: 0.5 0.4 0.3 2/187 4242.
      into.put(Figure.HOST_TASKS, Long.parseLong(load.split("[ /]", -1)[4]));
    }
    vmstat(ProcText.lines("/proc/vmstat"), into);
    if (cgroup != null) {
      cgroup.sample(into);
    }
  }

  /** {@code oom_kill 0}, a line for each count. */
  static void vmstat(List<String> lines, Reading into) {
    ProcText.number(lines, "oom_kill ").ifPresent(n -> into.put(Figure.HOST_OOM_KILLS, n));
    ProcText.number(lines, "pgfault ").ifPresent(n -> into.put(Figure.HOST_PAGE_FAULTS, n));
    ProcText.number(lines, "thp_fault_alloc ").ifPresent(n -> into.put(Figure.HOST_HUGE_PAGE_FAULTS, n));
  }

  /**
   * The counts of netstat and snmp. Pairs of lines: the names, then the numbers; where a name is there twice, their sum. What was sent
   * again is RetransSegs of snmp, which has probes of the tail too, less handshakes.
   */
  public static void netstat(List<String> lines, Reading into) {
    Map<String, Long> counts = new HashMap<>();
    for (int i = 0; i + 1 < lines.size(); i += 2) {
      String[] names = lines.get(i).split(" ", -1);
      if (COUNTS_OF_TCP.contains(names[0])) {
        String[] values = lines.get(i + 1).split(" ", -1);
        for (int k = 1; k < Math.min(names.length, values.length); k++) {
          counts.merge(names[k], Long.parseLong(values[k]), Long::sum);
        }
      }
    }
    put(into, Figure.LISTEN_OVERFLOWS, counts, "ListenOverflows");
    put(into, Figure.LISTEN_DROPS, counts, "ListenDrops");
    put(into, Figure.SYN_QUEUE_FULL, counts, "TCPReqQFullDrop", "TCPReqQFullDoCookies");
    put(into, Figure.SYN_RETRANSMITS, counts, "TCPSynRetrans");
    put(into, Figure.TCP_TIME_WAIT_OVERFLOWS, counts, "TCPTimeWaitOverflow");
    put(into, Figure.TCP_MEMORY_PRESSURES, counts, "TCPMemoryPressures");
    put(into, Figure.TCP_MEMORY_ABORTS, counts, "TCPAbortOnMemory");
    put(into, Figure.TCP_PRUNES, counts, "PruneCalled");
    put(into, Figure.TCP_RECEIVE_DROPS, counts, "TCPRcvQDrop", "RcvPruned");
    Long again = counts.get("RetransSegs");
    if (again != null) {
      into.put(Figure.TCP_RETRANSMITS, again - counts.getOrDefault("TCPSynRetrans", 0L));
    }
    put(into, Figure.TCP_AUTOCORKINGS, counts, "TCPAutoCorking");
    put(into, Figure.BUSY_POLL_PACKETS, counts, "BusyPollRxPackets");
  }

  private static void put(Reading into, Figure figure, Map<String, Long> counts, String... names) {
    long sum = 0;
    boolean any = false;
    for (String name : names) {
      Long count = counts.get(name);
      any |= count != null;
      sum += count == null ? 0 : count;
    }
    if (any) {
      into.put(figure, sum);
    }
  }

  /** {@code TCP: inuse 5 orphan 0 tw 3 alloc 6 mem 2}. */
  static void sockstat(List<String> lines, Reading into) {
    for (String line : lines) {
      if (line.startsWith("TCP:")) {
        KernelMemoryProbe.word(line, "orphan").ifPresent(n -> into.put(Figure.TCP_ORPHANS, n));
        KernelMemoryProbe.word(line, "tw").ifPresent(n -> into.put(Figure.TCP_TIME_WAIT, n));
      }
    }
  }

  /** A line per processor, in hexadecimal: what was taken in, what was dropped before that; the tenth is what came by steering. */
  static void softnet(List<String> lines, Reading into) {
    long packets = 0;
    long drops = 0;
    long steered = 0;
    for (String line : lines) {
      String[] counts = line.split(" ", -1);
      packets += Long.parseLong(counts[0], 16);
      drops += Long.parseLong(counts[1], 16);
      steered += counts.length > STEERED ? Long.parseLong(counts[STEERED], 16) : 0;
    }
    if (!lines.isEmpty()) {
      into.put(Figure.SOFTNET_DROPS, drops);
      into.put(Figure.SOFTNET_PACKETS, packets);
      into.put(Figure.SOFTNET_STEERED, steered);
    }
  }

  /** The mappings of a process: dear where there are many, as the kernel writes a line for each. */
  static OptionalLong maps(long pid) {
    return ProcText.countLines("/proc/" + pid + "/maps");
  }
}
