package echoladder.harness.published;

import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What connections at a rate take at the server's end, as lines: memory, cores, and where that is from. */
public final class SizeText {
  private final Points points;
  private final List<String> servers;
  private final long connections;
  private final List<String> lines = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final Set<String> runs = new TreeSet<>();

  private SizeText(Points points, List<String> servers, long connections) {
    this.points = points;
    this.servers = servers;
    this.connections = connections;
  }

  /**
   * The answer and whether it is whole.
   *
   * @param servers by name, in the order to show them
   * @param connections from 1
   * @param ratePerS messages per second over all of them; null = nothing is asked of cores
   */
  public static Answer of(Points points, List<String> servers, long connections, @Nullable Double ratePerS) {
    SizeText text = new SizeText(points, servers, connections);
    text.memory();
    if (ratePerS != null) {
      text.coresFor(ratePerS);
    }
    text.sources();
    return new Answer(text.lines, text.refused.isEmpty());
  }

  /**
   * Lines for a terminal.
   *
   * @param whole whether every figure that was asked for is there
   */
  public record Answer(List<String> lines, boolean whole) {
    public Answer {
      lines = List.copyOf(lines);
    }
  }

  private void memory() {
    TextTable table = new TextTable().row(List.of("server", "memory", "process", "kernel", "per connection", "how that is known"));
    for (String server : servers) {
      List<Point> own = of(server);
      Optional<MemorySize> found = MemorySize.of(own, connections);
      if (found.isEmpty()) {
        table.row(List.of(server, Units.NONE, Units.NONE, Units.NONE, Units.NONE, "not measured" + most(MemorySize.most(own))));
        refused.add(
            "%s: no published run holds %s connections; measure its memory: ./ladder run memory --servers %s --set rungs=[%d]"
                .formatted(server, Units.count(connections), server, connections));
        continue;
      }
      MemorySize size = found.get();
      Double all = size.bytes();
      table.row(
          List.of(
              server, Units.bytes(all), Units.bytes((Double) size.processBytes()), Units.bytes(size.kernelBytes()),
              Units.bytes(all == null ? null : (Double) (all / connections)), how(size)));
      if (all == null) {
        refused.add(
            "%s: %s does not say what its threads take of the kernel; measure it: ./ladder run memory --servers %s"
                .formatted(server, size.from().getFirst().run(), server));
      }
      size.from().forEach(point -> runs.add(point.run()));
    }
    lines.add("Memory at the server's end, for %s connections that are held and mostly idle".formatted(Units.count(connections)));
    lines.addAll(table.lines());
  }

  private static String most(int connections) {
    return connections == 0 ? "" : " beyond " + Units.count(connections);
  }

  private static String how(MemorySize size) {
    Point point = size.from().getFirst();
    String options = point.optionsText();
    return size.how() + (options.isEmpty() ? "" : ", with " + options) + (point.place().equals(Point.LAB) ? ", in the lab" : "");
  }

  private void coresFor(double wanted) {
    TextTable table = new TextTable().row(List.of("server", "cores", "CPU per echo", "measured with"));
    for (String server : servers) {
      List<CoreSize> found = CoreSize.of(of(server), connections, wanted);
      if (found.isEmpty()) {
        table.row(List.of(server, Units.NONE, Units.NONE, "not measured"));
        refused.add("%s: no published run has its CPU; measure it: ./ladder run load-surface --servers %s".formatted(server, server));
      }
      for (CoreSize size : found) {
        row(table, server, wanted, size);
      }
    }
    lines.add("");
    lines.add("Cores of the server for %s messages/s over all of them".formatted(Units.plain(wanted)));
    lines.addAll(table.lines());
  }

  private void row(TextTable table, String server, double wanted, CoreSize size) {
    Point low = size.low();
    Point high = size.high();
    runs.add(low.run());
    if (high == null) {
      table.row(
          List.of(
              server, Units.NONE, us(low, low), "%s/s at the most, %s".formatted(Units.plain(low.ratePerS()), where(low))));
      refused.add(
          "%s, %s: measured up to %s/s; for %s/s: ./ladder run load-surface --servers %s --set load.rate.totals=[%s/s]"
              .formatted(
                  server, low.place(), Units.plain(low.ratePerS()), Units.plain(wanted), server,
                  String.format(Locale.ROOT, "%.0f", wanted)));
      return;
    }
    String rates =
        low.ratePerS() == high.ratePerS()
            ? Units.plain(low.ratePerS()) + "/s"
            : Units.plain(low.ratePerS()) + " and " + Units.plain(high.ratePerS()) + "/s";
    table.row(List.of(server, number(size.least()) + " to " + number(size.most()), us(low, high), rates + ", " + where(low)));
  }

  private static String where(Point point) {
    String options = point.optionsText();
    return "%s connections, %d B, cores %s%s"
        .formatted(Units.count(point.connections()), point.messageBytes(), point.place(), options.isEmpty() ? "" : ", " + options);
  }

  private static String number(@Nullable Double cores) {
    return cores == null ? Units.NONE : String.format(Locale.ROOT, "%.2f", cores);
  }

  private static String us(Point low, Point high) {
    Double most = low.cpu().median();
    Double least = high.cpu().median();
    String one = Units.us(least);
    return low.ratePerS() == high.ratePerS() ? one : one + " to " + Units.us(most);
  }

  private void sources() {
    lines.add("");
    if (!refused.isEmpty()) {
      lines.add("Not answered:");
      refused.forEach(reason -> lines.add("  " + reason));
    }
    if (!runs.isEmpty()) {
      lines.add("From the published runs " + String.join(", ", runs) + ".");
    }
    lines.add(
        "Not in it: what your code keeps per connection, TLS, messages that wait in buffers, other hosts and other sizes of message.");
  }

  private List<Point> of(String server) {
    return points.all().stream().filter(point -> point.server().equals(server)).toList();
  }
}
