package echoladder.harness.compare;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** With published runs, and with the committed run of made-up figures. */
class ProcessGroupsTest {
  private static final Path REFERENCE = Checkout.find().results().resolve("reference");

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  private static RunRecord published(String run) {
    return new RunFolder(REFERENCE.resolve(run)).read();
  }

  /** Nine repeats of a and b at 1,000 and 2,000, whose CPU per echo is a function of the label and the repeat. */
  private static RunRecord run(ToDoubleBiFunction<String, Integer> cpu) throws IOException {
    return PairedRuns.run(
        9, 9,
        json -> {
          for (JsonNode rung : json.get("rungs")) {
            ((ObjectNode) rung).put("server_cpu_us_per_echo", cpu.applyAsDouble(rung.get("server").asString(), rung.get("repeat").asInt()));
          }
        });
  }

  private static double even(int repeat, double low, double high) {
    return (repeat % 2 == 0 ? high : low) + repeat / 100.0;
  }

  @Test
  void theTwoModesOfVirtualThreadsStandWithTheirSharesAndWithoutAMedianBetween() {
    RunRecord run = published("async-vs-virtual/20261126T095347Z-a74d");
    List<ProcessGroups.Found> cpu =
        ProcessGroups.of(run).all().stream().filter(found -> found.figure().equals(LoadMetrics.SERVER_CPU)).toList();
    assertThat(cpu).extracting(ProcessGroups.Found::server).containsExactly("virtual-threads");
    assertThat(cpu.getFirst().text()).isEqualTo("39.7 µs–43.4 µs in 8 of 17 processes, 49.1 µs–50.5 µs in 9");
    String report = MarkdownReport.of(run);
    assertThat(report)
        .contains("## Processes in two groups", "| virtual-threads | server CPU per echo | 17 | 39.7 µs–43.4 µs | 8 of 17 | ")
        .containsPattern("\\| virtual-threads \\| 10,000 \\|.* 43\\.2 µs \\(3\\), 49\\.[23] µs \\(3\\)")
        .doesNotContain("46.3 µs", "46.2 µs (42");
    assertThat(report)
        .containsPattern("server CPU per echo[^|]* \\| virtual-threads \\| netty-epoll \\|.*1,000–19,000.* 2\\.26 \\(7\\), 2\\.58 \\(9\\) .*; in groups of processes");
    assertThat(TerminalTable.of(run, false).replaceAll("\\s+", " "))
        .contains("virtual-threads, server CPU per echo: two groups of processes, with none between: 39.7 µs–43.4 µs in 8");
  }

  /** Two of its six repeats were on a slower host: all servers took more then. */
  @Test
  void aHostThatWasSlowInSomeRepeatsIsNoModeOfItsServers() {
    assertThat(ProcessGroups.of(published("websocket/20261125T205443Z-7592")).all()).isEmpty();
  }

  @Test
  void groupsAreOfAServerAndNotOfTheHostOrTheConnections() throws IOException {
    RunRecord own = run((label, repeat) -> label.equals("a") ? even(repeat, 20, 30) : 40 + repeat / 10.0);
    ProcessGroups groups = ProcessGroups.of(own);
    assertThat(groups.all()).extracting(ProcessGroups.Found::server).containsOnly("a");
    assertThat(groups.sentences().getFirst()).contains("a, server CPU per echo", "in 10 of 18 processes", "in 8.");
    RunRecord hosts = run((label, repeat) -> label.equals("a") ? even(repeat, 20, 30) : even(repeat, 40, 60));
    assertThat(ProcessGroups.of(hosts).all()).as("both are dearer in even repeats").isEmpty();
    RunRecord connections =
        PairedRuns.run(
            9, 9,
            json -> {
              for (JsonNode rung : json.get("rungs")) {
                double cpu = (rung.get("connections").asInt() == 1000 ? 20 : 30) + rung.get("repeat").asInt() / 100.0;
                ((ObjectNode) rung).put("server_cpu_us_per_echo", rung.get("server").asString().equals("a") ? cpu : 40);
              }
            });
    assertThat(ProcessGroups.of(connections).all()).as("one group at each rung").isEmpty();
  }

  @Test
  void twoRunsOfWhichOneHasGroupsHaveNoRatio() throws IOException {
    RunRecord apart = run((label, repeat) -> label.equals("a") ? even(repeat, 20, 30) : 40 + repeat / 10.0);
    RunRecord one = run((label, repeat) -> label.equals("a") ? 25 + repeat / 10.0 : 40 + repeat / 10.0);
    assertThat(Comparison.of(one, apart))
        .containsPattern("a +1,000 +server CPU per echo .* 20\\.[01] µs \\(5\\), 30\\.[01] µs \\(4\\) +– +– +no ratio: processes in two groups")
        .containsPattern("b +1,000 +server CPU per echo .* 1\\.00 .*no difference shown");
  }
}
