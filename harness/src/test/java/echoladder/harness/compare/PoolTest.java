package echoladder.harness.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.report.text.PoolFile;
import echoladder.harness.report.text.PoolText;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.Interval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** With copies of the committed run of made-up figures, and with published runs. */
class PoolTest {
  private static final Path REFERENCE = Checkout.find().results().resolve("reference");

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  /** A run of its own day with six repeats, in which b takes so many times the CPU of a. */
  private static RunRecord run(int day, double ratio, Consumer<ObjectNode> change) throws IOException {
    return PairedRuns.run(
        6, 6,
        json -> {
          json.put("run_id", "202611%02dT000000Z-000%d".formatted(day, day)).put("started_at", "2026-11-%02dT00:00:00Z".formatted(day));
          for (JsonNode rung : json.get("rungs")) {
            double noise = 1 + rung.get("repeat").asInt() / 100.0;
            ((ObjectNode) rung)
                .put("server_cpu_us_per_echo", rung.get("server").asString().equals("a") ? 20.0 : 20.0 * ratio * noise);
          }
          change.accept(json);
        });
  }

  private static RunRecord run(int day, double ratio) throws IOException {
    return run(day, ratio, _ -> {});
  }

  private static void environment(ObjectNode json, String group, String name, String value) {
    ((ObjectNode) json.at("/environment/" + group)).put(name, value);
  }

  private static Pool.Row cpu(Pool pool) {
    return pool.rows().stream().filter(row -> row.figure().equals(LoadMetrics.SERVER_CPU)).findFirst().orElseThrow();
  }

  @Test
  void theIntervalOverRunsHasWhatRunsDifferBy() throws IOException {
    Pool pool = Pool.of(List.of(run(1, 2.0), run(2, 2.2), run(3, 2.4), run(4, 2.1), run(5, 2.3)), false, List.of());
    Pool.Row row = cpu(pool);
    assertThat(row.first() + row.second()).isEqualTo("ab");
    assertThat(row.rungs()).as("both rungs have one ratio in each run").hasSize(2);
    assertThat(row.runs()).hasSize(5).allSatisfy(run -> assertThat(run.ratio().pairs()).isEqualTo(12));
    assertThat(row.over().ratio()).isCloseTo(1 / (2.196 * 1.035), within(0.005));
    double overRuns = width(row.over().interval());
    double next = width(row.over().next());
    double within = width(row.runs().getFirst().ratio().interval());
    assertThat(overRuns).isGreaterThan(3 * within);
    assertThat(next).isGreaterThan(2 * overRuns);
    String text = PoolText.of(pool);
    assertThat(text)
        .contains("5 runs on 2 x Some CPU", "20261101T000000Z-0001", "Days: 2026-11-01, 2026-11-02")
        .containsPattern("server CPU per echo +a +b +1,000–2,000, 2 rungs +5 +60 +0\\.440 ")
        .containsPattern("\nb +1,000 +5 +30 +45\\.5 µs \\(41\\.4 µs–49\\.7 µs\\)");
    JsonNode file = JsonMapper.shared().readTree(PoolFile.of(pool));
    assertThat(file.at("/ratios/0/figure").asString()).isEqualTo("server_cpu_us_per_echo");
    assertThat(file.at("/ratios/0/runs")).hasSize(5);
    assertThat(file.at("/ratios/0/over_runs_low").asDouble()).isEqualTo(Objects.requireNonNull(row.over().interval()).low());
    assertThat(file.at("/hosts/0/fingerprint/cpu.model").asString()).isEqualTo("Some CPU");
  }

  @Test
  void rungsAreInOrderWhereTheFirstRunHasNoFigureAtItsLowest() throws IOException {
    Consumer<ObjectNode> without =
        json -> {
          for (JsonNode rung : json.get("rungs")) {
            if (rung.get("connections").asInt() == 1_000) {
              ((ObjectNode) rung).putNull("server_cpu_us_per_echo");
            }
          }
        };
    Pool pool = Pool.of(List.of(run(1, 2.0, without), run(2, 2.2), run(3, 2.4)), false, List.of());
    assertThat(PoolText.of(pool)).containsPattern("server CPU per echo +a +b +1,000–2,000, 2 rungs +3 +30 ");
  }

