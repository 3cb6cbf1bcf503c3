package echoladder.harness.incident;

import static echoladder.harness.incident.Amounts.ANY;
import static echoladder.harness.incident.Amounts.count;

import echoladder.harness.doctor.CgroupLimit;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.TaskLimits;
import echoladder.harness.incident.Bound.State;
import echoladder.harness.limits.KnownLimit;
import echoladder.linux.sockets.EphemeralPorts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each limit of a process and where it stops the process: what is left of it over what a connection takes, beside the connections that
 * there are. Pure arithmetic.
 */
final class ProcessBounds {
  /** Among the counters of a look: pages of TCP's queues on the host, the third number of net.ipv4.tcp_mem bounds them. */
  static final String TCP_PAGES = "tcp_pages";

  private static final long PAGE_BYTES = 4_096;

  private static final double MOST_CONNECTIONS = 1e12;

  private final ProcessLook look;
  private final PerConnection each;
  private final Remedy remedy;
  private final long asked;
  private final List<Bound> bounds = new ArrayList<>();

  private ProcessBounds(ProcessLook look, PerConnection each, long asked) {
    this.look = look;
    this.each = each;
    this.remedy = new Remedy(look);
    this.asked = asked;
  }

  /**
   * The limits, those first that stop it first.
   *
   * @param asked connections that it shall come to; 0 = none were named
   */
  static List<Bound> of(ProcessLook look, PerConnection each, long asked) {
    ProcessBounds all = new ProcessBounds(look, each, asked);
    all.descriptors();
    all.tasks();
    all.memory();
    all.network();
    all.queue();
    return all.bounds.stream()
        .sorted(Comparator.comparing((Bound bound) -> bound.state() != State.STOPS_NOW).thenComparingLong(Bound::at))
        .toList();
  }

  private void descriptors() {
    HostFacts limits = look.limits();
    add(
        KnownLimit.NOFILE_SOFT, look.descriptors(), limits.nofileSoft(), each.descriptors(),
        remedy.descriptors(needed(look.descriptors(), each.descriptors())),
        "the hard limit is " + count(limits.nofileHard()));
    Long open = limits.number("fs.file-nr");
    Long files = limits.number("fs.file-max");
    if (open != null && files != null && limits.unboundByFileMax()) {
      addExempt(KnownLimit.FILE_MAX, open, files, "by its CAP_SYS_ADMIN");
    } else {
      addSetting(KnownLimit.FILE_MAX, open, each.descriptors(), "open files of the host");
    }
    boolean polls = look.descriptorKinds().containsKey("eventpoll");
    Long watches = limits.number("fs.epoll.max_user_watches");
    if (polls && watches != null) {
      // Counting them would hold up the process: the kernel locks an epoll instance while it lists its watches.
      add(
          KnownLimit.EPOLL_WATCHES, look.connections(), watches, 1, remedy.setting("fs.epoll.max_user_watches", asked, watches),
          "one per connection, of all processes of the user; those of others are not counted here");
    }
  }

  private void tasks() {
    HostFacts limits = look.limits();
    addSetting(KnownLimit.THREADS_MAX, limits.tasks(), threads(), "threads on the host");
    Long most = limits.number("kernel.pid_max");
    if (most != null) {
      add(
          KnownLimit.PID_MAX, limits.tasks(), most - TaskLimits.RESERVED_PIDS, threads(),
          remedy.setting("kernel.pid_max", needed(limits.tasks(), threads()), most),
          "threads on the host; %d ids are never given twice".formatted(TaskLimits.RESERVED_PIDS));
    }
    Long ofUser = look.userTasks();
    if (ofUser != null && limits.unboundByNproc()) {
      addExempt(KnownLimit.NPROC, ofUser, limits.nprocSoft(), "as root or by its capabilities");
    } else if (ofUser != null) {
      add(
          KnownLimit.NPROC, ofUser, limits.nprocSoft(), threads(),
          remedy.userTasks(needed(ofUser, threads()), limits.nprocSoft()), "all threads of its user");
    }
    CgroupLimit pids = limits.pids();
    if (pids != null) {
      add(
          KnownLimit.CGROUP_PIDS, pids.used(), pids.most(), threads(), remedy.groupTasks(pids),
          "tasks of the control group and of those in it: " + pids.file());
    }
    if (look.mappings() != null) {
      addSetting(KnownLimit.MAX_MAP_COUNT, look.mappings(), each.mappings(), PerConnection.MAPPINGS_PER_THREAD + " for each thread");
    }
  }

  private void memory() {
    Long available = look.limits().memoryAvailableBytes();
    if (available != null) {
      addMemory(
          KnownLimit.MEMORY, null, null, available, remedy.memory(), Amounts.bytes(available) + " are available on the host");
    }
    CgroupLimit group = look.limits().memory();
    if (group != null) {
      addMemory(
          KnownLimit.CGROUP_MEMORY, group.used(), group.most(), group.left(), remedy.groupMemory(group),
          group.file() + ", without idle page cache");
    }
  }

