package echoladder.harness.diagnosis;

import static echoladder.harness.diagnosis.Grounds.count;
import static echoladder.harness.limits.KnownLimit.CGROUP_MEMORY;
import static echoladder.harness.limits.KnownLimit.EPOLL_WATCHES;
import static echoladder.harness.limits.KnownLimit.FILE_MAX;
import static echoladder.harness.limits.KnownLimit.HEAP;
import static echoladder.harness.limits.KnownLimit.MEMORY;
import static echoladder.harness.limits.KnownLimit.NOFILE_CLIENT;
import static echoladder.harness.limits.KnownLimit.NOFILE_SERVER;
import static echoladder.harness.limits.KnownLimit.NOFILE_SOFT;
import static echoladder.harness.limits.KnownLimit.NR_OPEN;
import static echoladder.harness.limits.KnownLimit.ORPHANS;
import static echoladder.harness.limits.KnownLimit.PORTS;
import static echoladder.harness.limits.KnownLimit.TCP_MEM;

import echoladder.harness.doctor.CgroupLimit;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.probe.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * From what was seen to the limits that were met. A call that failed with an errno comes before a count that grew, as
 * the second is often the consequence of the first: a server that is out of descriptors stops accepting, and then its
 * accept queue overflows. Pure.
 */
public final class Diagnosis {
  /** A share of a limit that counts as used up: samples are a second apart. */
  private static final double NEAR = 0.9;

  /** From here on a group's pages are the server's, and not the cache of others that it is always full of. */
  private static final double MOST_OF_GROUP = 0.6;

  private static final long PAGE_BYTES = 4_096;

  /** As the ending of a process is worded; the kernel takes this signal when memory runs out. */
  private static final String KILLED = "killed by signal 9";

  private final Evidence seen;
  private final List<MetLimit> met = new ArrayList<>();

  private Diagnosis(Evidence seen) {
    this.seen = seen;
  }

  /** The limits that were met, the one that comes first in the chain of causes first; none where none shows. */
  public static List<MetLimit> of(Evidence seen) {
    Diagnosis diagnosis = new Diagnosis(seen);
    diagnosis.killed();
    diagnosis.tasks();
    diagnosis.descriptors();
    diagnosis.watches();
    diagnosis.memory();
    diagnosis.ports();
    diagnosis.tcpMemory();
    diagnosis.orphans();
    new FullQueues(seen, diagnosis::add).look();
    diagnosis.reclaim();
    return List.copyOf(diagnosis.met);
  }

  private void add(KnownLimit limit, Grounds facts) {
    if (met.stream().noneMatch(m -> m.limit() == limit)) {
      met.add(MetLimit.of(limit, facts.list()));
    }
  }

  /** A process that the kernel killed for memory. */
  private void killed() {
    long kills = seen.grown(Figure.CGROUP_OOM_KILLS);
    // The log is the whole host's: of others' deaths it says nothing about this run.
    boolean ended = seen.serverEnding() != null || !seen.clientFailure().isEmpty();
    // The count is the whole host's, too. It can be read where the log cannot.
    long ofHosts = seen.grown(Figure.HOST_OOM_KILLS);
    boolean bySignal = Stream.of(String.valueOf(seen.serverEnding()), seen.clientFailure()).anyMatch(said -> said.contains(KILLED));
    String ofGroup = ended ? seen.logged("Memory cgroup out of memory") : null;
    String ofHost = ended ? seen.logged("Out of memory: Killed process") : null;
    if (kills > 0 || ofGroup != null) {
      add(
          CGROUP_MEMORY,
          new Grounds()
              .when(kills > 0, "the server's control group counts %,d oom_kill more", kills)
              .quote("kernel", ofGroup)
              .quote("the server", seen.serverEnding()));
    } else if (ofHost != null || (ofHosts > 0 && bySignal)) {
      add(
          MEMORY,
          new Grounds()
              .when(ofHosts > 0, "the host counts %,d oom_kill more", ofHosts)
              .quote("kernel", ofHost)
              .quote("the server", seen.serverEnding())
              .quote("the client", seen.clientFailure().isEmpty() ? null : seen.clientFailure()));
    }
  }

