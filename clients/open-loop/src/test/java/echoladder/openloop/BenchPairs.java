package echoladder.openloop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Two clients that were measured beside each other, pair by pair, and where they ran. With {@code bench.pinned=true} servers are on
 * processor 0 and clients on 1.
 *
 * @param names of the first and of the second client
 */
record BenchPairs(List<String> names, List<JsonNode> firsts, List<JsonNode> seconds) {
  static final boolean PINNED = Boolean.getBoolean("bench.pinned");

  /** The command that puts what follows it where servers are; empty = anywhere. */
  static List<String> atServers() {
    return PINNED ? List.of("taskset", "-c", "0") : List.of();
  }

  /** A client's command, where clients are. */
  static List<String> atClients(List<String> command) {
    List<String> wrapped = new ArrayList<>(PINNED ? List.of("taskset", "-c", "1") : List.of());
    wrapped.addAll(command);
    return wrapped;
  }

  /** In words, for a line of text. */
  static String where() {
    return PINNED ? ", servers on processor 0 and clients on 1" : "";
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  private static double[] of(List<JsonNode> results, String field) {
    return results.stream().mapToDouble(result -> result.get(field).doubleValue()).toArray();
  }

  /**
   * Prints both medians of a figure, and the median of the pairs' ratios, first to second, with its interval; gives that median. The
   * interval is that of the order statistics: of at least 95 %, or the whole range where there are fewer than six pairs.
   */
  double ratio(String field) {
    double[] first = of(firsts, field);
    double[] second = of(seconds, field);
    double[] ratios = IntStream.range(0, first.length).mapToDouble(i -> first[i] / second[i]).sorted().toArray();
    int n = ratios.length;
    double beyond = Math.pow(0.5, n);
    double probability = beyond;
    int outside = 0;
    while (outside + 1 < n / 2 && 2 * (beyond + probability * (n - outside) / (outside + 1)) <= 0.05) {
      probability *= (double) (n - outside) / (outside + 1);
      beyond += probability;
      outside++;
    }
    System.out.printf(
        Locale.ROOT,
        "bench: %-24s %s %12.2f   %s %12.2f   ratio of pairs %.3f, %.1f %% interval %.3f to %.3f%n",
        field, names.getFirst(), median(first), names.getLast(), median(second), median(ratios), 100 - 200 * beyond, ratios[outside],
        ratios[n - 1 - outside]);
    return median(ratios);
  }
}
