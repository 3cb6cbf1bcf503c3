package echoladder.harness.published;

import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the repeats of one published rung came to: medians over its valid repeats.
 *
 * @param options of the server that differ from its defaults; none = the server as it comes
 * @param place which processors server and client had, as {@link echoladder.harness.study.StudyLoad#place} says it, or {@link #LAB}
 * @param ratePerS messages per second over all connections
 * @param rungs valid repeats, 1 or more
 */
public record Point(
    String study,
    String runId,
    String server,
    Map<String, String> options,
    String place,
    int connections,
    double ratePerS,
    int messageBytes,
    int rungs,
    Memory memory,
    Cpu cpu) {
  /** In a kernel that was thrown away: what it says of CPU is not quoted. */
  static final String LAB = "lab";

  /** The columns of the file of points. */
  static final String HEADER =
      String.join(
          ",",
          "study,run_id,server,options,place,connections,rate_per_s,message_bytes,rungs",
          MemoryMetrics.RSS_AT_READY.name(),
          MemoryMetrics.RSS_PER_CONNECTION.name(),
          // The harness measures the kernel's part at both ends together: no row has that of one.
          "kernel_bytes_per_connection_of_server",
          LoadMetrics.SERVER_CPU.name() + "_least",
          LoadMetrics.SERVER_CPU.name(),
          LoadMetrics.SERVER_CPU.name() + "_most");

  public Point {
    options = new TreeMap<>(options);
  }

  /**
   * At the server's end.
   *
   * @param atReadyBytes RSS before the first connection; null = not measured
   * @param rssEachBytes growth of RSS per connection; null = not measured
   * @param kernelEachBytes of the kernel per connection; null = not measured
   */
  public record Memory(@Nullable Double atReadyBytes, @Nullable Double rssEachBytes, @Nullable Double kernelEachBytes) {}

  /** CPU of the server per echo in microseconds, over the repeats; null = not measured, or not to be quoted. */
  public record Cpu(@Nullable Double least, @Nullable Double median, @Nullable Double most) {
    static final Cpu NONE = new Cpu(null, null, null);
  }

  /** Whether the process's memory is known: with few connections a process may shrink, which says nothing of them. */
  public boolean hasMemory() {
    return memory.atReadyBytes() != null && memory.rssEachBytes() != null && memory.rssEachBytes() > 0;
  }

  public boolean hasCpu() {
    return cpu.median() != null;
  }

  /** {@code gc=Serial young-heap=32m}; empty for a server as it comes. */
  public String optionsText() {
    return text(options);
  }

  /** Options in a cell, in the order of their names. */
  static String text(Map<String, String> options) {
    return new TreeMap<>(options).entrySet().stream().map(of -> of.getKey() + "=" + of.getValue()).collect(Collectors.joining(" "));
  }

  /** Options from their cell. */
  static Map<String, String> options(String cell) {
    Map<String, String> options = new TreeMap<>();
    for (String option : cell.split(" ", -1)) {
      String[] parts = option.split("=", 2);
      if (parts.length == 2) {
        options.put(parts[0], parts[1]);
      }
    }
    return options;
  }

  /** {@code STUDY/RUN-ID}. */
  public String run() {
    return study + "/" + runId;
  }

  /** What all points have in common that differ in connections and rate alone. */
  String series() {
    return String.join(" ", run(), server, optionsText(), place, String.valueOf(messageBytes));
  }

  /** The run of points of one series, and what it measured them with: connections, rates, size of messages, processors, options. */
  static String source(List<Point> points) {
    Point first = points.getFirst();
    String options = first.optionsText();
    return "%s: %s connections, %s/s, %d B, %s%s".formatted(
        first.run(), joined(points, point -> Units.count(point.connections)), joined(points, point -> Units.plain(point.ratePerS)),
        first.messageBytes, first.place.equals(LAB) ? "in the lab" : "cores " + first.place, options.isEmpty() ? "" : ", " + options);
  }

  private static String joined(List<Point> points, Function<Point, String> of) {
    return points.stream().map(of).distinct().collect(Collectors.joining(" and "));
  }

  /** Its line of the file; an {@link IllegalArgumentException} where a cell would need quotes. */
  String line() {
    List<String> cells =
        List.of(
            study, runId, server, optionsText(), place, String.valueOf(connections), number(ratePerS), String.valueOf(messageBytes),
            String.valueOf(rungs), number(memory.atReadyBytes()), number(memory.rssEachBytes()), number(memory.kernelEachBytes()),
            number(cpu.least()), number(cpu.median()), number(cpu.most()));
    return ListFile.line(cells);
  }

  /** From its line; an {@link IllegalArgumentException} says what is wrong with that. */
  static Point parse(String line) {
    List<String> cells = ListFile.cells(line, HEADER);
    return new Point(
        cells.get(0), cells.get(1), cells.get(2), options(cells.get(3)), cells.get(4), Integer.parseInt(cells.get(5)),
        Double.parseDouble(cells.get(6)), Integer.parseInt(cells.get(7)), Integer.parseInt(cells.get(8)),
        new Memory(value(cells.get(9)), value(cells.get(10)), value(cells.get(11))),
        new Cpu(value(cells.get(12)), value(cells.get(13)), value(cells.get(14))));
  }

  private static @Nullable Double value(String cell) {
    return cell.isEmpty() ? null : (Double) Double.parseDouble(cell);
  }

  /** Three digits after the point: of bytes and microseconds nothing beyond means anything. */
  private static String number(@Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.3f", value);
  }
}
