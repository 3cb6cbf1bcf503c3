package echoladder.harness.limits;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Every limit that a run can name as met. Those that the doctor has a row for bear its name there, so that both can be
 * compared.
 */
public enum KnownLimit {
  NOFILE_SERVER("nofile hard, server", "descriptor-limit"),
  NOFILE_CLIENT("nofile hard, client", "descriptor-limit"),
  NOFILE_SOFT("nofile soft", "descriptor-limit"),
  NR_OPEN("fs.nr_open", "nr-open"),
  FILE_MAX("fs.file-max", "file-max"),
  EPOLL_WATCHES("fs.epoll.max_user_watches", "epoll-watches"),
  THREADS_MAX("kernel.threads-max", "threads-max"),
  PID_MAX("kernel.pid_max", "pid-max"),
  NPROC("nproc", "threads"),
  CGROUP_PIDS("cgroup pids", "threads"),
  MAX_MAP_COUNT("vm.max_map_count", "memory-maps"),
  MEMORY("memory", "memory"),
  CGROUP_MEMORY("cgroup memory", "cgroup-memory"),
  OVERCOMMIT("vm.overcommit_memory", "overcommit"),
  PORTS("port tuples", "ephemeral-ports-exhausted"),
  SOMAXCONN("net.core.somaxconn", "accept-queue"),
  SYN_BACKLOG("net.ipv4.tcp_max_syn_backlog", "syn-queue"),
  NETDEV_BACKLOG("net.core.netdev_max_backlog", "softnet-backlog"),
  CONNTRACK("net.netfilter.nf_conntrack_max", "conntrack-table-full"),
  TCP_MEM("net.ipv4.tcp_mem", "tcp-memory"),
  ORPHANS("net.ipv4.tcp_max_orphans", "orphans"),
  TIME_WAIT("net.ipv4.tcp_max_tw_buckets", "closing-connections"),
  /** The server's own bound, which the doctor cannot see. */
  BACKLOG("the server's --backlog", "accept-queue"),
  /** The server's own bound, which the doctor cannot see. */
  HEAP("the server's heap", "memory");

  private static final Set<KnownLimit> BEYOND_THE_DOCTOR = Set.of(BACKLOG, HEAP);

  private final String id;
  private final String page;

  KnownLimit(String id, String page) {
    this.id = id;
    this.page = page;
  }

  /** As in the doctor's rows and in results. */
  @JsonValue
  public String id() {
    return id;
  }

  /** Whether the doctor has a row for it. */
  public boolean ofTheDoctor() {
    return !BEYOND_THE_DOCTOR.contains(this);
  }

  /** {@code runbooks/symptoms/PAGE.md}. */
  public String page() {
    return page;
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
