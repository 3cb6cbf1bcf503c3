package echoladder.harness.explain;

import echoladder.harness.doctor.CgroupLimit;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.limits.KnownLimit;
import echoladder.linux.ProcSys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the names of formulas are on a host: limits of this process, and kernel settings by key and place, e.g. {@code a.b.c 1}.
 *
 * @param facts the doctor's
 * @param processors of the host, from 1
 * @param more kernel settings of the table that no limit of the doctor has, by key
 */
public record HostNumbers(HostFacts facts, int processors, Map<String, String> more) {
  private static final Set<String> LIMITS = Set.of("nofile soft", "nofile hard", "nproc", "cgroup pids", "processors");

  public HostNumbers {
    more = Map.copyOf(more);
  }

  /** Those of this host that the topics name. Takes a few milliseconds. */
  public static HostNumbers ofThisHost(List<Topic> topics) {
    Map<String, String> more = new TreeMap<>();
    topics.stream()
        .flatMap(topic -> topic.numbers().stream())
        .flatMap(rule -> rule.here().values().stream())
        .filter(source -> !LIMITS.contains(source))
        .map(source -> source.split(" ", -1)[0])
        .filter(key -> !KnownLimit.allSettings().contains(key))
        .forEach(key -> read(key, more));
    return new HostNumbers(HostFactsReader.read(), Runtime.getRuntime().availableProcessors(), more);
  }

  private static void read(String key, Map<String, String> into) {
    try {
      into.put(key, ProcSys.read(key).trim());
    } catch (IOException e) {
      // Not in this kernel or namespace: known values of other hosts remain.
      return;
    }
  }

  /** Null where the host does not show it, or where nothing is limited. */
  @Nullable Long read(String source) {
    CgroupLimit pids = facts.pids();
    return switch (source) {
      case "nofile soft" -> limited(facts.nofileSoft());
      case "nofile hard" -> limited(facts.nofileHard());
      case "nproc" -> limited(facts.nprocSoft());
      case "cgroup pids" -> pids == null ? null : (Long) pids.most();
      case "processors" -> (Long) (long) processors;
      default -> setting(source.split(" ", -1));
    };
  }

  private static @Nullable Long limited(long value) {
    return value == Long.MAX_VALUE ? null : (Long) value;
  }

  private @Nullable Long setting(String[] source) {
    if (source.length > 1 && !source[1].matches("\\d{1,2}")) {
      return null;
    }
    int place = source.length > 1 ? Integer.parseInt(source[1]) : 0;
    String text = facts.sysctl().getOrDefault(source[0], more.getOrDefault(source[0], ""));
    String[] fields = text.split("\\s+", -1);
    return place < fields.length && fields[place].matches("\\d{1,18}") ? (Long) Long.parseLong(fields[place]) : null;
  }
}
