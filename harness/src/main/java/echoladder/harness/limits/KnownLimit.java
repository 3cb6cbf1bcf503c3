package echoladder.harness.limits;

import static echoladder.harness.limits.KnownLimit.Reach.GROUP;
import static echoladder.harness.limits.KnownLimit.Reach.HOST;
import static echoladder.harness.limits.KnownLimit.Reach.NETWORK;
import static echoladder.harness.limits.KnownLimit.Reach.PROCESS;
import static echoladder.harness.limits.KnownLimit.Reach.SERVER;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import echoladder.harness.probe.Figure;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every limit that the doctor examines or a run can name as met: a row each, which all lists of limits and of their kernel
 * settings follow. The doctor's answer and a run's bear the same name, so that both can be compared.
 */
public enum KnownLimit {
  NOFILE_SERVER("nofile hard, server", "descriptors", PROCESS, "descriptor-limit", Shown.nowhere()),
  NOFILE_CLIENT("nofile hard, client", "descriptors", PROCESS, "descriptor-limit", Shown.nowhere()),
  NOFILE_SOFT("nofile soft", "descriptors", PROCESS, "descriptor-limit", Shown.nowhere()),
  NR_OPEN("fs.nr_open", "descriptors", HOST, "nr-open", Shown.by("fs.nr_open")),
  FILE_MAX(
      "fs.file-max", "files", HOST, "file-max",
      Shown.by("fs.file-max").counted("fs.file-nr").figures(Figure.HOST_OPEN_FILES)),
  EPOLL_WATCHES("fs.epoll.max_user_watches", "watches", HOST, "epoll-watches", Shown.by("fs.epoll.max_user_watches")),
  THREADS_MAX(
      "kernel.threads-max", "threads", HOST, "threads-max",
      Shown.by("kernel.threads-max").figures(Figure.HOST_TASKS, Figure.SERVER_THREADS)),
  PID_MAX("kernel.pid_max", "threads", HOST, "pid-max", Shown.by("kernel.pid_max").figures(Figure.HOST_TASKS)),
  NPROC("nproc", "threads", PROCESS, "threads", Shown.nowhere()),
  CGROUP_PIDS("cgroup pids", "threads", GROUP, "threads", Shown.nowhere().figures(Figure.CGROUP_TASK_REFUSALS)),
  MAX_MAP_COUNT(
      "vm.max_map_count", "mappings", HOST, "memory-maps",
      Shown.by("vm.max_map_count").figures(Figure.SERVER_MAPS, Figure.SERVER_THREADS)),
  MEMORY("memory", "bytes", HOST, "memory", Shown.nowhere().figures(Figure.HOST_OOM_KILLS)),
  CGROUP_MEMORY(
      "cgroup memory", "bytes", GROUP, "cgroup-memory",
      Shown.nowhere().figures(Figure.CGROUP_OOM_KILLS, Figure.CGROUP_MEMORY_REFUSALS)),
  OVERCOMMIT("vm.overcommit_memory", "bytes", HOST, "overcommit", Shown.by("vm.overcommit_memory")),
  PORTS(
      "port tuples", "(source, destination, port)", NETWORK, "ephemeral-ports-exhausted",
      Shown.by("net.ipv4.ip_local_port_range").figures(Figure.TCP_TIME_WAIT)),
  /** It stops no climb: a client may have the port that a server wants. */
  RESERVED_PORTS(
      "net.ipv4.ip_local_reserved_ports", "ports", NETWORK, "reserved-ports", Shown.by("net.ipv4.ip_local_reserved_ports")),
  SOMAXCONN(
      "net.core.somaxconn", "connections", NETWORK, "accept-queue",
      Shown.by("net.core.somaxconn").figures(Figure.LISTEN_OVERFLOWS, Figure.LISTEN_DROPS, Figure.SYN_RETRANSMITS)),
  SYN_BACKLOG(
      "net.ipv4.tcp_max_syn_backlog", "handshakes", NETWORK, "syn-queue",
      Shown.by("net.ipv4.tcp_max_syn_backlog", "net.ipv4.tcp_syncookies").figures(Figure.SYN_QUEUE_FULL, Figure.SYN_RETRANSMITS)),
  NETDEV_BACKLOG(
      "net.core.netdev_max_backlog", "packets", HOST, "softnet-backlog",
      Shown.by("net.core.netdev_max_backlog").figures(Figure.SOFTNET_DROPS)),
  CONNTRACK(
      "net.netfilter.nf_conntrack_max", "entries", HOST, "conntrack-table-full",
      Shown.by("net.netfilter.nf_conntrack_max", "net.netfilter.nf_conntrack_buckets").counted("net.netfilter.nf_conntrack_count")),
  TCP_MEM(
      "net.ipv4.tcp_mem", "pages", HOST, "tcp-memory",
      Shown.by("net.ipv4.tcp_mem")
          .figures(Figure.TCP_BUFFERS_BYTES, Figure.TCP_MEMORY_PRESSURES, Figure.TCP_PRUNES, Figure.TCP_RECEIVE_DROPS)),
  /** It is part of the arithmetic of the one before: by itself it stops nothing. */
  BUFFERS(
      "net.ipv4.tcp_rmem + tcp_wmem", "bytes", NETWORK, "tcp-memory", Shown.by("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")),
  ORPHANS(
      "net.ipv4.tcp_max_orphans", "sockets", HOST, "orphans",
      Shown.by("net.ipv4.tcp_max_orphans").figures(Figure.TCP_ORPHANS, Figure.TCP_MEMORY_ABORTS)),
  TIME_WAIT(
      "net.ipv4.tcp_max_tw_buckets", "sockets", NETWORK, "closing-connections",
      Shown.by("net.ipv4.tcp_max_tw_buckets").figures(Figure.TCP_TIME_WAIT, Figure.TCP_TIME_WAIT_OVERFLOWS)),
  BACKLOG(
      "the server's --backlog", "connections", SERVER, "accept-queue",
      Shown.nowhere().figures(Figure.LISTEN_OVERFLOWS, Figure.SYN_RETRANSMITS)),
  HEAP("the server's heap", "bytes", SERVER, "memory", Shown.nowhere());

