package echoladder.harness.compare;

import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Spread;
import echoladder.harness.stats.TwoGroups;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Servers whose processes fall apart in two groups: every process, one repeat of one rung, is a point. All valid processes of a server
 * under one total rate are looked at together, of one run or of several, by {@link TwoGroups}. A server is left out in two cases: where
 * the groups are rungs or runs, as then it is the connections or the day that part them; and where the other servers were dearer in the
 * same repeats, as then it is the host. Pure.
 */
public final class ProcessGroups {
  /** No groups, for a table that knows of no run. */
  public static final ProcessGroups NONE = new ProcessGroups(List.of(), Map.of());

  /** Beyond this part of a server's own distance the others' is the host's. */
  private static final double OF_THE_HOST = 0.5;

  private final List<Found> all;
  private final Map<Metric, Map<ProcessKey, Membership>> members;

  /** One process under one rate. */
  private record ProcessKey(String run, RungKey key) {}

  /** One process and its value of a figure. */
  private record Point(ProcessKey process, RungRecord rung, double value) {}

  /**
   * A server with two groups.
   *
   * @param figure in which its processes fall apart
   * @param server its label
   * @param ratePerS messages per second over all connections
   * @param groups both
   */
  public record Found(Metric figure, String server, double ratePerS, TwoGroups groups) {
    /** Both groups with their shares: {@code 39.7 µs–43.4 µs in 8 of 17 processes, 49.1 µs–50.5 µs in 9}. */
    public String text() {
      int all = groups.low().count() + groups.high().count();
      return "%s in %d of %d processes, %s in %d".formatted(ends(groups.low()), groups.low().count(), all, ends(groups.high()),
          groups.high().count());
    }

    /** The range of one of the groups. */
    public String ends(Spread group) {
      String least = figure.unit().text(group.least());
      String most = figure.unit().text(group.most());
      return least.equals(most) ? least : least + "–" + most;
    }
  }

  /** Which group a process is of. */
  private record Membership(Found found, boolean upper) {}

  private ProcessGroups(List<Found> all, Map<Metric, Map<ProcessKey, Membership>> members) {
    this.all = List.copyOf(all);
    this.members = members;
  }

  /** The groups of one run. */
  public static ProcessGroups of(RunRecord run) {
    return of(List.of(run));
  }

  /** The groups of runs that measured the same servers under the same load, taken together. */
  public static ProcessGroups of(List<RunRecord> runs) {
    List<Found> found = new ArrayList<>();
    Map<Metric, Map<ProcessKey, Membership>> members = new HashMap<>();
    List<RungRecord> rungs = runs.stream().flatMap(run -> run.rungs().stream()).toList();
    for (Metric figure : ServerTimes.in(rungs, Shown.IN_GROUPS)) {
      Map<ProcessKey, Point> points = points(runs, figure);
      for (List<Point> server : byServer(runs.getFirst(), points.values())) {
        TwoGroups groups = TwoGroups.of(server.stream().map(Point::value).toList()).orElse(null);
        if (groups != null && withinRungs(server, groups) && !ofTheHost(server, groups, points)) {
          RungRecord any = server.getFirst().rung();
          Found one = new Found(figure, any.server(), any.ratePerS(), groups);
          found.add(one);
          Map<ProcessKey, Membership> of = members.computeIfAbsent(figure, _ -> new HashMap<>());
          server.forEach(point -> of.put(point.process(), new Membership(one, groups.isHigh(point.value()))));
        }
      }
    }
    return new ProcessGroups(found, members);
  }

  private static Map<ProcessKey, Point> points(List<RunRecord> runs, Metric figure) {
    Map<ProcessKey, Point> points = new LinkedHashMap<>();
    for (RunRecord run : runs) {
      for (RungRecord rung : run.rungs()) {
        Double value = rung.valid() && !rung.driftCheck() ? figure.value(rung) : null;
        if (value != null && value > 0) {
          ProcessKey process = new ProcessKey(run.runId(), rung.key());
          points.put(process, new Point(process, rung, value));
        }
      }
    }
    return points;
  }