  private void addMemory(
      KnownLimit limit, @Nullable Long used, @Nullable Long most, long left, String lift, String note) {
    Double bytes = each.memoryBytes();
    long n = look.connections();
    if (bytes == null) {
      boolean nothing = left < PAGE_BYTES;
      bounds.add(
          new Bound(
              limit.id(), null, limit.unit(), used, most, null, nothing ? (Long) n : null,
              nothing ? State.STOPS_NOW : State.UNKNOWN,
              "%s; fewer than %d connections do not show what each takes".formatted(note, PerConnection.LEAST_FOR_MEMORY),
              lift, limit.page()));
      return;
    }
    long at = n + (long) (left / bytes);
    bounds.add(
        new Bound(
            limit.id(), null, limit.unit(), used, most, bytes, at, at <= n ? State.STOPS_NOW : State.NOT_BEFORE,
            "%s; %s + %s left / %s at most per connection = %s"
                .formatted(note, count(n), Amounts.bytes(left), Amounts.bytes(bytes.longValue()), count(at)),
            lift, limit.page()));
  }

  private void network() {
    HostFacts limits = look.limits();
    Long first = limits.number(Remedy.RANGE, 0);
    Long last = limits.number(Remedy.RANGE, 1);
    if (first != null && last != null) {
      String reserved = limits.sysctl().getOrDefault("net.ipv4.ip_local_reserved_ports", "");
      int usable = EphemeralPorts.of(first.intValue(), last.intValue(), reserved).usable();
      look.sockets().destinations().stream()
          .map(to -> ports(to, usable))
          .min(Comparator.comparingLong(Bound::at))
          .ifPresent(bounds::add);
    }
    Long tracked = limits.number("net.netfilter.nf_conntrack_count");
    if (tracked != null && tracked > 0) {
      addSetting(KnownLimit.CONNTRACK, tracked, 1, "an entry for each connection of the network namespace");
    }
    Long most = limits.number("net.ipv4.tcp_mem", 2);
    Long pages = look.counters().get(TCP_PAGES);
    Long queued = look.sockets().memoryBytes();
    if (most != null && pages != null) {
      double perConnection =
          queued == null || look.connections() == 0 ? 0 : (double) queued / PAGE_BYTES / look.connections();
      add(
          KnownLimit.TCP_MEM, pages, most, perConnection, remedy.tcpMemory(most),
          "pages in the queues of all sockets; what is queued for each connection now");
    }
  }

  private Bound ports(Destination to, int usable) {
    long n = Math.max(1, look.connections());
    double share = (double) to.connections() / n;
    Bound row =
        bound(
            KnownLimit.PORTS, to.portsTaken(), usable, share, remedy.ports(),
            "ports: %s of this process, %s of others or in TIME-WAIT; %s of its connections go there"
                .formatted(
                    count(to.connections()), count(to.portsTaken() - to.connections()),
                    share >= 1 ? "all" : count((long) (share * 100)) + " %"));
    return row.of("%s to %s".formatted(to.source(), to.destination()), "ports");
  }

  private void queue() {
    look.sockets().listeners().stream()
        .findFirst()
        .filter(listener -> listener.backlog() != null)
        .ifPresent(
            listener -> {
              KnownLimit limit = KnownLimit.SOMAXCONN;
              bounds.add(
                  new Bound(
                      "accept queue", listener.address(), limit.unit(), listener.waiting(), listener.backlog(), 0.0,
                      listener.full() ? (Long) look.connections() : (Long) ANY,
                      listener.full() ? State.STOPS_NOW : State.NO,
                      "connections that wait until the process accepts them; %s dropped since it listens"
                          .formatted(count(listener.drops())),
                      remedy.queue(listener), limit.page()));
            });
  }

  private long needed(long used, double perConnection) {
    return used + (long) Math.ceil(Math.max(0, asked - look.connections()) * perConnection);
  }

  private void addSetting(KnownLimit limit, @Nullable Long used, double perConnection, String note) {
    String key = limit.settings().getFirst();
    Long most = look.limits().number(key);
    if (used != null && most != null) {
      add(limit, used, most, perConnection, remedy.setting(key, needed(used, perConnection), most), note);
    }
  }

  private void add(KnownLimit limit, long used, long most, double perConnection, String lift, String note) {
    bounds.add(bound(limit, used, most, perConnection, lift, note));
  }

  private void addExempt(KnownLimit limit, long used, long most, String why) {
    bounds.add(
        new Bound(
            limit.id(), null, limit.unit(), used, most, 0.0, ANY, State.NO, "it does not bind this process, " + why, Remedy.NONE,
            limit.page()));
  }

  private Bound bound(KnownLimit limit, long used, long most, double perConnection, String lift, String note) {
    long n = look.connections();
    long left = Math.max(0, most - used);
    boolean full = most != ANY && left == 0;
    boolean any = most == ANY || (perConnection == 0 && !full);
    // A part of a connection's use may be so small that the number says nothing.
    long at = any ? ANY : full ? n : n + (long) Math.min(left / perConnection, MOST_CONNECTIONS);
    return new Bound(
        limit.id(), null, limit.unit(), used, most, perConnection, at, any ? State.NO : at <= n ? State.STOPS_NOW : State.STOPS_LATER,
        any || full
            ? note
            : "%s; %s + %s left / %s per connection = %s"
                .formatted(note, count(n), count(left), PerConnection.number(perConnection), count(at)),
        lift, limit.page());
  }

  /** Threads of one connection. */
  private double threads() {
    return (double) each.threads();
  }
}
