package echoladder.harness.lab;

import echoladder.harness.common.ProcText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processor that a lab runs on. Each system call in a lab is a hand-over between two processes; on two processors
 * each hand-over wakes an idle one, which made a climb five times slower.
 */
final class LabCpu {
  private static final String ALLOWED = "Cpus_allowed_list:";

  private LabCpu() {}

  /** The one of those that this process may use on which the fewest labs run; of several the last. */
  static int choose() {
    Map<Integer, Integer> labs = new HashMap<>();
    ProcessHandle.allProcesses()
        .filter(process -> String.valueOf(ProcText.read("/proc/" + process.pid() + "/comm")).trim().equals(UmlHost.KERNEL))
        .map(process -> cpus(ProcText.lines("/proc/" + process.pid() + "/status")))
        .filter(cpus -> cpus.size() == 1)
        .forEach(cpus -> labs.merge(cpus.getFirst(), 1, Integer::sum));
    return choose(cpus(ProcText.lines("/proc/self/status")), labs);
  }

  static int choose(List<Integer> allowed, Map<Integer, Integer> labs) {
    int chosen = allowed.getLast();
    for (int cpu : allowed.reversed()) {
      chosen = labs.getOrDefault(cpu, 0) < labs.getOrDefault(chosen, 0) ? cpu : chosen;
    }
    return chosen;
  }

  /** From the lines of a status file; 0 alone where they do not say. */
  static List<Integer> cpus(List<String> status) {
    Optional<String> line = status.stream().filter(l -> l.startsWith(ALLOWED)).findFirst();
    return line.map(l -> list(l.substring(ALLOWED.length()).trim())).orElse(List.of(0));
  }

  /** As the kernel writes them: {@code 0-2,5}. */
  private static List<Integer> list(String text) {
    List<Integer> cpus = new ArrayList<>();
    for (String range : text.split(",", -1)) {
      String[] ends = range.split("-", -1);
      for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
        cpus.add(cpu);
      }
    }
    return cpus;
  }
}
