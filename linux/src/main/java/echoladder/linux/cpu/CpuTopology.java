package echoladder.linux.cpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The host's cores: which processors are threads of one core, and which memory is near them. */
public final class CpuTopology {
  private CpuTopology() {}

  /**
   * One core.
   *
   * @param cpus its threads, as far as they are allowed
   * @param node of memory; 0 where the kernel tells of none
   */
  public record Core(CpuList cpus, int node) {}

  /**
   * The cores of these processors, by node and then by number. A processor of which the kernel tells nothing is a core by
   * itself.
   *
   * @param sys where sysfs is, /sys
   * @param allowed the processors to look at
   */
  public static List<Core> cores(Path sys, CpuList allowed) {
    List<Core> cores = new ArrayList<>();
    CpuList seen = CpuList.of();
    for (int cpu : allowed.stream().toArray()) {
      CpuList own = CpuList.of(cpu);
      if (seen.containsAll(own)) {
        continue;
      }
      Path topology = sys.resolve("devices/system/cpu/cpu" + cpu + "/topology");
      // The first is the newer name of the second.
      CpuList siblings = list(topology.resolve("core_cpus_list"), list(topology.resolve("thread_siblings_list"), own));
      CpuList threads = siblings.in(allowed).with(own).without(seen);
      seen = seen.with(threads);
      cores.add(new Core(threads, node(sys, cpu)));
    }
    cores.sort(Comparator.comparingInt(Core::node));
    return cores;
  }

  private static int node(Path sys, int cpu) {
    // A processor's folder has an entry named by its node.
    Path folder = sys.resolve("devices/system/cpu/cpu" + cpu);
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.matches("node\\d{1,4}"))
          .mapToInt(name -> Integer.parseInt(name.substring(4)))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }

  private static CpuList list(Path file, CpuList otherwise) {
    try {
      return CpuList.parse(Files.readString(file));
    } catch (IOException e) {
      return otherwise;
    }
  }
}
