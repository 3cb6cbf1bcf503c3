package echoladder.harness.incident;

import static java.util.stream.Collectors.joining;

import echoladder.harness.doctor.MemoryLimits;
import echoladder.harness.doctor.TaskLimits;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a connection takes, by what the process has open now. What it had before its first connection is not known, so what it has
 * many of counts as the connections': with few connections nothing does but the socket itself.
 *
 * @param descriptors its socket's, and those of each kind of which there are as many as connections
 * @param threads whole ones; 0 = not one per connection
 * @param mappings of memory
 * @param memoryBytes resident and kernel memory over connections: at most that much, as it has the process's own in it; null = too few
 *     connections to tell
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record PerConnection(double descriptors, int threads, double mappings, @Nullable Double memoryBytes) {
  /** A runtime has fewer threads, pipes and files of its own than that. */
  static final long LEAST_CONNECTIONS = 50;

  /** Below it, the process's own memory would hide that of connections. */
  static final long LEAST_FOR_MEMORY = 1_000;

  /** So many for each connection are its own: some may have been closed between two looks at /proc. */
  private static final double NEARLY_ONE = 0.9;

  /** The doctor's: stack and guard page, and some for the heap's growth. */
  static final double MAPPINGS_PER_THREAD = TaskLimits.MAPS_TENTHS / 10.0;

  static PerConnection of(ProcessLook look) {
    long n = look.connections();
    if (n < LEAST_CONNECTIONS) {
      return new PerConnection(1, 0, 0, null);
    }
    double descriptors = 1 + extras(look).values().stream().mapToDouble(each -> each).sum();
    int threads = (int) ((double) look.threads() / n + 1 - NEARLY_ONE);
    return new PerConnection(descriptors, threads, threads * MAPPINGS_PER_THREAD, memory(look, n));
  }

  /** Kinds of descriptors, besides sockets of TCP, that connections have, with how many each. */
  static Map<String, Double> extras(ProcessLook look) {
    Map<String, Double> extras = new TreeMap<>();
    long n = look.connections();
    look.descriptorKinds()
        .forEach(
            (kind, count) -> {
              double each = (double) (kind.equals("socket") ? count - n : count) / Math.max(1, n);
              if (n >= LEAST_CONNECTIONS && each >= NEARLY_ONE) {
                extras.put(kind, Math.round(each * 10) / 10.0);
              }
            });
    return extras;
  }

  private static @Nullable Double memory(ProcessLook look, long n) {
    Long rss = look.rssBytes();
    Long queues = look.sockets().memoryBytes();
    return rss == null || n < LEAST_FOR_MEMORY
        ? null
        : (Double) ((double) (rss + (queues == null ? 0 : queues)) / n + MemoryLimits.KERNEL_PER_END_BYTES);
  }

  /** For people. */
  String words(ProcessLook look) {
    if (look.connections() < LEAST_CONNECTIONS) {
      return "descriptors: 1; fewer than %d connections do not show what else they take".formatted(LEAST_CONNECTIONS);
    }
    String extras =
        extras(look).entrySet().stream().map(kind -> " + %s %s".formatted(number(kind.getValue()), kind.getKey())).collect(joining());
    return "descriptors: %s (1 socket%s); threads: %d; memory: %s"
        .formatted(
            number(descriptors), extras, threads, memoryBytes == null ? "not known" : "at most " + Amounts.bytes(memoryBytes.longValue()));
  }

  /** {@code 1} or {@code 2.2}. */
  static String number(double amount) {
    return amount == Math.rint(amount) ? Long.toString((long) amount) : String.format(Locale.ROOT, "%.1f", amount);
  }
}
