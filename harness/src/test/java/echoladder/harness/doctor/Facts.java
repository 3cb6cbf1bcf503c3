package echoladder.harness.doctor;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Facts of a host of 24 GiB whose root has no CAP_SYS_RESOURCE, and variations of it. */
public final class Facts {
  private long soft = 20_000;
  private long hard = 20_000;
  private long nproc = 96_365;
  private long uid = 0;
  private boolean resource = false;
  private boolean admin = true;
  private final Map<String, String> sysctl =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("fs.epoll.max_user_watches", "5491511"),
              Map.entry("fs.file-max", "2466170"),
              Map.entry("fs.nr_open", "1048576"),
              Map.entry("kernel.pid_max", "32768"),
              Map.entry("kernel.threads-max", "192730"),
              Map.entry("net.core.netdev_max_backlog", "1000"),
              Map.entry("net.core.somaxconn", "4096"),
              Map.entry("net.ipv4.ip_local_port_range", "32768 60999"),
              Map.entry("net.ipv4.ip_local_reserved_ports", ""),
              Map.entry("net.ipv4.tcp_max_orphans", "131072"),
              Map.entry("net.ipv4.tcp_max_syn_backlog", "2048"),
              Map.entry("net.ipv4.tcp_max_tw_buckets", "131072"),
              Map.entry("net.ipv4.tcp_mem", "287898 383867 575796"),
              Map.entry("net.ipv4.tcp_rmem", "4096 131072 33554432"),
              Map.entry("net.ipv4.tcp_wmem", "4096 16384 4194304"),
              Map.entry("vm.max_map_count", "65530"),
              Map.entry("vm.overcommit_memory", "0")));
  private boolean writable = true;
  private @Nullable CgroupLimit pids;
  private @Nullable CgroupLimit memory;
  private long available = 22L << 30;
  private @Nullable Long commitLeft;
  private int addresses = 1;

  public Facts nofile(long limit) {
    soft = limit;
    hard = limit;
    return this;
  }

  Facts soft(long limit) {
    soft = limit;
    return this;
  }

  public Facts sysctl(String key, @Nullable String value) {
    if (value == null) {
      sysctl.remove(key);
    } else {
      sysctl.put(key, value);
    }
    return this;
  }

  public Facts readOnly() {
    writable = false;
    return this;
  }

  public Facts user() {
    uid = 1000;
    admin = false;
    return readOnly();
  }

  public Facts capSysResource() {
    resource = true;
    return this;
  }

  public Facts pids(long most, long used) {
    pids = new CgroupLimit("/sys/fs/cgroup/pids.max", most, used, false);
    return this;
  }

  public Facts memory(long most, long used) {
    memory = new CgroupLimit("/sys/fs/cgroup/memory.max", most, used, false);
    return this;
  }

  public Facts available(long bytes) {
    available = bytes;
    return this;
  }

  public Facts commitLeft(long bytes) {
    commitLeft = bytes;
    return sysctl("vm.overcommit_memory", "2");
  }

  /** As a host. */
  public HostFacts facts() {
    return new HostFacts(
        soft, hard, "a test", nproc, uid, true, resource, admin, sysctl,
        writable ? sysctl.keySet() : Set.of(),
        150, pids, memory, available, commitLeft, addresses);
  }
}
