package echoladder.harness.results;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.ControlGroups;
import echoladder.harness.common.ProcText;
import echoladder.harness.common.Version;
import echoladder.harness.lab.LabHost;
import echoladder.harness.lab.LabMark;
import echoladder.linux.DescriptorLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * environment.json: what a figure depends on besides the programs. Whatever this host does not show is null, so that
 * its absence is seen. No names of hosts or users are in it.
 */
public final class Environment {
  private Environment() {}

  /** Reads it all; takes a fraction of a second. */
  public static Map<String, @Nullable Object> read(Checkout checkout) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("ladder", ladder(checkout));
    all.put("kernel", kernel());
    LabMark lab = LabMark.here();
    all.put("lab", lab == null ? null : lab.record());
    // Apart from it, as a run may be resumed on another processor.
    LabHost host = LabHost.told();
    all.put("host_of_lab", host == null ? null : host.record());
    all.put("distribution", distribution(ProcText.lines("/etc/os-release")));
    all.put("cpu", cpu());
    all.put("memory", memory());
    all.put("limits", limits());
    all.put("cgroup", cgroup());
    all.put("virtualization", virtualization());
    all.put("runtimes", runtimes());
    all.put("variables", RuntimeVariables.of(System.getenv()));
    all.put("sysctl", Sysctls.read());
    return all;
  }

  private static Map<String, @Nullable Object> ladder(Checkout checkout) {
    Map<String, @Nullable Object> ladder = new LinkedHashMap<>();
    ladder.put("version", Version.text());
    String commit = Command.output(checkout.root(), "git", "rev-parse", "HEAD");
    ladder.put("git_commit", commit);
    String changes = commit == null ? null : Command.output(checkout.root(), "git", "status", "--porcelain");
    ladder.put("git_dirty", changes == null ? null : (Boolean) !changes.isEmpty());
    return ladder;
  }

  private static Map<String, @Nullable Object> kernel() {
    Map<String, @Nullable Object> kernel = new LinkedHashMap<>();
    kernel.put("release", System.getProperty("os.version"));
    kernel.put("version", trimmed("/proc/sys/kernel/version"));
    kernel.put("architecture", System.getProperty("os.arch"));
    kernel.put("clocksource", trimmed("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    kernel.put("transparent_hugepage", trimmed("/sys/kernel/mm/transparent_hugepage/enabled"));
    return kernel;
  }

  static @Nullable String distribution(List<String> osRelease) {
    for (String line : osRelease) {
      if (line.startsWith("PRETTY_NAME=")) {
        return line.substring("PRETTY_NAME=".length()).replace("\"", "");
      }
    }
    return null;
  }

  private static Map<String, @Nullable Object> cpu() {
    List<String> info = ProcText.lines("/proc/cpuinfo");
    Map<String, @Nullable Object> cpu = new LinkedHashMap<>();
    cpu.put("model", value(info, "model name"));
    cpu.put("processors", Runtime.getRuntime().availableProcessors());
    cpu.put("processors_online", trimmed("/sys/devices/system/cpu/online"));
    cpu.put("threads_per_core", value(info, "siblings") == null ? null : threadsPerCore(info));
    cpu.put("governor", trimmed("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    cpu.put("boost", trimmed("/sys/devices/system/cpu/cpufreq/boost"));
    cpu.put("mitigations", mitigations());
    return cpu;
  }

  private static @Nullable Integer threadsPerCore(List<String> info) {
    String siblings = value(info, "siblings");
    String cores = value(info, "cpu cores");
    return siblings == null || cores == null ? null : (Integer) (Integer.parseInt(siblings) / Integer.parseInt(cores));
  }

  /** The system calls' price depends on them. */
  private static Map<String, @Nullable Object> mitigations() {
    Map<String, @Nullable Object> mitigations = new LinkedHashMap<>();
    Path dir = Path.of("/sys/devices/system/cpu/vulnerabilities");
    if (Files.isDirectory(dir)) {
      try (Stream<Path> files = Files.list(dir)) {
        for (Path file : new TreeSet<>(files.toList())) {
          mitigations.put(file.getFileName().toString(), trimmed(file.toString()));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot list " + dir, e);
      }
    }
    return mitigations;
  }

  private static Map<String, @Nullable Object> memory() {
    List<String> info = ProcText.lines("/proc/meminfo");
    Map<String, @Nullable Object> memory = new LinkedHashMap<>();
    for (String[] key : new String[][] {
      {"total_bytes", "MemTotal:"}, {"available_bytes", "MemAvailable:"}, {"swap_total_bytes", "SwapTotal:"}
    }) {
      var kib = ProcText.number(info, key[1]);
      memory.put(key[0], kib.isEmpty() ? null : (Long) (kib.getAsLong() << 10));
    }
    return memory;
  }

  private static Map<String, @Nullable Object> limits() {
    Map<String, @Nullable Object> limits = new LinkedHashMap<>();
    DescriptorLimit own = DescriptorLimit.own();
    limits.put("nofile_soft", own.soft());
    limits.put("nofile_hard", own.hard());
    // A JVM raises its soft limit as it starts: what the shell had is known only to who started it.
    limits.put("nofile_soft_of_shell", System.getProperty("echoladder.nofile.soft"));
    limits.put("nofile_hard_of_shell", System.getProperty("echoladder.nofile.hard"));
    List<String> lines = ProcText.lines("/proc/self/limits");
    limits.put("processes", limit(lines, "Max processes"));
    limits.put("stack", limit(lines, "Max stack size"));
    limits.put("locked_memory", limit(lines, "Max locked memory"));
    limits.put("address_space", limit(lines, "Max address space"));
    return limits;
  }

  private static @Nullable String limit(List<String> lines, String name) {
    for (String line : lines) {
      if (line.startsWith(name)) {
        return line.substring(name.length()).trim().replaceAll("\\s+", " ");
      }
    }
    return null;
  }

  private static Map<String, @Nullable Object> cgroup() {
    Map<String, @Nullable Object> cgroup = new LinkedHashMap<>();
    cgroup.put("memory_max", ofGroup("memory", "memory.limit_in_bytes", "memory.max"));
    cgroup.put("pids_max", ofGroup("pids", "pids.max", "pids.max"));
    cgroup.put("cpu_max", ofGroup("cpu", "cpu.cfs_quota_us", "cpu.max"));
    return cgroup;
  }

  /** A file of the lowest group around this process that has it: what servers and clients are started in. */
  private static @Nullable String ofGroup(String controller, String version1, String version2) {
    for (ControlGroups.Group group : ControlGroups.own().with(controller)) {
      String text = ProcText.read(group.file(version1, version2).toString());
      if (text != null) {
        return text.trim();
      }
    }
    return null;
  }

  private static Map<String, @Nullable Object> virtualization() {
    Map<String, @Nullable Object> hints = new LinkedHashMap<>();
    hints.put(
        "hypervisor_flag",
        ProcText.lines("/proc/cpuinfo").stream().anyMatch(l -> l.startsWith("flags") && l.contains(" hypervisor")));
    hints.put("product", trimmed("/sys/class/dmi/id/product_name"));
    hints.put("container", Files.exists(Path.of("/.dockerenv")) || Files.exists(Path.of("/run/.containerenv")));
    return hints;
  }

  private static Map<String, @Nullable Object> runtimes() {
    Map<String, @Nullable Object> runtimes = new LinkedHashMap<>();
    runtimes.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    runtimes.put("go", Command.output(Path.of("/"), "go", "version"));
    return runtimes;
  }

  private static @Nullable String value(List<String> info, String key) {
    for (String line : info) {
      if (line.startsWith(key)) {
        return line.substring(line.indexOf(':') + 1).trim();
      }
    }
    return null;
  }

  private static @Nullable String trimmed(String path) {
    String text = ProcText.read(path);
    return text == null ? null : text.trim();
  }
}
