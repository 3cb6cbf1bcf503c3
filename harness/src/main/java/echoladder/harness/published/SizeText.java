package echoladder.harness.published;

import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What connections at a rate take at the server's end, as lines: memory, cores, what stops it, and where that is from. */
public final class SizeText {
  private final Points points;
  private final Climbs climbs;
  private final List<Asked> servers;
  private final long connections;
  private final List<String> lines = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final Set<String> runs = new TreeSet<>();

  private SizeText(Points points, Climbs climbs, List<Asked> servers, long connections) {
    this.points = points;
    this.climbs = climbs;
    this.servers = servers;
    this.connections = connections;
  }

  /**
   * A server that is asked for.
   *
   * @param server by name
   * @param floor the reference of its protocol, which a study of its CPU has beside it; null = none
   */
  public record Asked(String server, @Nullable String floor) {}

  /**
   * The answer and whether it is whole.
   *
   * @param servers in the order to show them
   * @param connections from 1
   * @param ratePerS messages per second over all of them; null = nothing is asked of cores
   */
  public static Answer of(Points points, Climbs climbs, List<Asked> servers, long connections, @Nullable Double ratePerS) {
    SizeText text = new SizeText(points, climbs, servers, connections);
    text.memory();
    if (ratePerS != null) {
      text.coresFor(ratePerS);
    }
    text.ceilings();
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
    for (Asked asked : servers) {
      String server = asked.server();
      List<Point> own = of(server);
      Optional<MemorySize> found = MemorySize.of(own, connections);
      if (found.isEmpty()) {
        table.row(List.of(server, Units.NONE, Units.NONE, Units.NONE, Units.NONE, "not measured" + most(MemorySize.most(own))));
        refused.add(
            "%s: no published run with its memory holds %s connections; to measure it: %s"
                .formatted(server, Units.count(connections), MeasureIt.memory(server, connections)));
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
            "%s: %s does not say what its threads take of the kernel; to measure it: %s"
                .formatted(server, size.from().getFirst().run(), MeasureIt.memory(server, connections)));
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
    for (Asked asked : servers) {
      String server = asked.server();
      List<CoreSize> found = CoreSize.of(of(server), connections, wanted);
      if (found.isEmpty()) {
        table.row(List.of(server, Units.NONE, Units.NONE, "not measured"));
      }
      found.forEach(size -> row(table, server, size));
      if (found.stream().noneMatch(CoreSize::known)) {
        refused.add(
            "%s: %s; for %s/s with %s connections: %s"
                .formatted(
                    server, measured(found), Units.plain(wanted), Units.count(connections), MeasureIt.cpu(asked, connections, wanted)));
      }
    }
    lines.add("");
    lines.add("Cores of the server for %s messages/s over all of them".formatted(Units.plain(wanted)));
    lines.addAll(table.lines());
  }

  /** Of cores that are not known, how far the published runs go. */
  private static String measured(List<CoreSize> sizes) {
    return sizes.isEmpty()
        ? "no published run has its CPU"
        : "its CPU was measured up to "
            + sizes.stream()
                .map(CoreSize::low)
                .map(p -> "%s/s with %s connections (cores %s)"
                    .formatted(Units.plain(p.ratePerS()), Units.count(p.connections()), p.place()))
                .collect(Collectors.joining(", "));
  }

  private void row(TextTable table, String server, CoreSize size) {
    Point low = size.low();
    Point high = size.high();
    runs.add(low.run());
    if (high == null) {
      table.row(
          List.of(server, Units.NONE, us(low, low), "%s/s at the most, %s".formatted(Units.plain(low.ratePerS()), where(low))));
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

  /** What ended the published climbs, whatever number is asked for. */
  private void ceilings() {
    TextTable table = new TextTable().row(List.of("server", "held", "what ended a climb"));
    for (Asked asked : servers) {
      Optional<Ceiling> found = Ceiling.of(climbs.all().stream().filter(climb -> climb.server().equals(asked.server())).toList());
      if (found.isEmpty()) {
        table.row(List.of(asked.server(), Units.NONE, "not climbed in a published run"));
        continue;
      }
      ClimbEnd highest = found.get().highest();
      ClimbEnd beyond = found.get().beyond();
      table.row(List.of(asked.server(), Units.count(highest.held()), found.get().stopped() + inLab(beyond == null ? highest : beyond)));
      runs.add(highest.run());
      if (beyond != null) {
        runs.add(beyond.run());
      }
    }
    lines.add("");
    lines.add("What stopped it: the most connections that a published climb held, and the first end beyond them");
    lines.addAll(table.lines());
  }

  private static String inLab(ClimbEnd climb) {
    return climb.place().equals(Point.LAB) ? ", in the lab" : "";
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
