package echoladder.harness.results;

import echoladder.linux.ProcSys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kernel settings that can limit a ladder or colour its figures. */
public final class Sysctls {
  /** Without those that count something and so change by themselves. */
  static final List<String> NAMES =
      List.of(
          "fs.file-max",
          "fs.nr_open",
          "fs.epoll.max_user_watches",
          "kernel.pid_max",
          "kernel.threads-max",
          "kernel.sched_autogroup_enabled",
          "net.core.default_qdisc",
          "net.core.netdev_max_backlog",
          "net.core.rmem_max",
          "net.core.somaxconn",
          "net.core.wmem_max",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.tcp_congestion_control",
          "net.ipv4.tcp_max_orphans",
          "net.ipv4.tcp_max_syn_backlog",
          "net.ipv4.tcp_max_tw_buckets",
          "net.ipv4.tcp_mem",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.tcp_tw_reuse",
          "net.ipv4.tcp_wmem",
          "net.netfilter.nf_conntrack_max",
          "vm.max_map_count",
          "vm.overcommit_memory",
          "vm.swappiness");

  private Sysctls() {}

  /** By name; those that this kernel does not have, or does not show here, are missing. */
  public static Map<String, String> read() {
    Map<String, String> values = new TreeMap<>();
    for (String name : NAMES) {
      try {
        values.put(name, ProcSys.read(name).replace('\t', ' '));
      } catch (IOException e) {
        // Not in this kernel or namespace: absent from the record, which is how a reader sees it.
      }
    }
    return values;
  }
}
