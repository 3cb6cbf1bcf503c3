package echoladder.harness.published;

import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What connections at a rate take at the server's end, as lines: memory, cores, what stops it, and where each is from. */
public final class SizeText {
  private final Points points;
  private final Climbs climbs;
  private final List<Asked> servers;
  private final Wanted wanted;
  private final Reach reach;
  private final List<String> lines = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  private SizeText(Points points, Climbs climbs, List<Asked> servers, Wanted wanted, Reach reach) {
    this.points = points;
    this.climbs = climbs;
    this.servers = servers;
    this.wanted = wanted;
    this.reach = reach;
  }

  /**
   * A server that is asked for.
   *
   * @param server by name
   * @param floor the reference of its protocol, which a study of its CPU has beside it; null = none
   */
  public record Asked(String server, @Nullable String floor) {}

  /**
   * A load that is asked for.
   *
   * @param connections from 1
   * @param ratePerS messages per second over all of them; null = nothing is asked of cores
   * @param messageBytes of each message, from 1
   */
  public record Wanted(long connections, @Nullable Double ratePerS, int messageBytes) {}

  /** Says what is in the way of a run on this host. */
  @FunctionalInterface
  public interface Reach {
    /** Why the server's rungs are out of reach, as {@code plan} says it; null = they are within reach. */
    @Nullable String obstacle(MeasureIt run, String server);
  }

  /**
   * The answer and whether it is whole.
   *
   * @param servers in the order to show them
   */
  public static Answer of(Points points, Climbs climbs, List<Asked> servers, Wanted wanted, Reach reach) {
    SizeText text = new SizeText(points, climbs, servers, wanted, reach);
    text.memory();
    if (wanted.ratePerS() != null) {
      text.coresFor(wanted.ratePerS());
    }
    text.ceilings();
    text.end();
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
    TextTable table =
        new TextTable().row(List.of("server", "memory", "process", "kernel", "per connection", "how that is known, and by which run"));
    List<String> more = new ArrayList<>();
    for (Asked asked : servers) {
      String server = asked.server();
      List<Point> own = points.of(server, wanted.messageBytes());
      Optional<MemorySize> found = MemorySize.of(own, wanted.connections());
      if (found.isEmpty()) {
        table.row(List.of(server, Units.NONE, Units.NONE, Units.NONE, Units.NONE, "not measured" + most(MemorySize.most(own))));
        refused.add("%s: no published run with its memory holds %s; %s".formatted(server, load(), memoryOf(server)));
        continue;
      }
      MemorySize size = found.get();
      Double all = size.bytes();
      table.row(
          List.of(
              server, Units.bytes(all), Units.bytes((Double) size.processBytes()), Units.bytes(size.kernelBytes()),
              Units.bytes(all == null ? null : (Double) (all / wanted.connections())),
              size.how() + ": " + Point.source(size.from())));
      if (all == null) {
        refused.add(
            "%s: %s does not say what its threads take of the kernel; %s"
                .formatted(server, size.from().getFirst().run(), memoryOf(server)));
      } else {
        size.larger(own, wanted.connections()).map(other -> larger(server, other)).ifPresent(more::add);
      }
    }
    lines.add(
        "Memory at the server's end, for %s connections that are held and mostly idle".formatted(Units.count(wanted.connections())));
    lines.addAll(table.lines());
    lines.addAll(more);
  }

  /** What another run has, so that nobody takes the step between two sources for one of the server. */
  private static String larger(String server, MemorySize other) {
    return "%s took more with fewer connections in another run: %s, %s".formatted(
        server, Units.bytes(other.bytes()), Point.source(other.from()));
  }

  private static String most(int connections) {
    return connections == 0 ? "" : " beyond " + Units.count(connections);
  }

  private String load() {
    return "%s connections, messages of %d B".formatted(Units.count(wanted.connections()), wanted.messageBytes());
  }

  private String memoryOf(String server) {
    return toMeasure(MeasureIt.memory(server, wanted), server);
  }

