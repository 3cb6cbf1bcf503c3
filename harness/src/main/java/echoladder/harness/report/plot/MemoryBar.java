package echoladder.harness.report.plot;

import echoladder.client.Verdict;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one connection takes at a rung, in bytes: of repeats the medians of the valid ones. Null = not measured.
 *
 * @param server index of its server in the study
 * @param verdict whether it may be quoted
 * @param kernel all that is known of it, see {@link #kernelOf}
 * @param heap the live heap, the runtime's own share of it included
 * @param rest what the process grew by since it was ready, beyond the live heap: free heap, stacks, buffers; 0 where the
 *     live heap lies within pages that it had before
 * @param rss that growth as a whole
 */
public record MemoryBar(
    int server,
    int connections,
    Verdict verdict,
    @Nullable Double kernel,
    @Nullable Double heap,
    @Nullable Double rest,
    @Nullable Double rss) {

  /** By connections, then by server in the order of the study; none of users in stages. */
  static List<MemoryBar> of(RunRecord run) {
    List<MemoryBar> bars = new ArrayList<>();
    if (run.study().load().staged() != null) {
      return bars;
    }
    List<Measurement> all = Measurement.all(run);
    Metric ofKernel = kernelOf(run);
    for (int connections : all.stream().map(m -> m.rung().connections()).distinct().sorted().toList()) {
      Map<Integer, List<Measurement>> servers = new LinkedHashMap<>();
      all.stream()
          .filter(m -> m.rung().connections() == connections)
          .forEach(m -> servers.computeIfAbsent(m.server(), _ -> new ArrayList<>()).add(m));
      servers.forEach((server, repeats) -> add(bars, server, connections, repeats, ofKernel));
    }
    return bars;
  }

  /** The kernel's memory as a whole; in a run that is older than this figure its socket objects alone. */
  public static Metric kernelOf(RunRecord run) {
    boolean whole = run.rungs().stream().anyMatch(rung -> MemoryMetrics.KERNEL_PER_CONNECTION.of(rung) != null);
    return whole ? MemoryMetrics.KERNEL_PER_CONNECTION : MemoryMetrics.SOCKET_OBJECTS_PER_CONNECTION;
  }

  private static void add(List<MemoryBar> bars, int server, int connections, List<Measurement> repeats, Metric ofKernel) {
    RungRepeats of = new RungRepeats(repeats.stream().map(Measurement::rung).toList());
    Double heap = median(of, MemoryMetrics.LIVE_HEAP_PER_CONNECTION);
    Double rss = median(of, MemoryMetrics.RSS_PER_CONNECTION);
    Double kernel = median(of, ofKernel);
    Double rest = rss == null ? null : (Double) Math.max(0, rss - (heap == null ? 0 : heap));
    if (kernel != null || heap != null || rest != null) {
      bars.add(new MemoryBar(server, connections, of.verdict(), kernel, heap, rest, rss));
    }
  }

  private static @Nullable Double median(RungRepeats of, Metric figure) {
    Spread spread = of.spread(figure);
    return spread == null ? null : (Double) spread.median();
  }

  /** The length of the bar: what of the three was measured, which do not overlap. */
  double total() {
    return positive(kernel) + positive(heap) + positive(rest);
  }

  /** A part as a length: none where it was not measured, or fell. */
  static double positive(@Nullable Double bytes) {
    return bytes == null ? 0 : Math.max(0, bytes);
  }
}
