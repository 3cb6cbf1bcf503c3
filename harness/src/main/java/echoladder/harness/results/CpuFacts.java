package echoladder.harness.results;

import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processors, and what the kernel lets them do when they idle. */
final class CpuFacts {
  private static final String CPU = "/sys/devices/system/cpu/";

  private CpuFacts() {}

  static Map<String, @Nullable Object> read(Map<String, String> notShown) {
    List<String> info = ProcText.lines("/proc/cpuinfo");
    String none = "/proc/cpuinfo does not say";
    Facts cpu = new Facts("cpu", notShown);
    cpu.put("model", value(info, "model name"), none);
    cpu.put("processors", Runtime.getRuntime().availableProcessors(), none);
    cpu.file("processors_online", CPU + "online");
    cpu.put("threads_per_core", threadsPerCore(info), none);
    cpu.put("microcode", value(info, "microcode"), none);
    cpu.put("caches", caches(), "cannot read " + CPU + "cpu0/cache");
    cpu.put("mhz_most", mhzMost(Facts.text(CPU + "cpu0/cpufreq/cpuinfo_max_freq"), mhz(info)), none);
    cpu.file("governor", CPU + "cpu0/cpufreq/scaling_governor");
    cpu.file("boost", CPU + "cpufreq/boost");
    cpu.file("idle_driver", CPU + "cpuidle/current_driver");
    String governor = Facts.text(CPU + "cpuidle/current_governor");
    cpu.put(
        "idle_governor", governor == null ? Facts.text(CPU + "cpuidle/current_governor_ro") : governor,
        "cannot read " + CPU + "cpuidle/current_governor");
    cpu.put("haltpoll", haltpoll(), "this kernel has no module haltpoll in /sys/module: a guest does not poll before it halts");
    cpu.put("mitigations", texts(Path.of(CPU + "vulnerabilities")), "cannot read " + CPU + "vulnerabilities");
    return cpu.values();
  }

  /** The highest clock of a processor whose clock is scaled, else the one that it has, in MHz; null where the kernel does not tell. */
  static @Nullable Double mhzMost(@Nullable String scaledMostKhz, @Nullable List<Double> now) {
    if (scaledMostKhz != null && scaledMostKhz.matches("\\d{1,9}")) {
      return Long.parseLong(scaledMostKhz) / 1e3;
    }
    return now == null ? null : now.getFirst();
  }

  /** Caches of the first processor, e.g. {@code L1 Data 32K, shared by 0}; null where the kernel does not tell. */
  private static @Nullable List<String> caches() {
    List<String> caches = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String dir = CPU + "cpu0/cache/index" + i + "/";
      String level = Facts.text(dir + "level");
      if (level == null) {
        break;
      }
      caches.add(
          "L%s %s %s, shared by %s"
              .formatted(level, Facts.text(dir + "type"), Facts.text(dir + "size"), Facts.text(dir + "shared_cpu_list")));
    }
    return caches.isEmpty() ? null : caches;
  }

  /** How long a guest polls before it halts, in ns, and the rules by which that time grows and shrinks. */
  private static @Nullable Map<String, @Nullable String> haltpoll() {
    Map<String, @Nullable String> parameters = texts(Path.of("/sys/module/haltpoll/parameters"));
    if (parameters == null) {
      return null;
    }
    Map<String, @Nullable String> all = new TreeMap<>(parameters);
    all.put("cpuidle_haltpoll.force", Facts.text("/sys/module/cpuidle_haltpoll/parameters/force"));
    return all;
  }

  /** What the files of a folder say, by name; null where there is no such folder. */
  private static @Nullable Map<String, @Nullable String> texts(Path dir) {
    if (!Files.isDirectory(dir)) {
      return null;
    }
    Map<String, @Nullable String> texts = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : new TreeSet<>(files.toList())) {
        texts.put(file.getFileName().toString(), Facts.text(file.toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + dir, e);
    }
    return texts;
  }

  private static @Nullable Integer threadsPerCore(List<String> info) {
    String siblings = value(info, "siblings");
    String cores = value(info, "cpu cores");
    return siblings == null || cores == null ? null : (Integer) (Integer.parseInt(siblings) / Integer.parseInt(cores));
  }

  private static @Nullable String value(List<String> info, String key) {
    for (String line : info) {
      if (line.startsWith(key)) {
        return line.substring(line.indexOf(':') + 1).trim();
      }
    }
    return null;
  }

  /** The clock of each processor at this moment, in MHz; null where the kernel does not tell. */
  static @Nullable List<Double> mhz(List<String> info) {
    List<Double> mhz =
        info.stream().filter(l -> l.startsWith("cpu MHz")).map(l -> Double.valueOf(l.substring(l.indexOf(':') + 1).trim())).toList();
    return mhz.isEmpty() ? null : mhz;
  }
}
