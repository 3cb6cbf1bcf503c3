package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the bounds of the host's speed rest on: pairs of tries of one server, in the published quiet runs of `quick`. */
class HostSpeedPairsTest {
  private static final Path ROOT = Checkout.find().root();

  /** Where the classes end, in differences of logarithms of the piece of work. */
  private static final double[] ENDS = {0.05, 0.10, 0.15, 0.25, Double.POSITIVE_INFINITY};

  private static final String[] NAMES = {"up to 5 %", "5 to 10 %", "10 to 15 %", "15 to 25 %", "more"};

  private record Try(double cpu, double work) {}

  private static List<Path> runs() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("results/reference/quick"), 2)) {
      return files.filter(RunFolder::isRecord).map(Path::getParent).sorted().toList();
    }
  }

  private static Map<String, List<Try>> tries() throws IOException {
    Map<String, List<Try>> tries = new TreeMap<>();
    for (Path run : runs()) {
      for (RungRecord rung : new RunFolder(run).read().rungs()) {
        for (RungRecord one : Stream.concat(Stream.of(rung), rung.excluded().stream()).toList()) {
          // As recorded: where the speed is far off, the figure is not given.
          Double cpu = Objects.requireNonNull(one.load()).cost().serverCpuUsPerEcho();
          Number found = one.figures().get(HostMetrics.HOST_WORK);
          if (cpu != null && found != null) {
            double work = found.doubleValue();
            tries.computeIfAbsent(one.server() + " " + one.connections(), _ -> new ArrayList<>()).add(new Try(Math.log(cpu), Math.log(work)));
          }
        }
      }
    }
    return tries;
  }

  /** The differences of CPU per echo, by class of the differences of the piece of work. */
  private static List<List<Double>> differences(Map<String, List<Try>> tries) {
    List<List<Double>> classes = Stream.generate(() -> (List<Double>) new ArrayList<Double>()).limit(ENDS.length).toList();
    for (List<Try> all : tries.values()) {
      for (int i = 0; i < all.size(); i++) {
        for (Try other : all.subList(i + 1, all.size())) {
          double apart = Math.abs(all.get(i).work() - other.work());
          int at = (int) Arrays.stream(ENDS).filter(end -> apart >= end).count();
          classes.get(at).add(Math.abs(all.get(i).cpu() - other.cpu()));
        }
      }
    }
    return classes;
  }

  private static double median(List<Double> of) {
    double[] sorted = of.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  @Test
  void theDecisionHasThePairsOfThePublishedRuns() throws IOException {
    Map<String, List<Try>> tries = tries();
    List<List<Double>> classes = differences(tries);
    StringBuilder table = new StringBuilder();
    for (int i = 0; i < NAMES.length; i++) {
      table.append(String.format(Locale.ROOT, "| %s | %d | %.1f %% |%n", NAMES[i], classes.get(i).size(), 100 * median(classes.get(i))));
    }
    String page = Files.readString(ROOT.resolve("docs/decisions/figures-not-rungs.md"));
    assertThat(page).contains(table).contains("have %d tries with both".formatted(tries.values().stream().mapToInt(List::size).sum()));
    // Else the bounds would mark and withhold by what does not matter.
    assertThat(median(classes.get(3))).isGreaterThan(2 * median(classes.get(0)));
    assertThat(median(classes.get(1))).isGreaterThan(median(classes.get(0)));
  }
}
