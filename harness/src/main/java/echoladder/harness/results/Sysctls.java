package echoladder.harness.results;

import echoladder.harness.limits.KnownLimit;
import echoladder.linux.ProcSys;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The kernel settings that can limit a ladder or colour its figures. */
public final class Sysctls {
  /** Those that limit nothing by themselves, but may colour figures. */
  private static final Set<String> COLOURING =
      Set.of(
          "kernel.sched_autogroup_enabled",
          "net.core.default_qdisc",
          "net.core.rmem_max",
          "net.core.wmem_max",
          "net.ipv4.tcp_congestion_control",
          "net.ipv4.tcp_tw_reuse",
          "vm.swappiness");

  /** Without those that count something and so change by themselves. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>(KnownLimit.allSettings());
    names.addAll(COLOURING);
    return names;
  }

  private Sysctls() {}

  /** By name; those that this kernel does not have, or does not show here, are missing. */
  public static Map<String, String> read() {
    Map<String, String> values = new TreeMap<>();
    for (String name : names()) {
      try {
        values.put(name, ProcSys.read(name).replace('\t', ' '));
      } catch (IOException e) {
        // Not in this kernel or namespace: absent from the record, which is how a reader sees it.
      }
    }
    return values;
  }
}
