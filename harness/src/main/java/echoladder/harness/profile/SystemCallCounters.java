package echoladder.harness.profile;

import echoladder.harness.results.ProfileRecord.Count;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of perf's counters count system calls by name. A server hardly feels them as long as they are few: each is switched off and
 * on with every thread that the processor turns to. So there is a look at {@link #NAMES all that an echo may need} at first, and then
 * those that were seen are counted alone. Pure.
 */
final class SystemCallCounters {
  /** All that an echo may need, the likeliest first. What else a server calls is among {@link #OTHERS}. */
  static final List<String> NAMES =
      List.of(
          "read", "write", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "futex", "recvfrom", "sendto", "io_uring_enter",
          "readv", "writev", "recvmsg", "sendmsg", "nanosleep", "clock_nanosleep", "sched_yield", "poll", "ppoll", "madvise");

  /** In a table: calls of no name above. */
  static final String OTHERS = "(others)";

  private static final String ALL = "raw_syscalls:sys_enter";
  private static final String ENTERED = "syscalls:sys_enter_";
  private static final String LEFT = "syscalls:sys_exit_";

  /** What fails while all is well: there was nothing to read, or the word of a futex had changed. */
  private static final Set<String> MAY_FAIL = Set.of("read", "recvfrom", "readv", "recvmsg", "futex");

  /** The least share of all calls that a name needs; what is seldomer is among the others. */
  private static final double LEAST_SHARE = 0.002;

  private SystemCallCounters() {}

  /** Options of {@code perf stat} that count calls of these names, those of them that failed, and all calls. */
  static List<String> options(Collection<String> names) {
    List<String> options = new ArrayList<>(List.of("-e", ALL));
    names.forEach(name -> options.addAll(List.of("-e", ENTERED + name)));
    // A filter is of the events of the one option before it.
    names.stream().filter(MAY_FAIL::contains).forEach(name -> options.addAll(List.of("-e", LEFT + name, "--filter", "ret<0")));
    return options;
  }

  /** How many counters those are. */
  static int counters(Collection<String> names) {
    return 1 + names.size() + (int) names.stream().filter(MAY_FAIL::contains).count();
  }

  /** Those of the names for which {@code perf list} knows a counter, in the same order. */
  static List<String> known(String list) {
    Set<String> events = new HashSet<>(List.of(list.split("\\s+")));
    return NAMES.stream().filter(name -> events.contains(ENTERED + name) && events.contains(LEFT + name)).toList();
  }

  /** The names of calls that were made, by what perf counted; none where no call was. */
  static List<String> seen(Map<String, Double> counted) {
    double least = counted.getOrDefault(ALL, 0.0) * LEAST_SHARE;
    return NAMES.stream().filter(name -> counted.getOrDefault(ENTERED + name, 0.0) > least).toList();
  }

  /** Calls per echo by name, the most first, and those of other names last. */
  static List<Count> counts(Map<String, Double> counted, double echoes) {
    List<Count> counts = new ArrayList<>();
    double others = counted.getOrDefault(ALL, 0.0);
    for (String name : NAMES) {
      Double calls = counted.get(ENTERED + name);
      if (calls != null) {
        Double failed = counted.get(LEFT + name);
        counts.add(new Count(name, calls / echoes, failed == null ? null : (Double) (failed / echoes)));
        others -= calls;
      }
    }
    counts.sort(Comparator.comparingDouble(Count::perEcho).reversed());
    counts.add(new Count(OTHERS, Math.max(0, others) / echoes, null));
    return counts;
  }
}
