package echoladder.harness.results;

import echoladder.harness.common.ProcText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The kernel: which one, how it was built and how it was started. */
final class KernelFacts {
  /** Parameters whose values name hosts, disks or secrets. */
  private static final Pattern PRIVATE =
      Pattern.compile("(ip|nfsroot|nfsaddrs|root|resume|cryptdevice|netroot|hostname|systemd\\.hostname|rd\\.[a-z]+(\\.\\w+)?)=.*");

  /** The model in force is the one in brackets. */
  private static final Pattern CHOSEN = Pattern.compile("\\((\\w+)\\)");

  private KernelFacts() {}

  static Map<String, @Nullable Object> read(Map<String, String> notShown) {
    Facts kernel = new Facts("kernel", notShown);
    kernel.put("release", System.getProperty("os.version"), "java does not say");
    kernel.file("version", "/proc/sys/kernel/version");
    kernel.put("architecture", System.getProperty("os.arch"), "java does not say");
    kernel.file("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    kernel.file("transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled");
    String started = Facts.text("/proc/cmdline");
    String commandLine = started == null ? null : commandLine(started);
    kernel.put("command_line", commandLine, "cannot read /proc/cmdline");
    List<String> config = config(System.getProperty("os.version", ""));
    String why = "neither /proc/config.gz nor /boot/config-" + System.getProperty("os.version") + " can be read";
    kernel.put("hz", hz(config), why);
    kernel.put(
        "preemption",
        preemption(Facts.text("/sys/kernel/debug/sched/preempt"), commandLine, config),
        "cannot read /sys/kernel/debug/sched/preempt, and " + why);
    kernel.file("io_uring_disabled", "/proc/sys/kernel/io_uring_disabled");
    return kernel.values();
  }

  /** The kernel's own parameters; behind {@code --} are those of its first process. */
  static String commandLine(String started) {
    List<String> shown = new ArrayList<>();
    for (String word : started.strip().split("\\s+", -1)) {
      if (word.equals("--")) {
        break;
      }
      shown.add(PRIVATE.matcher(word).matches() ? word.substring(0, word.indexOf('=')) + "=..." : RuntimeVariables.shown(word));
    }
    return String.join(" ", shown);
  }

  private static List<String> config(String release) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(Path.of("/proc/config.gz"))))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return ProcText.lines("/boot/config-" + release);
    }
  }

  /** Ticks per second, of a kernel's configuration; null = it does not say. */
  static @Nullable Integer hz(List<String> config) {
    for (String line : config) {
      if (line.startsWith("CONFIG_HZ=")) {
        return Integer.valueOf(line.substring("CONFIG_HZ=".length()).trim());
      }
    }
    return null;
  }

  /**
   * Which tasks the kernel interrupts in its own work: what is in force where the kernel tells, else what it was started
   * with, else what it was built with. Null = none of them is known.
   */
  static @Nullable String preemption(@Nullable String inForce, @Nullable String commandLine, List<String> config) {
    Matcher chosen = CHOSEN.matcher(String.valueOf(inForce));
    if (chosen.find()) {
      return chosen.group(1);
    }
    for (String word : String.valueOf(commandLine).split(" ", -1)) {
      if (word.startsWith("preempt=")) {
        return word.substring("preempt=".length());
      }
    }
    for (String model : List.of("RT", "LAZY", "VOLUNTARY", "NONE")) {
      if (config.contains("CONFIG_PREEMPT_" + model + "=y")) {
        return model.toLowerCase(Locale.ROOT);
      }
    }
    return config.contains("CONFIG_PREEMPT=y") ? "full" : null;
  }
}