  /** A thread that could not be started. */
  private void tasks() {
    String said = seen.serverLog().get(ServerWords.NO_THREAD);
    long refused = seen.refusedAccepts("eagain");
    boolean clientToo = seen.clientFailure().contains("native thread");
    if (said != null || refused > 0 || clientToo || seen.grown(Figure.CGROUP_TASK_REFUSALS) > 0) {
      Grounds facts =
          new Grounds()
              .when(refused > 0, "the server counts %,d accepts without a thread (eagain)", refused)
              .quote("the server's log", said)
              .when(clientToo, "the client could start no thread either", 0);
      TaskRoom.tightest(seen).ifPresent(room -> add(room.limit(), facts.plain(room.sentence())));
    }
  }

  private void descriptors() {
    long host = seen.refusedAccepts("enfile") + seen.failedCalls("socket ENFILE");
    String hostSaid = seen.serverLog().get(ServerWords.NO_FILE_ON_HOST);
    if (host > 0 || hostSaid != null) {
      add(
          FILE_MAX,
          new Grounds()
              .when(seen.refusedAccepts("enfile") > 0, "the server counts %,d accepts refused by ENFILE", seen.refusedAccepts("enfile"))
              .when(seen.failedCalls("socket ENFILE") > 0, "the client counts %,d x socket ENFILE", seen.failedCalls("socket ENFILE"))
              .quote("the server's log", hostSaid)
              .plain("open files came to %,d of fs.file-max %,d".formatted(seen.peak(Figure.HOST_OPEN_FILES), seen.limit("fs.file-max", 0)))
              .quote("kernel", seen.logged("file-max limit")));
    }
    serverDescriptors();
    long client = seen.failedCalls("socket EMFILE");
    if (client > 0) {
      long nrOpen = seen.limit("fs.nr_open", 0);
      add(
          nrOpen < seen.clientNofile() ? NR_OPEN : NOFILE_CLIENT,
          new Grounds()
              .when(true, "the client counts %,d x socket EMFILE", client)
              .plain("its RLIMIT_NOFILE is %s, fs.nr_open %s".formatted(count(seen.clientNofile()), count(nrOpen))));
    }
  }

  private void serverDescriptors() {
    long refused = seen.refusedAccepts("emfile");
    String said = seen.serverLog().get(ServerWords.NO_DESCRIPTOR);
    if (refused == 0 && said == null) {
      return;
    }
    long soft = seen.facts().nofileSoft();
    long hard = seen.facts().nofileHard();
    long nrOpen = seen.limit("fs.nr_open", 0);
    // EMFILE is the answer to both: the lower one is met first. A process keeps what it had when nr_open was lowered.
    KnownLimit limit = nrOpen < soft ? NR_OPEN : soft < hard ? NOFILE_SOFT : NOFILE_SERVER;
    add(
        limit,
        new Grounds()
            .when(refused > 0, "the server counts %,d accepts refused by EMFILE", refused)
            .quote("the server's log", said)
            .plain("its RLIMIT_NOFILE is %s (hard %s), fs.nr_open %s".formatted(count(soft), count(hard), count(nrOpen)))
            .plain("it had at most %,d connections open".formatted(seen.peak(Figure.ECHO_CONNECTIONS_OPEN))));
  }

  private void watches() {
    long server = seen.refusedAccepts("enospc");
    long client = seen.failedCalls("epoll_ctl ENOSPC");
    String said = seen.serverLog().get(ServerWords.NO_WATCH);
    if (server > 0 || client > 0 || said != null) {
      add(
          EPOLL_WATCHES,
          new Grounds()
              .when(server > 0, "the server counts %,d connections refused by epoll_ctl ENOSPC", server)
              .when(client > 0, "the client counts %,d x epoll_ctl ENOSPC", client)
              .quote("the server's log", said)
              .plain("fs.epoll.max_user_watches is %s".formatted(count(seen.limit("fs.epoll.max_user_watches", 0)))));
    }
  }