  /** By server and rate, in the order of the study. */
  private static Collection<List<Point>> byServer(RunRecord run, Collection<Point> points) {
    List<String> labels = run.servers().stream().map(RunRecord.ServerRecord::label).toList();
    return points.stream()
        .sorted(Comparator.comparingInt(point -> labels.indexOf(point.rung().server())))
        .collect(
            Collectors.groupingBy(
                point -> point.rung().server() + " " + point.rung().ratePerS(), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** Whether enough processes are of the group that most of their rung, in their run, are not. */
  private static boolean withinRungs(List<Point> server, TwoGroups groups) {
    Map<ProcessKey, List<Point>> rungs =
        server.stream()
            .collect(Collectors.groupingBy(point -> new ProcessKey(point.process().run(), point.process().key().repeat(1))));
    long minority =
        rungs.values().stream()
            .mapToLong(
                rung -> {
                  long upper = rung.stream().filter(point -> groups.isHigh(point.value())).count();
                  return Math.min(upper, rung.size() - upper);
                })
            .sum();
    return minority >= TwoGroups.FEWEST;
  }

  /** Whether the other servers were dearer in the repeats of the upper group by much of what parts the groups. */
  private static boolean ofTheHost(List<Point> server, TwoGroups groups, Map<ProcessKey, Point> all) {
    Map<String, Double> usual = usual(all.values());
    double own = apart(server, groups, point -> Math.log(point.value()));
    double others = apart(server, groups, point -> others(point, all, usual));
    return others > OF_THE_HOST * own;
  }

  /** The mean of the upper group less that of the lower one; 0 where one of them has none. */
  private static double apart(List<Point> server, TwoGroups groups, Function<Point, @Nullable Double> of) {
    double[] sums = new double[2];
    int[] counts = new int[2];
    for (Point point : server) {
      Double value = of.apply(point);
      if (value != null) {
        int group = groups.isHigh(point.value()) ? 1 : 0;
        sums[group] += value;
        counts[group]++;
      }
    }
    return counts[0] == 0 || counts[1] == 0 ? 0 : sums[1] / counts[1] - sums[0] / counts[0];
  }

  /** How much dearer than usual the other servers were in a process's repeat: the median of their logarithms; null without others. */
  private static @Nullable Double others(Point point, Map<ProcessKey, Point> all, Map<String, Double> usual) {
    List<Double> logs = new ArrayList<>();
    for (Point other : all.values()) {
      boolean beside = other.process().run().equals(point.process().run())
          && !other.rung().server().equals(point.rung().server())
          && other.process().key().of(point.rung().server()).equals(point.process().key());
      if (beside) {
        logs.add(Math.log(other.value() / Objects.requireNonNull(usual.get(rung(other)))));
      }
    }
    return logs.isEmpty() ? null : (Double) Spread.of(logs).median();
  }

  /** The median of each server at each rung, over all runs. */
  private static Map<String, Double> usual(Collection<Point> points) {
    Map<String, Double> usual = new HashMap<>();
    points.stream().collect(Collectors.groupingBy(ProcessGroups::rung))
        .forEach((rung, of) -> usual.put(rung, Spread.of(of.stream().map(Point::value).toList()).median()));
    return usual;
  }

  private static String rung(Point point) {
    return point.rung().server() + " " + point.rung().key().load();
  }

  /** Every server with groups, figure by figure. */
  public List<Found> all() {
    return all;
  }

  /** A line for each server with groups in a figure, for a reader. */
  public List<String> sentences() {
    return all.stream()
        .map(
            found ->
                "%s, %s: two groups of processes, with none between: %s.".formatted(found.server(), found.figure().label(), found.text()))
        .toList();
  }

  /** A figure that follows from another one has its groups. */
  private static Metric source(Metric figure) {
    if (figure.equals(HostMetrics.HOST_CPU_ABOVE_FLOOR)) {
      return HostMetrics.CPU_PER_ECHO;
    }
    return figure.equals(HostMetrics.CPU_MULTIPLE_OF_FLOOR) ? LoadMetrics.SERVER_CPU : figure;
  }

  private @Nullable Membership of(Metric figure, String runId, RungKey process) {
    Map<ProcessKey, Membership> of = members.get(source(figure));
    return of == null ? null : of.get(new ProcessKey(runId, process));
  }

  /** Whether a process is of its server's upper group in a figure; null where that server has no groups in it. */
  public @Nullable Boolean high(Metric figure, String runId, RungKey process) {
    Membership of = of(figure, runId, process);
    return of == null ? null : (Boolean) of.upper();
  }

  /** The group of a process in words: {@code virtual-threads 39.7 µs–43.4 µs}; empty where its server has no groups in that figure. */
  public String label(Metric figure, String runId, RungKey process) {
    Membership of = of(figure, runId, process);
    return of == null
        ? ""
        : of.found().server() + " " + of.found().ends(of.upper() ? of.found().groups().high() : of.found().groups().low());
  }

  /**
   * Some processes' values in place of their median: {@code 41.4 µs (4), 50.2 µs (2)}, the median of each group with its count. Empty
   * where they are all of one group, or of a server without groups.
   *
   * @param rungs by the ids of their runs
   */
  public Optional<String> cell(Metric figure, Map<String, List<RungRecord>> rungs) {
    List<Double> low = new ArrayList<>();
    List<Double> upper = new ArrayList<>();
    rungs.forEach(
        (runId, of) -> {
          for (RungRecord rung : of) {
            Boolean high = high(figure, runId, rung.key());
            Double value = figure.value(rung);
            if (high != null && value != null) {
              (high ? upper : low).add(value);
            }
          }
        });
    return low.isEmpty() || upper.isEmpty()
        ? Optional.empty()
        : Optional.of(part(figure, low) + ", " + part(figure, upper));
  }

  private static String part(Metric figure, List<Double> values) {
    return "%s (%d)".formatted(figure.unit().text(Spread.of(values).median()), values.size());
  }
}
