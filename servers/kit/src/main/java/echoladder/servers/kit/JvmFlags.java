package echoladder.servers.kit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Flags of this JVM as they are in force, whoever chose them: the command line, a variable such as JAVA_TOOL_OPTIONS, or
 * the JVM itself by the host's processors and memory.
 */
final class JvmFlags {
  /** Those by which the same program costs or holds something else. */
  private static final List<String> TELLING =
      List.of(
          "UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "UseShenandoahGC", "InitialHeapSize", "MaxHeapSize", "SoftMaxHeapSize",
          "NewSize", "MaxNewSize", "MaxDirectMemorySize", "G1HeapRegionSize", "MaxGCPauseMillis", "ParallelGCThreads", "ConcGCThreads",
          "ThreadStackSize", "VMThreadStackSize", "UseCompressedOops", "UseCompactObjectHeaders", "AlwaysPreTouch", "UseNUMA",
          "UseTransparentHugePages", "UseLargePages", "ActiveProcessorCount", "CICompilerCount", "TieredCompilation",
          "TieredStopAtLevel", "ReservedCodeCacheSize", "UseAOTStrictLoading", "UseDynamicNumberOfGCThreads");

  /** {@code -XX:+Name}, {@code -XX:-Name} and {@code -XX:Name=value}. */
  private static final Pattern GIVEN = Pattern.compile("-XX:[+-]?(\\w+)(=.*)?");

  private JvmFlags() {}

  /** The telling ones and all that were given, by name; a flag that this JVM does not have is missing. */
  static Map<String, String> inForce() {
    TreeSet<String> names = new TreeSet<>(TELLING);
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      Matcher given = GIVEN.matcher(argument);
      if (given.matches()) {
        names.add(given.group(1));
      }
    }
    HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    Map<String, String> flags = new TreeMap<>();
    for (String name : names) {
      String value = value(jvm, name);
      if (value != null) {
        flags.put(name, value);
      }
    }
    return flags;
  }

  private static @Nullable String value(@Nullable HotSpotDiagnosticMXBean jvm, String name) {
    try {
      return jvm == null ? null : jvm.getVMOption(name).getValue();
    } catch (IllegalArgumentException e) {
      // Another JVM, or another version of it, has no such flag.
      return null;
    }
  }
}
