package echoladder.harness.published;

import static echoladder.harness.published.PageTables.table;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.breakdown.Parts;
import echoladder.harness.breakdown.UnitCost;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.table.DriftTable;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.stats.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables over the load, those of RESULTS, README and the study: each cell is of its published run, and nothing that drifted is quoted. */
class LoadPagesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Metric SERVER = Catalogue.named("server_cpu_us_per_echo").orElseThrow();
  private static final Metric HOST = Catalogue.named("host_cpu_above_floor_us_per_echo").orElseThrow();
  private static final String NONE = "–";
  private static final Map<String, String> PLACES = Map.of("share two cores", "shared", "a core each", "apart");
  private static final List<String> SERVERS = List.of("netty", "virtual-threads", "go-echo", "platform-threads");

  private static String text(List<Double> values, String form) {
    return values.stream().map(value -> String.format(Locale.ROOT, form, value).replaceFirst("^-(0(\\.0*)?)$", "$1")).collect(Collectors.joining(", "));
  }

  private static double value(Metric metric, RungRecord rung) {
    return Objects.requireNonNull(metric.value(rung));
  }

  /** A load point that six processes of each server had: the rows of the answer that begin with it. */
  private record Point(String folder, double ratePerS, List<String> servers) {
    private static final Point LOW =
        new Point("async-vs-virtual/20261129T034530Z-161a", 5_000, List.of("netty-epoll", "virtual-threads", "go-echo", "platform-threads"));
    private static final Point HIGH = new Point("load-surface/20261130T213449Z-4d65", 20_000, shared());
    private static final Point NEAR = new Point("load-surface/20261130T213449Z-4d65", 40_000, shared());
    private static final List<Metric> TIMES = List.of(named("server_time_p50_ns"), named("server_time_p99_ns"), named("server_time_p999_ns"));

    private static List<String> shared() {
      return SERVERS.stream().map(server -> server + "-shared").toList();
    }

    RunRecord run() throws IOException {
      return LoadPagesTest.run(folder);
    }

    /** All six by server, in the order of the columns, as their range is then an interval of 97 % for the median. */
    List<Spread> each(Metric metric) throws IOException {
      RunRecord run = run();
      return servers.stream().map(server -> Spread.of(byRepeat(run, server, metric))).toList();
    }

    /** By repeat, the first first. */
    List<Double> byRepeat(RunRecord run, String server, Metric metric) {
      List<RungRecord> rungs =
          run.rungs().stream()
              .filter(rung -> rung.valid() && !rung.driftCheck() && rung.server().equals(server))
              .filter(rung -> rung.connections() == 10_000 && rung.ratePerS() == ratePerS)
              .sorted(Comparator.comparingInt(RungRecord::repeat))
              .toList();
      assertThat(rungs).extracting(RungRecord::repeat).containsExactly(1, 2, 3, 4, 5, 6);
      return rungs.stream().map(rung -> value(metric, rung)).toList();
    }

    PairedRatio overNetty(Metric metric) throws IOException {
      RunRecord run = run();
      return PairedRatio.of(byRepeat(run, servers.get(1), metric), byRepeat(run, servers.getFirst(), metric));
    }

    /** The rows of three percentiles of server time. */
    List<List<String>> times() throws IOException {
      List<List<String>> rows = new ArrayList<>();
      for (Metric time : TIMES) {
        rows.add(each(time).stream().map(LoadPagesTest::time).toList());
      }
      return rows;
    }

    List<String> cpu(Metric metric) throws IOException {
      return each(metric).stream().map(us -> ranged(us, 1, "%.1f", "µs")).toList();
    }
  }

  private static RunRecord run(String folder) throws IOException {
    return new RunFolder(CHECKOUT.results().resolve("reference").resolve(folder)).read();
  }

  /** Three load points of six processes each, the highest rates, and memory. */
  @Test
  void theAnswerIsOfItsRuns() throws IOException {
    List<List<String>> rows = answer();
    assertThat(rows).hasSize(16);
    List<List<String>> cells = rows.stream().map(row -> row.subList(2, 6)).toList();
    assertThat(cells.subList(0, 3)).isEqualTo(Point.LOW.times());
    assertThat(cells.get(3)).isEqualTo(Point.LOW.cpu(SERVER));
    assertThat(cells.get(4)).isEqualTo(Point.LOW.cpu(HOST));
    assertThat(cells.subList(5, 8)).isEqualTo(Point.HIGH.times());
    assertThat(cells.get(8)).isEqualTo(Point.HIGH.cpu(SERVER));
    assertThat(cells.subList(9, 12)).isEqualTo(Point.NEAR.times());
    assertThat(cells.get(12)).isEqualTo(Point.NEAR.cpu(SERVER));
    RunRecord search = run("capacity/20261126T085131Z-ff28");
    assertThat(cells.get(13)).isEqualTo(SERVERS.stream().map(server -> held(search, server, 1_000)).toList());
    RunRecord crowd = run("capacity/20261201T001808Z-7766");
    assertThat(cells.get(14)).isEqualTo(SERVERS.stream().map(server -> held(crowd, server, 10_000)).toList());
    List<List<String>> memory =
        table("docs/RESULTS.md", "| server | memory for 10,000 | for 100,000 | for 1,000,000 | cores at 5,000/s | cores at 40,000/s | what stopped it |");
    assertThat(cells.get(15)).isEqualTo(memory.stream().limit(4).map(row -> row.get(3)).toList());
    assertThat(memory.stream().limit(4).map(List::getFirst)).containsExactly("Netty", "virtual threads", "goroutines", "platform threads");
  }

  /** The first try of each rate and repeat; the same rate is run again at the end, as a check for drift. */
  @Test
  void serverTimesOverTheRateAreOfTheirRun() throws IOException {
    RunRecord run = run("load-surface/20261130T184701Z-7e29");
    List<String> servers = List.of("floor-apart", "netty-apart", "virtual-threads-apart", "go-echo-apart", "platform-threads-apart");
    List<List<String>> rows =
        PageTables.filledDown(
            table("studies/load-surface/STUDY.md", "| messages/s | server time | floor | Netty | virtual threads | goroutines | platform threads |"), 1);
    assertThat(rows).hasSize(9);
    for (List<String> row : rows) {
      double rate = Double.parseDouble(row.getFirst().replace(",", ""));
      Metric time = named("server_time_p" + row.get(1).substring(1).replace(".", "") + "_ns");
      boolean micros = row.get(1).equals("p50");
      List<String> cells = new ArrayList<>();
      for (String server : servers) {
        List<Double> both = new ArrayList<>();
        for (int repeat : new int[] {1, 2}) {
          RungRecord rung =
              run.rungs().stream()
                  .filter(each -> each.server().equals(server) && each.ratePerS() == rate && each.repeat() == repeat && !each.driftCheck())
                  .findFirst()
                  .orElseThrow();
          assertThat(rung.valid()).isTrue();
          both.add(value(time, rung) / (micros ? 1e3 : 1e6));
        }
        cells.add(text(both, micros ? "%.1f" : "%.2f") + (micros ? " µs" : " ms"));
      }
      assertThat(row.subList(2, 7)).as("%s", row).isEqualTo(cells);
    }
  }

  /** Six processes each, the floor's too, with the share of the host that stayed idle beside them. */
  @Test
  void sharedCoresAreOfTheirRun() throws IOException {
    List<List<String>> rows =
        PageTables.filledDown(
            table("studies/load-surface/STUDY.md", "| messages/s | figure | floor | Netty | virtual threads | goroutines | platform threads |"), 1);
    Metric idle = named("host_idle_share");
    List<List<String>> expected = new ArrayList<>();
    for (Point point : List.of(Point.HIGH, Point.NEAR)) {
      RunRecord run = point.run();
      List<String> servers = Stream.concat(Stream.of("floor-shared"), point.servers.stream()).toList();
      for (Metric time : Point.TIMES) {
        expected.add(servers.stream().map(server -> time(Spread.of(point.byRepeat(run, server, time)))).toList());
      }
      expected.add(servers.stream().map(server -> ranged(Spread.of(point.byRepeat(run, server, SERVER)), 1, "%.1f", "µs")).toList());
      expected.add(servers.stream().map(server -> ranged(Spread.of(point.byRepeat(run, server, idle)), 0.01, "%.0f", "%%")).toList());
    }
    assertThat(rows).extracting(row -> row.subList(2, 7)).isEqualTo(expected);
  }

  /** One search per server: each rate, the tail at the rate held, and how much of the server's core was idle there. */
  @Test
  void theSearchByServerTimeIsOfItsRun() throws IOException {
    RunRecord run = run("capacity/20261201T001808Z-7766");
    List<List<String>> rows =
        table(
            "studies/capacity/STUDY.md",
            "| | held | not held | server time p99 at the rate held | idle CPU of the server's core there | what ended the search |");
    List<List<String>> expected = new ArrayList<>();
    for (String server : List.of("floor", "netty", "go-echo", "virtual-threads", "platform-threads")) {
      CapacityRecord search = run.search(server, 10_000).orElseThrow();
      double held = Objects.requireNonNull(search.capacityHeldPerS());
      Double notHeld = search.capacityNotHeldPerS();
      RungRecord longest = search.held().flatMap(one -> search.rung(one, run.rungs())).orElseThrow();
      double ms = value(named("server_time_p99_ns"), longest) / 1e6;
      expected.add(
          List.of(
              (search.atLeast() == null ? "" : "at least ") + Units.count(Math.round(held)) + "/s" + (search.confirmed() ? "" : ", not confirmed"),
              notHeld == null ? "not shown" : Units.count(Math.round(notHeld)) + "/s",
              String.format(Locale.ROOT, ms < 10 ? "%.2f ms" : "%.1f ms", ms),
              String.format(Locale.ROOT, "%.0f %%", 100 * value(named("server_cpus_idle_share"), longest))));
    }
    assertThat(rows).extracting(row -> row.subList(1, 5)).isEqualTo(expected);
  }

  private static List<List<String>> answer() throws IOException {
    return table("docs/RESULTS.md", "| load | figure | Netty | virtual threads | goroutines | platform threads |");
  }

  /** README repeats some of these rows under names of its own. Its only other rows are of push and of TLS. */
  @Test
  void readmesAnswerIsThatOfResults() throws IOException {
    List<List<String>> whole = answer();
    List<List<String>> rows = PageTables.answer();
    List<String> others = List.of(PushPagesTest.README_ROW, TlsPagesTest.README_ROW);
    List<List<String>> repeated = rows.stream().filter(row -> !others.contains(row.getFirst())).toList();
    List<String> names = new ArrayList<>();
    List<List<String>> cells = new ArrayList<>();
    for (String load : List.of("low load", "high load", "near capacity")) {
      Stream.of("p50", "p99", "p99.9").forEach(percentile -> names.add("server time %s, %s".formatted(percentile, load)));
    }
    for (int from : new int[] {0, 5, 9}) {
      whole.subList(from, from + 3).forEach(row -> cells.add(row.subList(2, 6)));
    }
    names.addAll(List.of("server CPU per echo, low load", "messages/s held, a core each", "memory, 1,000,000 connections"));
    Stream.of(3, 14, 15).forEach(row -> cells.add(whole.get(row).subList(2, 6)));
    assertThat(repeated).extracting(List::getFirst).containsExactlyElementsOf(names);
    assertThat(repeated).extracting(row -> row.subList(1, 5)).containsExactlyElementsOf(cells);
    assertThat(rows).hasSize(names.size() + others.size());
  }

  private static Metric named(String name) {
    return Catalogue.named(name).orElseThrow();
  }

  /** What README and RESULTS say beside the table: ratios pair by pair at low load, and those of single tries with a core each. */
  @Test
  void theSentencesBesideTheAnswerAreOfItsRuns() throws IOException {
    RunRecord search = run("capacity/20261126T085131Z-ff28");
    String readme = text("README.md");
    String results = text("docs/RESULTS.md");
    PairedRatio cpu = Point.LOW.overNetty(SERVER);
    assertThat(readme).contains("costs %.1f times as much CPU on virtual threads as on Netty (%s, six pairs)".formatted(cpu.ratio(), ends(cpu)));
    assertThat(results).contains("costs %.2f times as much CPU on virtual threads as on Netty (%s, six pairs)".formatted(cpu.ratio(), ends(cpu)));
    PairedRatio median = Point.LOW.overNetty(named("server_time_p50_ns"));
    PairedRatio tail = Point.LOW.overNetty(named("server_time_p99_ns"));
    String times =
        "also takes %.1f times as long at the median (%s) and %.1f times at p99 (%s)".formatted(median.ratio(), ends(median), tail.ratio(), ends(tail));
    assertThat(readme).contains(times);
    assertThat(results).contains(times);
    assertThat(cpu.confirms()).as("both pages say that more pairs confirm").isFalse();
    assertThat(PairedRatio.FEWEST_TO_CONFIRM).isEqualTo(12);
    double slow = tried(search, "virtual-threads", 4_000).getFirst() / tried(search, "netty", 4_000).getFirst();
    List<Double> near = tried(search, "netty", 64_000).stream().map(us -> tried(search, "virtual-threads", 64_000).getFirst() / us).sorted().toList();
    assertThat(near).hasSize(2);
    assertThat(results)
        .contains("%.2f times Netty's CPU at 4,000 messages/s, %.2f and %.2f times at 64,000".formatted(slow, near.getFirst(), near.getLast()));
    List<Double> crowd =
        Stream.of(4_000.0, 8_000.0, 16_000.0, 32_000.0)
            .map(rate -> tried(search, "virtual-threads", 10_000, rate).getFirst() / tried(search, "netty", 10_000, rate).getFirst()).toList();
    assertThat(results)
        .contains("%.2f times at 4,000 messages/s, %.2f at 8,000, %.2f at 16,000, %.2f at 32,000".formatted(crowd.toArray()));
    String report = Files.readString(CHECKOUT.results().resolve("reference/async-vs-virtual/20261129T034530Z-161a/REPORT.md"));
    assertThat(report)
        .containsPattern("server CPU per echo≈ \\| virtual-threads \\| netty-epoll \\| [^|]*2 rungs \\| 12 \\| 2.33 .*2.15–2.46.*: stands")
        .containsPattern("server time p50 \\| virtual-threads \\| netty-epoll \\| [^|]*2 rungs \\| 12 \\| 1.63 .*1.53–1.72.*does not stand")
        .containsPattern("server time p99° \\| virtual-threads \\| netty-epoll \\| [^|]*2 rungs \\| 12 \\| 2.10 .*1.42–2.71.*does not stand");
    assertThat(results).contains("CPU is 2.33 times (2.15 to 2.46)", "1.63 times at the median (1.53 to 1.72) and 2.10 times at p99 (1.42 to 2.71)");
  }

  /** Ratios pair by pair at the two higher loads, on three pages. */
  @Test
  void theRatiosAtHigherLoadsAreOfTheirRun() throws IOException {
    PairedRatio high = Point.HIGH.overNetty(SERVER);
    PairedRatio near = Point.NEAR.overNetty(SERVER);
    String readme = "%s times at 20,000 messages/s (%s) and %s times at 40,000 (%s)";
    assertThat(text("README.md")).contains(readme.formatted(two(high), ends(high), two(near), ends(near)));
    assertThat(text("docs/RESULTS.md"))
        .contains(readme.formatted(two(high), ends(high), two(near), ends(near)))
        .contains(readme.replaceFirst("times", "times Netty's CPU").formatted(two(high), ends(high), two(near), ends(near)));
    assertThat(Files.readString(CHECKOUT.results().resolve("reference").resolve(Point.HIGH.folder).resolve("REPORT.md")))
        .containsPattern("server time p50 \\| virtual-threads-shared \\| netty-shared \\| [^|]*2 rungs \\| 12 \\| 2.10 .*1.92–2.28.*: stands")
        .containsPattern("server time p99 \\| virtual-threads-shared \\| netty-shared \\| [^|]*2 rungs \\| 12 \\| 1.91 .*1.42–2.65.*: stands");
    for (String page : List.of("README.md", "docs/RESULTS.md", "studies/load-surface/STUDY.md")) {
      assertThat(text(page)).contains("(1.92 to 2.28) and 1.91 times at p99 (1.42 to 2.65)");
    }
    List<List<String>> rows = table("studies/load-surface/STUDY.md", "| virtual threads / Netty, six pairs | 20,000/s | 40,000/s |");
    List<Metric> figures = Stream.concat(Stream.of(SERVER), Point.TIMES.stream()).toList();
    assertThat(rows).hasSameSizeAs(figures);
    for (int i = 0; i < rows.size(); i++) {
      List<String> cells = new ArrayList<>();
      for (Point point : List.of(Point.HIGH, Point.NEAR)) {
        PairedRatio ratio = point.overNetty(figures.get(i));
        cells.add("%s (%s)".formatted(two(ratio), ends(ratio).replace(" to ", "–")));
      }
      assertThat(rows.get(i).subList(1, 3)).isEqualTo(cells);
    }
  }

  private static String two(PairedRatio ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio.ratio());
  }

  private static String ends(PairedRatio ratio) {
    Interval interval = Objects.requireNonNull(ratio.interval());
    return "%.2f to %.2f".formatted(interval.low(), interval.high());
  }

  /** A page without its line breaks. */
  private static String text(String page) throws IOException {
    return Files.readString(CHECKOUT.root().resolve(page)).replaceAll("\\s+", " ");
  }

  /** The unit is that of the median; where the most is far from it, each end has its own. */
  private static String time(Spread ns) {
    if (ns.median() < 1e6 && ns.most() > 1e7) {
      return String.format(Locale.ROOT, "%.1f µs (%.1f µs–%.0f ms)", ns.median() / 1e3, ns.least() / 1e3, ns.most() / 1e6);
    }
    return ns.median() >= 1e6 ? ranged(ns, 1e6, "%.2f", "ms") : ranged(ns, 1e3, ns.median() >= 1e5 ? "%.0f" : "%.1f", "µs");
  }

  private static String ranged(Spread values, double by, String form, String unit) {
    return String.format(
        Locale.ROOT, form + " " + unit + " (" + form + "–" + form + ")", values.median() / by, values.least() / by, values.most() / by);
  }

  private static List<Double> tried(RunRecord run, String server, double ratePerS) {
    return tried(run, server, 1_000, ratePerS);
  }

  private static List<Double> tried(RunRecord run, String server, int connections, double ratePerS) {
    return run.rungs().stream()
        .filter(rung -> rung.valid() && rung.server().equals(server) && rung.connections() == connections && rung.ratePerS() == ratePerS)
        .map(rung -> value(SERVER, rung))
        .toList();
  }

  /** A lower bound by today's rule, which the older run's record does not know: over 85 % of the client's processors were busy. */
  private static String held(RunRecord run, String server, int connections) {
    CapacityRecord row = run.search(server, connections).orElseThrow();
    Metric idle = named("client_cpus_idle_share");
    boolean fullClient =
        row.tries().stream()
            .filter(one -> Objects.equals(one.ratePerS(), row.capacityNotHeldPerS()) && one.outcome() != CapacityRecord.Outcome.HELD)
            .flatMap(one -> row.rung(one, run.rungs()).stream())
            .anyMatch(rung -> value(idle, rung) < 0.15);
    return (row.atLeast() != null || fullClient ? "≥ " : "")
        + Units.count(Math.round(Objects.requireNonNull(row.capacityHeldPerS())))
        + (row.confirmed() ? "" : ", not confirmed");
  }

  /** Each part of the cost above the floor, at each rate; and the share that pages name, by the switches of the server as it comes. */
  @Test
  void whereItGoesIsOfItsRun() throws IOException {
    RunRecord run = run("where-it-goes/20261126T132616Z-5aed");
    List<List<String>> rows =
        table("studies/where-it-goes/STUDY.md", "| server CPU per echo above the floor's | 2,000/s | 10,000/s | 25,000/s | removed by |");
    assertThat(rows).hasSize(9);
    List<Double> rates = List.of(2_000.0, 10_000.0, 25_000.0);
    for (int i = 0; i < 3; i++) {
      double rate = rates.get(i);
      Parts sum = Parts.of(run).stream().filter(of -> Objects.equals(of.load().ratePerS(), rate)).findFirst().orElseThrow();
      Parts.Difference measured = Objects.requireNonNull(sum.measured());
      double options = sum.parts().stream().filter(part -> part.difference() != null).mapToDouble(part -> Objects.requireNonNull(part.us())).sum();
      int column = i + 1;
      assertThat(rows.stream().map(row -> row.get(column)))
          .containsExactly(
              parts(sum, UnitCost.SWITCH), parts(sum, UnitCost.CARRIER_WAKE), parts(sum, UnitCost.VIRTUAL_TURN),
              parts(sum, UnitCost.READ_NOTHING, UnitCost.EPOLL_CTL), parts(sum, UnitCost.EPOLL_WAIT, UnitCost.ALLOCATED_KIB), us(options),
              us(Objects.requireNonNull(sum.sumUs())), "%s (%.1f–%.1f)".formatted(us(measured.us()), measured.leastUs(), measured.mostUs()),
              String.format(Locale.ROOT, "%.0f %%", 100 * Objects.requireNonNull(sum.ratio())));
      assertThat(Objects.requireNonNull(sum.ratio())).as("met within 15 %").isBetween(0.85, 1.15);
      if (rate == 10_000) {
        double more = switches(run, "virtual-threads", rate) - switches(run, "floor", rate);
        List<Parts.Part> wake =
            sum.parts().stream().filter(part -> List.of(UnitCost.SWITCH.label(), UnitCost.CARRIER_WAKE.label()).contains(part.name())).toList();
        double us = more * wake.stream().mapToDouble(part -> Objects.requireNonNull(part.unit()).us()).sum();
        double leastUs = more * wake.stream().mapToDouble(part -> Objects.requireNonNull(part.unit()).leastUs()).sum();
        double mostUs = more * wake.stream().mapToDouble(part -> Objects.requireNonNull(part.unit()).mostUs()).sum();
        String share = "%.0f to %.0f %%".formatted(100 * leastUs / measured.us(), 100 * mostUs / measured.us());
        assertThat(Files.readString(CHECKOUT.root().resolve("README.md"))).contains("is %.0f %% of".formatted(100 * us / measured.us()), share);
        assertThat(Files.readString(CHECKOUT.root().resolve("studies/where-it-goes/STUDY.md")))
            .contains("has %.2f voluntary switches".formatted(switches(run, "virtual-threads", rate)))
            .contains("it wakes %.2f times more".formatted(more), "%.1f of%n%.1f µs".formatted(us, measured.us()))
            .contains("%.1f to%n%.1f µs, %s".formatted(leastUs, mostUs, share));
      }
    }
  }

  /** Voluntary switches per echo of a server at a rate, the median of the repeats. */
  private static double switches(RunRecord run, String label, double rate) {
    Metric figure = Catalogue.probed().stream().filter(of -> of.name().equals("server_voluntary_switches_per_echo")).findFirst().orElseThrow();
    return Spread.of(
            run.rungs().stream()
                .filter(rung -> rung.valid() && !rung.driftCheck() && rung.key().server().equals(label))
                .filter(rung -> Objects.equals(rung.key().ratePerS(), rate))
                .map(figure::value)
                .filter(Objects::nonNull)
                .map(Number.class::cast)
                .toList())
        .median();
  }

  private static double of(Parts sum, UnitCost... units) {
    return Arrays.stream(units)
        .mapToDouble(
            unit -> sum.parts().stream().filter(part -> part.name().equals(unit.label())).mapToDouble(part -> Objects.requireNonNull(part.us())).sum())
        .sum();
  }

  private static String parts(Parts sum, UnitCost... units) {
    return us(of(sum, units));
  }

  private static String us(double us) {
    return text(List.of(us), "%.1f") + " µs";
  }

  /** Each cell of both tables behind the link to the run, both repeats of it; none of what is not valid. */
  @ParameterizedTest
  @ValueSource(strings = {"20261126T193329Z-0c5b", "20261126T213356Z-3d21", "20261127T001220Z-b6b7"})
  void theStudysTablesAreOfTheRun(String id) throws IOException {
    RunRecord run = run("load-surface/" + id);
    List<String> page = Files.readAllLines(CHECKOUT.root().resolve("studies/load-surface/STUDY.md"));
    int link = IntStream.range(0, page.size()).filter(i -> page.get(i).contains(id)).findFirst().orElseThrow();
    String head = "| server and client | messages/s | Netty | virtual threads | Go | platform threads |";
    List<List<String>> server = table(page.subList(link, page.size()), head + " virtual threads / Netty | Go / Netty | platform threads / Netty |");
    List<List<String>> host = table(page.subList(link, page.size()), head);
    assertThat(server).hasSizeGreaterThanOrEqualTo(6);
    assertThat(host).hasSize(6);
    String place = "";
    for (List<String> row : server) {
      place = row.getFirst().isEmpty() ? place : Objects.requireNonNull(PLACES.get(row.getFirst()));
      Cells cells = new Cells(run, place, Double.parseDouble(row.get(1).replace(",", "")));
      List<String> expected = new ArrayList<>(SERVERS.stream().map(name -> cells.of(SERVER, name, "%.1f")).toList());
      expected.addAll(SERVERS.stream().skip(1).map(cells::overNetty).toList());
      assertThat(row.subList(2, 9).stream().map(cell -> cell.replace(" ‡", ""))).as("%s", row).isEqualTo(expected);
    }
    for (List<String> row : host) {
      place = row.getFirst().isEmpty() ? place : Objects.requireNonNull(PLACES.get(row.getFirst()));
      Cells cells = new Cells(run, place, Double.parseDouble(row.get(1).replace(",", "")));
      assertThat(row.subList(2, 6)).as("%s", row).isEqualTo(SERVERS.stream().map(name -> cells.of(HOST, name, "%.0f")).toList());
    }
  }

  /** The cells of one placement and rate. */
  private record Cells(RunRecord run, String place, double ratePerS) {
    /** By repeat, empty where the rung is not valid. A rate that drifted may not be asked for. */
    private List<OptionalDouble> values(Metric metric, String server) {
      List<RungRecord> found =
          run.rungs().stream()
              .filter(rung -> rung.server().equals(server + "-" + place) && rung.ratePerS() == ratePerS && !rung.driftCheck())
              .toList();
      assertThat(found).extracting(RungRecord::repeat).containsExactly(1, 2);
      assertThat(found).extracting(RungRecord::key).noneMatch(DriftTable.drifted(run)::contains);
      return found.stream().map(rung -> rung.valid() ? OptionalDouble.of(value(metric, rung)) : OptionalDouble.empty()).toList();
    }

    String of(Metric metric, String server, String form) {
      return joined(values(metric, server), form);
    }

    String overNetty(String server) {
      List<OptionalDouble> above = values(SERVER, server);
      List<OptionalDouble> below = values(SERVER, "netty");
      return joined(
          IntStream.range(0, 2)
              .mapToObj(
                  i ->
                      above.get(i).isEmpty() || below.get(i).isEmpty()
                          ? OptionalDouble.empty()
                          : OptionalDouble.of(above.get(i).getAsDouble() / below.get(i).getAsDouble()))
              .toList(),
          "%.2f");
    }

    private static String joined(List<OptionalDouble> values, String form) {
      return values.stream().map(value -> value.isEmpty() ? NONE : text(List.of(value.getAsDouble()), form)).collect(Collectors.joining(", "));
    }
  }
}
