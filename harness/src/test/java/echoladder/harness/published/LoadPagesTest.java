package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.breakdown.Parts;
import echoladder.harness.breakdown.UnitCost;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.DriftTable;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables over the load, README's and the study's: each cell is of its published run, and nothing that drifted is quoted. */
class LoadPagesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final RunRecord RUN = new RunFolder(CHECKOUT.results().resolve("reference/load-surface/20261124T054456Z-d722")).read();
  private static final Metric SERVER = Catalogue.named("server_cpu_us_per_echo").orElseThrow();
  private static final Metric HOST = Catalogue.named("host_cpu_above_floor_us_per_echo").orElseThrow();
  private static final List<Double> RATES = List.of(5_000.0, 20_000.0, 40_000.0);
  private static final String FULL = "the client is full";

  private static List<RungRecord> repeats(String server, String place, double ratePerS) {
    List<RungRecord> found =
        RUN.rungs().stream().filter(rung -> rung.server().equals(server + "-" + place) && rung.ratePerS() == ratePerS && !rung.driftCheck()).toList();
    assertThat(found).extracting(RungRecord::repeat).containsExactly(1, 2);
    return found;
  }

  /** The values of both repeats; {@link #FULL} where one of them is not valid. */
  private static String cell(Metric metric, String server, String place, double ratePerS, String form) {
    List<RungRecord> rungs = repeats(server, place, ratePerS);
    return rungs.stream().allMatch(RungRecord::valid) ? text(rungs.stream().map(rung -> value(metric, rung)).toList(), form) : FULL;
  }

  private static String text(List<Double> values, String form) {
    return values.stream().map(value -> String.format(Locale.ROOT, form, value).replaceFirst("^-(0(\\.0*)?)$", "$1")).collect(Collectors.joining(", "));
  }

  private static double value(Metric metric, RungRecord rung) {
    return Objects.requireNonNull(metric.value(rung));
  }

  private static String over(String first, String second, String place, double ratePerS) {
    List<RungRecord> above = repeats(first, place, ratePerS);
    List<RungRecord> below = repeats(second, place, ratePerS);
    if (!above.stream().allMatch(RungRecord::valid) || !below.stream().allMatch(RungRecord::valid)) {
      return FULL;
    }
    return text(List.of(value(SERVER, above.getFirst()) / value(SERVER, below.getFirst()), value(SERVER, above.getLast()) / value(SERVER, below.getLast())), "%.2f");
  }

  /** The cells of the table of a page that has that header. */
  private static List<List<String>> table(String page, String header) throws IOException {
    List<String> lines = Files.readAllLines(CHECKOUT.root().resolve(page));
    int at = lines.indexOf(header);
    assertThat(at).as("%s: %s", page, header).isNotNegative();
    return lines.subList(at + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).skip(1).toList())
        .toList();
  }

  /** One load point of many repeats, and tries at single rates. */
  @Test
  void readmesAnswerIsOfItsRuns() throws IOException {
    RunRecord low = new RunFolder(CHECKOUT.results().resolve("reference/async-vs-virtual/20261126T095347Z-a74d")).read();
    RunRecord search = new RunFolder(CHECKOUT.results().resolve("reference/capacity/20261126T085131Z-ff28")).read();
    List<List<String>> rows = table("README.md", "| load | figure | Netty | virtual threads | goroutines | platform threads |");
    List<String> servers = List.of("netty-epoll", "virtual-threads", "go-echo", "platform-threads");
    assertThat(rows).hasSize(7);
    assertThat(rows.get(0).subList(2, 6)).isEqualTo(servers.stream().map(server -> median(low, server, SERVER)).toList());
    assertThat(rows.get(1).subList(2, 6)).isEqualTo(servers.stream().map(server -> median(low, server, HOST)).toList());
    List<String> searched = List.of("netty", "virtual-threads", "go-echo", "platform-threads");
    assertThat(rows.get(2).subList(2, 6)).isEqualTo(searched.stream().map(server -> tries(search, server, 32_000)).toList());
    assertThat(rows.get(3).subList(2, 6)).isEqualTo(searched.stream().map(server -> tries(search, server, 64_000)).toList());
    assertThat(rows.get(4).subList(2, 6)).isEqualTo(searched.stream().map(server -> held(search, server, 1_000)).toList());
    assertThat(rows.get(5).subList(2, 6)).isEqualTo(searched.stream().map(server -> held(search, server, 10_000)).toList());
    List<List<String>> memory =
        table("README.md", "| server | memory for 10,000 | for 100,000 | for 1,000,000 | cores at 5,000/s | cores at 40,000/s | what stopped it |");
    assertThat(rows.get(6).subList(2, 6)).isEqualTo(memory.stream().limit(4).map(row -> row.get(3)).toList());
    assertThat(memory.stream().limit(4).map(List::getFirst)).containsExactly("Netty", "virtual threads", "goroutines", "platform threads");
  }

  private static String median(RunRecord run, String server, Metric metric) {
    List<Double> values =
        run.rungs().stream()
            .filter(rung -> rung.valid() && rung.server().equals(server) && rung.connections() == 10_000)
            .map(rung -> value(metric, rung))
            .toList();
    assertThat(values).hasSizeBetween(4, 6);
    return "%.1f µs".formatted(Spread.of(values).median());
  }

  private static String tries(RunRecord run, String server, double ratePerS) {
    List<Double> values =
        run.rungs().stream()
            .filter(rung -> rung.valid() && rung.server().equals(server) && rung.connections() == 1_000 && rung.ratePerS() == ratePerS)
            .map(rung -> value(SERVER, rung))
            .toList();
    return values.isEmpty() ? "not held" : text(values, "%.1f") + " µs";
  }

  private static String held(RunRecord run, String server, int connections) {
    CapacityRecord row = run.search(server, connections).orElseThrow();
    return (row.atLeast() == null ? "" : "≥ ") + Units.count(Math.round(Objects.requireNonNull(row.capacityHeldPerS())));
  }

  /** Each part of the cost above the floor, at each rate; and the share of it that README names. */
  @Test
  void whereItGoesIsOfItsRun() throws IOException {
    RunRecord run = new RunFolder(CHECKOUT.results().resolve("reference/where-it-goes/20261126T132616Z-5aed")).read();
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
        double waking = 100 * of(sum, UnitCost.SWITCH, UnitCost.CARRIER_WAKE) / measured.us();
        assertThat(Files.readString(CHECKOUT.root().resolve("README.md"))).contains("is %.0f %% of".formatted(waking));
      }
    }
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

  @Test
  void theStudysTablesAreOfTheRun() throws IOException {
    String study = "studies/load-surface/STUDY.md";
    List<List<String>> server = table(study, "| server and client | messages/s | Netty | virtual threads | Go | virtual threads / Netty | Go / Netty |");
    List<List<String>> host = table(study, "| server and client | messages/s | Netty | virtual threads | Go |");
    assertThat(server).hasSize(5);
    assertThat(host).hasSize(5);
    for (int i = 0; i < 5; i++) {
      String place = i < 3 ? "shared" : "apart";
      double rate = RATES.get(i % 3);
      String shown = String.format(Locale.ROOT, "%,.0f", rate);
      assertThat(server.get(i).subList(1, 7).stream().map(cell -> cell.replace(" ‡", "")))
          .containsExactly(
              shown, cell(SERVER, "netty", place, rate, "%.1f"), cell(SERVER, "virtual-threads", place, rate, "%.1f"),
              cell(SERVER, "go-echo", place, rate, "%.1f"), over("virtual-threads", "netty", place, rate), over("go-echo", "netty", place, rate));
      assertThat(host.get(i).subList(1, 5))
          .containsExactly(
              shown, cell(HOST, "netty", place, rate, "%.0f"), cell(HOST, "virtual-threads", place, rate, "%.0f"), cell(HOST, "go-echo", place, rate, "%.0f"));
    }
  }

  /** A rate whose check drifted beyond the study's bound, for one of the servers that a page compares there. */
  @ParameterizedTest
  @ValueSource(strings = {"shared", "apart"})
  void noRateThatDriftedIsQuoted(String place) {
    assertThat(DriftTable.drifted(RUN)).isNotEmpty().noneMatch(key -> key.server().endsWith("-" + place) && RATES.contains(key.ratePerS()));
    assertThat(DriftTable.drifted(RUN)).anyMatch(key -> key.server().equals("netty-" + place) && Objects.equals(key.ratePerS(), 1_000.0));
  }
}