  /** What has one value of a limit, or of the settings that make it. */
  public enum Reach {
    /** One value for the whole kernel. */
    HOST,
    /** One for each network namespace. */
    NETWORK,
    /** One for each control group. */
    GROUP,
    /** One for each process, which those that it starts inherit. */
    PROCESS,
    /** The server's own bound, which the doctor cannot see. */
    SERVER
  }

  /**
   * Where a limit and its use can be read.
   *
   * @param settings its kernel settings; the first one lifts it
   * @param counters kernel settings that count its use, and so change by themselves
   * @param figures samples of a run that tell of its use or of refusals
   */
  private record Shown(List<String> settings, List<String> counters, List<Figure> figures) {
    static Shown nowhere() {
      return new Shown(List.of(), List.of(), List.of());
    }

    static Shown by(String... settings) {
      return new Shown(List.of(settings), List.of(), List.of());
    }

    Shown counted(String... by) {
      return new Shown(settings, List.of(by), figures);
    }

    Shown figures(Figure... of) {
      return new Shown(settings, counters, List.of(of));
    }
  }

  private final String id;
  private final String unit;
  private final Reach reach;
  private final String page;

  @SuppressWarnings("ImmutableEnumChecker") // its lists are made by List.of
  private final Shown shown;

  KnownLimit(String id, String unit, Reach reach, String page, Shown shown) {
    this.id = id;
    this.unit = unit;
    this.reach = reach;
    this.page = page;
    this.shown = shown;
  }

  /** As in the doctor's rows and in results. */
  @JsonValue
  public String id() {
    return id;
  }

  /** What it bounds, and is counted in. */
  public String unit() {
    return unit;
  }

  /** How far one value of it reaches. */
  public Reach reach() {
    return reach;
  }

  /** Whether the doctor has a row for it. */
  public boolean ofTheDoctor() {
    return reach != SERVER;
  }

  /** {@code runbooks/symptoms/PAGE.md}. */
  public String page() {
    return page;
  }

  /** The kernel settings that make it; the first one lifts it. None where it is no kernel setting. */
  public List<String> settings() {
    return shown.settings;
  }

  /** The samples of a run that tell of its use or of refusals. */
  public List<Figure> figures() {
    return shown.figures;
  }

  /** The one that has that kernel setting. */
  public static Optional<KnownLimit> ofSetting(String key) {
    return Arrays.stream(values()).filter(limit -> limit.shown.settings.contains(key)).findFirst();
  }

  /** The kernel settings of all limits. */
  public static Set<String> allSettings() {
    return all(shown -> shown.settings);
  }

  /** The kernel settings that count the use of limits. */
  public static Set<String> allCounters() {
    return all(shown -> shown.counters);
  }

  /** The samples of a run that tell of limits. */
  public static Set<Figure> allFigures() {
    return all(shown -> shown.figures);
  }

  private static <T> Set<T> all(Function<Shown, List<T>> of) {
    return Arrays.stream(values()).map(limit -> of.apply(limit.shown)).flatMap(Collection::stream).collect(Collectors.toSet());
  }

  /** The one of that name; an unknown name is an {@link IllegalArgumentException}. */
  @JsonCreator
  public static KnownLimit ofId(String id) {
    return Arrays.stream(values())
        .filter(limit -> limit.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no limit '" + id + "'; known: " + ids()));
  }

  /** Every name. */
  public static List<String> ids() {
    return Arrays.stream(values()).map(KnownLimit::id).toList();
  }
}
