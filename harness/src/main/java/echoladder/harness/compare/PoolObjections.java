package echoladder.harness.compare;

import echoladder.harness.metric.ServerTimes;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why the figures of two runs are no two samples of one figure. What differs between days and hosts is what pooling is for. Pure. */
final class PoolObjections {
  /** Parts of the environment that are settings: each can be set again, and is another experiment. */
  private static final List<String> SETTINGS =
      List.of(
          "sysctl", "variables", "network.busy_poll_us", "network.busy_read_us", "network.congestion_control", "network.default_qdisc",
          "network.rps_masks.lo/rx-0", "kernel.transparent_hugepage", "cpu.governor", "cpu.boost", "cgroup.cpu_max");

  /** Settings that the kernel makes of its memory as it starts: limits, which change no figure of a rung that none of them ended. */
  private static final Set<String> OF_MEMORY =
      Set.of(
          "sysctl.fs.epoll.max_user_watches", "sysctl.fs.file-max", "sysctl.kernel.threads-max", "sysctl.net.ipv4.tcp_mem",
          "sysctl.net.ipv4.tcp_max_orphans", "sysctl.net.ipv4.tcp_max_tw_buckets", "sysctl.net.ipv4.tcp_max_syn_backlog",
          "sysctl.net.netfilter.nf_conntrack_buckets", "sysctl.net.netfilter.nf_conntrack_max", "sysctl.vm.max_map_count");

  /** Settings of a server's entry that say which rungs are planned, and change no figure of those that are. */
  private static final Set<String> OF_PLAN = Set.of("server.plan_memory", "server.plan_limits", "client.plan_ports");

  private static final String EXPERIMENT = "each is a setting of the experiment; set it, or pool runs that have it";

  /** How long each phase lasts. */
  private static final String PHASES = "phases";

  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");

  private PoolObjections() {}

  /** Everything that speaks against it, in sentences; empty = they may be pooled. */
  static List<String> to(RunRecord first, RunRecord second) {
    Set<String> against = new LinkedHashSet<>();
    if (first.runId().equals(second.runId())) {
      against.add("they are one run, given twice");
    }
    Objections.differ(
        against, "the version of the record's format", first.schemaVersion(), second.schemaVersion(), "a field may mean another thing");
    against.addAll(Objections.measuredOtherwise(first, second));
    Objections.differ(
        against, "the kernel's stamps", stamps(first), stamps(second), "without them a time is an upper bound, which the client is in");
    settings(against, first, second);
    for (Study.Entry entry : first.study().servers()) {
      ServerRecord ours = first.server(entry.label()).orElse(null);
      ServerRecord theirs = second.server(entry.label()).orElse(null);
      if (ours != null && theirs != null) {
        Objections.differ(
            against, "what server '" + entry.label() + "' stands for", ours.name(), theirs.name(), "a label is no server");
        different(against, "options of " + entry.label(), options(ours), options(theirs), "it is another entry");
        second.study().entry(entry.label()).ifPresent(
            other -> different(against, "what is set for " + entry.label(), settings(entry), settings(other), EXPERIMENT));
        different(
            against, "versions of " + entry.label(), versions(first, ours), versions(second, theirs),
            "another version is another subject; measure again, or pool the runs of one version");
      }
    }
    return List.copyOf(against);
  }

  private static String stamps(RunRecord run) {
    return ServerTimes.stamped(run.rungs()) ? "on" : "off";
  }

  private static void settings(Set<String> against, RunRecord first, RunRecord second) {
    Map<String, String> ours = settings(first);
    Map<String, String> theirs = settings(second);
    // What a younger ladder records of a host is no difference from an older one's run.
    ours.keySet().retainAll(theirs.keySet());
    theirs.keySet().retainAll(ours.keySet());
    // A phase that one of them does not have is a difference.
    Surroundings.flatten(PHASES, Surroundings.tree(first.study().phases()), ours);
    Surroundings.flatten(PHASES, Surroundings.tree(second.study().phases()), theirs);
    different(against, "settings", ours, theirs, EXPERIMENT);
  }

  /** What is set for one server; of the network between client and server the load's own comparison tells. */
  private static Map<String, String> settings(Study.Entry entry) {
    Map<String, @Nullable Object> set = Surroundings.tree(entry.settings());
    set.keySet().retainAll(SameLoad.SETTINGS);
    Map<String, String> settings = new TreeMap<>();
    Surroundings.flatten("", set, settings);
    settings.keySet().removeAll(OF_PLAN);
    return settings;
  }

  private static Map<String, String> settings(RunRecord run) {
    Map<String, String> settings = new TreeMap<>();
    for (String path : SETTINGS) {
      Surroundings.flatten(path, Fingerprint.at(run.environment(), path), settings);
    }
    settings.keySet().removeAll(OF_MEMORY);
    return settings;
  }

  private static Map<String, String> options(ServerRecord server) {
    return server.options() == null ? Map.of() : server.options();
  }

  /** What a server said of its runtime, and the libraries of others on its class path with their versions. */
  private static Map<String, String> versions(RunRecord run, ServerRecord server) {
    Map<String, String> versions = new TreeMap<>();
    for (RungRecord rung : run.rungs()) {
      if (rung.server().equals(server.label()) && rung.process() != null) {
        rung.process().config().forEach(
            (key, value) -> {
              if (key.endsWith("_version") || key.equals("java_vm")) {
                versions.put(key, String.valueOf(value));
              }
            });
      }
    }
    String own = String.valueOf(Fingerprint.at(run.environment(), "ladder.version"));
    for (String file : code(run, server).keySet()) {
      Matcher jar = JAR.matcher(file.substring(file.lastIndexOf('/') + 1));
      if (jar.matches() && !jar.group(2).equals(own)) {
        versions.put(jar.group(1) + classifier(jar.group(2)), jar.group(2));
      }
    }
    return versions;
  }

  /** Native files of one library lie beside each other, a platform each. */
  private static String classifier(String version) {
    int linux = version.indexOf("-linux-");
    return linux < 0 ? "" : version.substring(linux);
  }

  private static Map<String, String> code(RunRecord run, ServerRecord server) {
    Map<String, String> code = new TreeMap<>();
    if (run.environment().get(ProgramHashes.KEY) instanceof Map<?, ?> all && all.get(server.name()) instanceof Map<?, ?> of) {
      of.forEach((file, hash) -> code.put(String.valueOf(file), String.valueOf(hash)));
    }
    return code;
  }

  /** Servers whose own code is of another build, by their labels: that is no other version, and the reader may want to know. */
  static List<String> builtOtherwise(RunRecord first, RunRecord second) {
    List<String> labels = new ArrayList<>();
    for (ServerRecord server : first.servers()) {
      ServerRecord theirs = second.server(server.label()).orElse(null);
      if (theirs != null && !hashes(first, server).equals(hashes(second, theirs))) {
        labels.add(server.label());
      }
    }
    return labels;
  }

  private static Set<String> hashes(RunRecord run, ServerRecord server) {
    return new TreeSet<>(code(run, server).values());
  }

  private static void different(Set<String> against, String what, Map<String, String> a, Map<String, String> b, String why) {
    Set<String> names = new TreeSet<>(a.keySet());
    names.addAll(b.keySet());
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String ours = a.get(name);
      String theirs = b.get(name);
      if (!Objects.equals(ours, theirs)) {
        differences.add("%s: %s and %s".formatted(name, ours == null ? "none" : ours, theirs == null ? "none" : theirs));
      }
    }
    if (!differences.isEmpty()) {
      against.add("they differ in %s (%s): %s".formatted(what, String.join("; ", differences), why));
    }
  }
}