  private static double width(@Nullable Interval interval) {
    return Math.log(Objects.requireNonNull(interval).high() / interval.low());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "instrument | they differ in the version of the instrument (1, from before it was recorded and 5)",
        "load | they differ in the total rate (",
        "placement | they differ in the processors of server and client (cpus)",
        "client | they differ in the load tool (open-loop and tcpkali)",
        "steady | they differ in settings (phases.steady_ns: ",
        "sysctl | they differ in settings (sysctl.net.core.somaxconn: ",
        "option | they differ in options of a (loops: 0 and 1)",
        "java | they differ in versions of a (java_version: 25.0.3 and 25.0.4)",
        "library | they differ in versions of a (netty-buffer: 4.2.18.Final and 4.2.20.Final)",
        "stamps | they differ in the kernel's stamps (on and off)",
        "host | they are of two kinds of host, which differ in cpu.model (Some CPU and Another CPU), kernel.release (",
        "same | they are one run, given twice"
      })
  void whatMakesAnotherFigureIsRefusedAndNamed(String what, String reason) throws IOException {
    RunRecord first = run(1, 2, json -> change(what, json, false));
    RunRecord second = run(what.equals("same") ? 1 : 2, 2, json -> change(what, json, true));
    assertThatThrownBy(() -> Pool.of(List.of(first, second), false, List.of()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cannot be pooled: 20261101T000000Z-0001 and ")
        .hasMessageContaining(reason);
  }

  private static void change(String what, ObjectNode json, boolean second) {
    switch (what) {
      case "instrument" -> {
        if (second) {
          json.put("instrument_version", 5);
        }
      }
      case "load" -> ((ObjectNode) json.at("/study/load")).put("total_per_s", second ? 4000.0 : 5000.0).putNull("per_connection_per_s");
      case "placement" -> ((ObjectNode) json.at("/study/load")).put("cpus", second ? "apart" : "shared");
      case "client" -> json.at("/study/servers").forEach(entry -> ((ObjectNode) entry).put("client", second ? "tcpkali" : "open-loop"));
      case "steady" -> ((ObjectNode) json.at("/study/phases")).put("steady_ns", second ? 7_000_000_000L : 8_000_000_000L);
      case "sysctl" -> environment(json, "sysctl", "net.core.somaxconn", second ? "128" : "4096");
      case "option" -> ((ObjectNode) json.at("/servers/0/options")).put("loops", second ? "1" : "0");
      case "java" ->
          json.get("rungs").forEach(
              rung -> ((ObjectNode) rung.at("/process/config")).put("java_version", second ? "25.0.4" : "25.0.3"));
      case "library" ->
          ((ObjectNode) json.get("environment")).putObject("code").putObject(json.at("/servers/0/name").asString())
              .put("servers/netty/target/lib/netty-buffer-" + (second ? "4.2.20" : "4.2.18") + ".Final.jar", second ? "1" : "2");
      case "stamps" -> {
        if (second) {
          json.get("rungs").forEach(rung -> ((ObjectNode) rung).putNull("server_time_max_ns"));
        }
      }
      case "host" -> {
        environment(json, "cpu", "model", second ? "Another CPU" : "Some CPU");
        environment(json, "kernel", "release", second ? "6.18.50" : "6.18.44");
      }
      default -> {
        // The run itself again.
      }
    }
  }

  @Test
  void kindsOfHostsAreALevelWhereThatIsAskedFor() throws IOException {
    List<RunRecord> runs =
        List.of(
            run(1, 2.0, json -> change("host", json, false)), run(2, 2.05, json -> change("host", json, false)),
            run(3, 3.0, json -> change("host", json, true)), run(4, 3.1, json -> change("host", json, true)));
    Pool pool = Pool.of(runs, true, List.of());
    assertThat(pool.hosts()).extracting(host -> host.fingerprint().facts().get("cpu.model")).containsExactly("Some CPU", "Another CPU");
    Pool.Row row = cpu(pool);
    assertThat(row.over().ratio()).isCloseTo(1 / (Math.sqrt(2.025 * 3.05) * 1.035), within(0.005));
    // Two values tell hardly anything: Student's t of one degree of freedom.
    assertThat(width(row.over().interval())).isGreaterThan(2);
    assertThat(PoolText.of(pool).replaceAll("\\s+", " "))
        .contains("2 runs on 2 x Some CPU", "2 runs on 2 x Another CPU", "Hosts of 2 kinds are the highest level");
  }

  /** What the kernel makes of its memory, the day and the build of a server's own code are no other figure. */
  @Test
  void whatIsNoOtherFigureIsPooled() throws IOException {
    RunRecord first = run(1, 2, json -> environment(json, "sysctl", "net.ipv4.tcp_mem", "1 2 3"));
    RunRecord second = run(2, 2.1, json -> environment(json, "sysctl", "net.ipv4.tcp_mem", "1 2 4"));
    assertThat(Pool.of(List.of(first, second), false, List.of("a", "b")).rows()).isNotEmpty();
    assertThatThrownBy(() -> Pool.of(List.of(first, second), false, List.of("netty")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("--servers netty: the runs have in common a, b");
    assertThatThrownBy(() -> Pool.of(List.of(first), false, List.of())).isInstanceOf(Refusal.class).hasMessageContaining("two or more");
  }

  /** A ratio of all pairs would be one that few pairs have. */
  @Test
  void serversWithGroupsHaveARatioForEachGroup() throws IOException {
    Consumer<ObjectNode> modes =
        json ->
            json.get("rungs").forEach(
                rung -> {
                  if (rung.get("server").asString().equals("b")) {
                    int repeat = rung.get("repeat").asInt();
                    ((ObjectNode) rung).put("server_cpu_us_per_echo", (repeat % 2 == 0 ? 50.0 : 40.0) + repeat / 10.0);
                  }
                });
    Pool pool = Pool.of(List.of(run(1, 2, modes), run(2, 2, modes), run(3, 2, modes)), false, List.of());
    assertThat(pool.rows().stream().filter(row -> row.figure().equals(LoadMetrics.SERVER_CPU)).map(Pool.Row::group))
        .containsExactlyInAnyOrder("b 40.1 µs–40.5 µs", "b 50.2 µs–50.6 µs");
    assertThat(PoolText.of(pool).replaceAll("\\s+", " "))
        .contains("group of processes", "b, server CPU per echo: two groups of processes, with none between: 40.1 µs–40.5 µs in 18 of 36")
        .containsPattern(" b 1,000 3 18 40\\.3 µs \\(9\\), 50\\.4 µs \\(9\\)");
  }

  @Test
  void publishedRunsOfOneHostArePooled() {
    List<RunRecord> runs =
        List.of(
            new RunFolder(REFERENCE.resolve("placement/20261125T085354Z-2c98")).read(),
            new RunFolder(REFERENCE.resolve("placement/20261125T103000Z-ef8f")).read());
    Pool pool = Pool.of(runs, false, List.of());
    assertThat(pool.rows()).anySatisfy(
        row -> {
          assertThat(row.first() + " " + row.second()).isEqualTo("virtual-threads-shared-spin-0ms netty-shared-spin-0ms");
          assertThat(row.figure()).isEqualTo(LoadMetrics.SERVER_CPU);
          assertThat(row.runs()).hasSize(2);
          assertThat(row.over().ratio()).isBetween(1.2, 2.5);
        });
  }

  /** The runs of tuning are of two kinds of host, which its tables did not say. */
  @Test
  void publishedRunsOfTwoKindsOfHostAreToldApart() {
    Fingerprint one = Fingerprint.of(new RunFolder(REFERENCE.resolve("tuning/20261128T020159Z-c3de")).read());
    Fingerprint other = Fingerprint.of(new RunFolder(REFERENCE.resolve("tuning/20261128T141436Z-f907")).read());
    assertThat(one.differences(other))
        .contains("clock (2450 MHz and 2600 MHz)", "cpu.idle_driver (none and haltpoll)", "kernel.release (6.18.44-fc-v782 and 6.18.44-fc-v509)");
    assertThat(one.text()).isEqualTo("2 x AMD EPYC, 2450 MHz, Linux 6.18.44-fc-v782, idle driver none, nested virtual machine");
  }
}
