package echoladder.harness.resume;

import echoladder.harness.compare.Surroundings;
import echoladder.harness.results.ResumedRecord.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which differences around two parts of one run make their rungs incomparable: those by which the same server costs or
 * holds something else, and which nobody can put back between two rungs. Everything else is recorded and shown. Pure.
 */
public final class Comparability {
  /** By the beginning of the dotted name. */
  private static final Map<String, String> REASONS = new LinkedHashMap<>();

  static {
    String machine = "times and CPU per echo are those of a machine";
    REASONS.put("cpu.", machine);
    REASONS.put("kernel.architecture", machine);
    REASONS.put("kernel.release", "another kernel's sockets take other CPU and memory");
    REASONS.put("kernel.version", "another kernel's sockets take other CPU and memory");
    REASONS.put("kernel.clocksource", "stamps cost something else by another clock");
    REASONS.put("lab", "a lab's system calls cost many times as much, and its memory bounds what is held");
    REASONS.put("cgroup.cpu_max", "servers get another share of the processors");
    REASONS.put("runtimes.jvm", "the client and the Java servers run on it");
    REASONS.put("ladder.version", "another version may measure otherwise");
    REASONS.put("code.", "its figures are those of another program");
    REASONS.put("variables.", "runtimes that are told something else cost and hold something else");
    REASONS.put("client", "the client is part of every figure");
    REASONS.put("server.", "a climb is of one server with one set of options");
  }

  /** What stands before the names of a host of a run over several. */
  private static final Pattern OF_HOST = Pattern.compile("^hosts\\..+?\\.(?=(cpu|kernel|cgroup|runtimes|ladder|variables)\\.)");

  private Comparability() {}

  /** What speaks against going on in another environment than it was begun in, in sentences; empty = nothing. */
  public static List<String> against(Map<String, @Nullable Object> begun, Map<String, @Nullable Object> now) {
    return against(differences(begun, now));
  }

  static List<Difference> differences(Map<String, @Nullable Object> begun, Map<String, @Nullable Object> now) {
    return Surroundings.environments(begun, now).stream().map(d -> new Difference(d.name(), d.first(), d.second())).toList();
  }

  /** What speaks against resuming, in sentences; empty = nothing. */
  static List<String> against(List<Difference> differences) {
    List<String> against = new ArrayList<>();
    for (Difference difference : differences) {
      String of = OF_HOST.matcher(difference.name()).replaceFirst("");
      REASONS.forEach(
          (name, why) -> {
            if (of.startsWith(name)) {
              against.add(
                  "%s was '%s' and is '%s': %s".formatted(difference.name(), difference.begun(), difference.now(), why));
            }
          });
    }
    return against;
  }
}