  /** Memory that was refused without anybody being killed for it. */
  private void memory() {
    String heap = seen.serverLog().get(ServerWords.HEAP_FULL);
    if (heap != null) {
      add(HEAP, new Grounds().quote("the server's log", heap));
    }
    long refused = seen.refusedAccepts("enomem") + seen.failedCalls("socket ENOMEM") + seen.failedCalls("socket ENOBUFS");
    String said = seen.serverLog().get(ServerWords.NO_MAPPING);
    if (refused > 0 && heap == null && seen.grown(Figure.CGROUP_MEMORY_REFUSALS) > 0) {
      add(
          CGROUP_MEMORY,
          new Grounds()
              .when(true, "%,d calls were refused by ENOMEM or ENOBUFS", refused)
              .when(true, "the server's control group was at its memory limit %,d times", seen.grown(Figure.CGROUP_MEMORY_REFUSALS)));
    } else if (said != null) {
      Grounds facts = new Grounds().quote("the server's log", said);
      TaskRoom.tightestOfMemory(seen).ifPresent(room -> add(room.limit(), facts.plain(room.sentence())));
    }
  }

  private void ports() {
    long none = seen.failedCalls("connect EADDRNOTAVAIL");
    boolean planned = seen.clientFailure().contains("ip_local_port_range");
    if (none > 0 || planned) {
      add(
          PORTS,
          new Grounds()
              .when(none > 0, "the client counts %,d x connect EADDRNOTAVAIL", none)
              .when(planned, "the client: " + seen.clientFailure().replace("%", "%%"), 0)
              .plain("net.ipv4.ip_local_port_range is " + seen.facts().sysctl().get("net.ipv4.ip_local_port_range")));
    }
  }

  private void tcpMemory() {
    String said = seen.logged("TCP: out of memory");
    long pressures = seen.grown(Figure.TCP_MEMORY_PRESSURES);
    long pages = seen.peak(Figure.TCP_BUFFERS_BYTES) / PAGE_BYTES;
    long high = seen.limit("net.ipv4.tcp_mem", 2);
    long dropped = seen.grown(Figure.TCP_RECEIVE_DROPS) + seen.grown(Figure.TCP_PRUNES);
    if (said != null || pressures > 0 || (dropped > 0 && pages >= NEAR * high)) {
      add(
          TCP_MEM,
          new Grounds()
              .when(pressures > 0, "TCPMemoryPressures grew by %,d", pressures)
              .when(seen.grown(Figure.TCP_PRUNES) > 0, "PruneCalled by %,d", seen.grown(Figure.TCP_PRUNES))
              .when(seen.grown(Figure.TCP_RECEIVE_DROPS) > 0, "segments dropped for want of memory by %,d",
                  seen.grown(Figure.TCP_RECEIVE_DROPS))
              .plain("queues held up to %,d pages of tcp_mem %s".formatted(pages, seen.facts().sysctl().get("net.ipv4.tcp_mem")))
              .quote("kernel", said));
    }
  }

  private void orphans() {
    String said = seen.logged("too many orphaned sockets");
    long aborts = seen.grown(Figure.TCP_MEMORY_ABORTS);
    long most = seen.limit("net.ipv4.tcp_max_orphans", 0);
    long orphans = seen.peak(Figure.TCP_ORPHANS);
    // The kernel counts an orphan twice or four times while its data finds no way out.
    if (said != null || (aborts > 0 && orphans * 4 >= most)) {
      add(
          ORPHANS,
          new Grounds()
              .when(aborts > 0, "TCPAbortOnMemory grew by %,d", aborts)
              .plain("orphans came to %,d of tcp_max_orphans %,d".formatted(orphans, most))
              .quote("kernel", said));
    }
  }

  /** A group at its limit that killed nobody: the kernel takes pages back, from the server where it is most of the group. */
  private void reclaim() {
    CgroupLimit group = seen.facts().memory();
    long refusals = seen.grown(Figure.CGROUP_MEMORY_REFUSALS);
    long rss = seen.peak(Figure.SERVER_RSS_BYTES);
    if (group != null && refusals > 0 && rss >= MOST_OF_GROUP * group.most()) {
      add(
          CGROUP_MEMORY,
          new Grounds()
              .when(true, "the server's control group was at its memory limit %,d times", refusals)
              .plain("the server held %,d MiB of %,d".formatted(rss >> 20, group.most() >> 20)));
    }
  }
}
