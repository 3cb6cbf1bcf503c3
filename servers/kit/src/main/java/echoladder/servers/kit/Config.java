package echoladder.servers.kit;

import echoladder.linux.ProcSys;
import echoladder.linux.process.CpuAffinity;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.DurationText;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the ready line's config is made of. */
final class Config {
  private Config() {}

  /** Every option with the value in force; {@code --buffer-bytes} is {@code buffer_bytes}. */
  static Map<String, Object> ofOptions(CommandSpec spec) {
    Map<String, Object> config = new TreeMap<>();
    for (OptionSpec option : spec.options()) {
      if (!option.usageHelp()) {
        config.put(option.longestName().substring(2).replace('-', '_'), plain(option.getValue()));
      }
    }
    return config;
  }

  private static Object plain(Object value) {
    return switch (value) {
      case Duration time -> DurationText.of(time);
      case Enum<?> choice -> choice.toString();
      default -> value;
    };
  }

  /** The kernel cuts a listener's backlog to net.core.somaxconn without a word. */
  static long backlogInForce(int asked) {
    try {
      return Math.min(asked, Long.parseLong(ProcSys.read("net.core.somaxconn")));
    } catch (IOException e) {
      throw new CannotRun("could not read net.core.somaxconn, which caps --backlog: " + e.getMessage(), e);
    }
  }

  /** The processors that this process may run on, in the kernel's form, as the kernel says. */
  static String cpus() {
    return String.valueOf(CpuAffinity.of(ProcessHandle.current().pid()));
  }

  /** The JVM's version, collector and flags: as given, and as in force. */
  static Map<String, Object> ofJvm() {
    Runtime runtime = Runtime.getRuntime();
    return Map.of(
        // Arenas of the C library's allocator, of which each thread takes one; unset = eight per processor.
        "malloc_arena_max", System.getenv().getOrDefault("MALLOC_ARENA_MAX", "unset"),
        "java_flags_in_force", JvmFlags.inForce(),
        "java_version", Runtime.version().toString(),
        "java_vm", System.getProperty("java.vm.name", "unknown"),
        "java_flags", ManagementFactory.getRuntimeMXBean().getInputArguments(),
        "java_collectors",
            ManagementFactory.getGarbageCollectorMXBeans().stream().map(GarbageCollectorMXBean::getName).toList(),
        "java_heap_max_bytes", runtime.maxMemory(),
        "processors", runtime.availableProcessors());
  }
}