  /** The command, or why there is none on this host. */
  private String toMeasure(Optional<MeasureIt> run, String server) {
    if (run.isEmpty()) {
      return "no study goes beyond %s connections or %s/s"
          .formatted(Units.count(MeasureIt.MOST_CONNECTIONS), Units.plain(MeasureIt.MOST_PER_S));
    }
    String obstacle = reach.obstacle(run.get(), server);
    return obstacle == null
        ? "to measure it: " + run.get().command()
        : "this host cannot measure it (%s); './ladder doctor --connections %d --server %s' has its limits"
            .formatted(obstacle, wanted.connections(), server);
  }

  private void coresFor(double ratePerS) {
    TextTable table = new TextTable().row(List.of("server", "cores", "CPU per echo", "how that is known, and by which run"));
    for (Asked asked : servers) {
      String server = asked.server();
      List<CoreSize> found = CoreSize.of(points.of(server, wanted.messageBytes()), wanted.connections(), ratePerS);
      if (found.isEmpty()) {
        table.row(List.of(server, Units.NONE, Units.NONE, "not measured"));
      }
      found.forEach(size -> row(table, server, size, ratePerS));
      if (found.stream().noneMatch(CoreSize::known)) {
        refused.add(
            "%s: no cores for %s/s with %s; %s; %s"
                .formatted(
                    server, Units.plain(ratePerS), load(), closest(found), toMeasure(MeasureIt.cpu(asked, wanted, ratePerS), server)));
      }
    }
    lines.add("");
    lines.add("Cores of the server for %s messages/s over all of them".formatted(Units.plain(ratePerS)));
    lines.addAll(table.lines());
  }

  /** What was measured closest to cores that are not known. */
  private static String closest(List<CoreSize> sizes) {
    return sizes.isEmpty()
        ? "no published run has its CPU"
        : "the closest that was measured is "
            + sizes.stream()
                .map(CoreSize::low)
                .map(p -> "%s/s with %s connections (cores %s)"
                    .formatted(Units.plain(p.ratePerS()), Units.count(p.connections()), p.place()))
                .collect(Collectors.joining(", "));
  }

  private static void row(TextTable table, String server, CoreSize size, double ratePerS) {
    Point low = size.low();
    Point high = size.high();
    if (high == null) {
      table.row(List.of(server, Units.NONE, us(low, low), "not measured, closest is " + Point.source(List.of(low))));
      return;
    }
    boolean one = low.ratePerS() == high.ratePerS();
    String known =
        !one
            ? "between %s and %s/s".formatted(Units.plain(low.ratePerS()), Units.plain(high.ratePerS()))
            : low.ratePerS() == ratePerS ? "measured there" : "bounds, as below " + Units.plain(low.ratePerS()) + "/s";
    table.row(
        List.of(
            server, number(size.least()) + " to " + number(size.most()), us(low, high),
            known + ": " + Point.source(one ? List.of(low) : List.of(low, high))));
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
    TextTable table = new TextTable().row(List.of("server", "held", "what ended a climb, and by which run"));
    for (Asked asked : servers) {
      Optional<Ceiling> found = Ceiling.of(climbs.all().stream().filter(climb -> climb.server().equals(asked.server())).toList());
      if (found.isEmpty()) {
        table.row(List.of(asked.server(), Units.NONE, "not climbed in a published run"));
        continue;
      }
      ClimbEnd highest = found.get().highest();
      ClimbEnd beyond = found.get().beyond();
      String from = beyond == null || beyond.run().equals(highest.run()) ? highest.run() : highest.run() + " and " + beyond.run();
      table.row(
          List.of(
              asked.server(), Units.count(highest.held()), found.get().stopped() + inLab(beyond == null ? highest : beyond) + ": " + from));
    }
    lines.add("");
    lines.add("What stopped it: the most connections that a published climb held, and the first end beyond them");
    lines.addAll(table.lines());
  }

  private static String inLab(ClimbEnd climb) {
    return climb.place().equals(Point.LAB) ? ", in the lab" : "";
  }

  private void end() {
    lines.add("");
    if (!refused.isEmpty()) {
      lines.add("Not answered:");
      refused.forEach(reason -> lines.add("  " + reason));
    }
    lines.add("Each row is from a published run, STUDY/RUN-ID below results/reference.");
    lines.add("Not in it: what your code keeps per connection, TLS, messages that wait in buffers, other hosts.");
  }
}
