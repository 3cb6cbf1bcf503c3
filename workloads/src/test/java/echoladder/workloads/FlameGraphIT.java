package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlameGraphIT {
  @TempDir private Path dir;

  private static WorkloadProcess run(List<String> jvm, String style, Path graph) throws Exception {
    return WorkloadProcess.run(
        ForkStyle.class, jvm, "--style", style, "--fibonacci", "25", "--calls", "300", "--flame-graph", graph.toString());
  }

  /** Its names; each is written as how much of the one before it begins with, and the rest. */
  private static List<String> names(String html) {
    String pool = html.substring(html.indexOf("const cpool = ["), html.indexOf("];", html.indexOf("const cpool = [")));
    List<String> names = new ArrayList<>(List.of("all")); // The root stands there as it is.
    for (String line : pool.lines().skip(2).toList()) {
      String entry = line.substring(line.indexOf('\'') + 1, line.lastIndexOf('\'')).replaceAll("\\\\(.)", "$1");
      names.add(names.getLast().substring(0, entry.charAt(0) - ' ') + entry.substring(1));
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sequential", "over-calls"})
  void theGraphShowsTheFramesOfTheWorkload(String style) throws Exception {
    Path graph = dir.resolve("graph.html");
    WorkloadProcess process = run(List.of(), style, graph);
    assertThat(process.status()).as(process.err()).isZero();
    assertThat(process.figures().get("flame_graph").asString()).as(process.err()).isEqualTo(graph.toString());
    assertThat(process.figures().get("flame_graph_event").asString()).isIn("cpu-clock", "cpu-clock,alluser", "ctimer", "itimer");
    assertThat(process.err()).contains("fork-style: samples for a flame graph by ");
    assertThat(names(Files.readString(graph))).anyMatch(name -> name.contains("workloads/Fibonacci.of"));
  }

  @Test
  void whereItCannotRunALineSaysSoAndTheRunGoesOn() throws Exception {
    Path graph = dir.resolve("graph.html");
    // No room to unpack its native library in.
    WorkloadProcess process = run(List.of("-Done.profiler.extractPath=" + dir.resolve("none")), "sequential", graph);
    assertThat(process.status()).as(process.err()).isZero();
    assertThat(process.figures().get("calls_ended").asLong()).isEqualTo(300);
    assertThat(process.figures().get("flame_graph").isNull()).isTrue();
    assertThat(process.err().lines().filter(line -> line.contains("no flame graph, async-profiler cannot run here:"))).hasSize(1);
    assertThat(graph).doesNotExist();
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeAnythingStarts() throws Exception {
    Files.createFile(dir.resolve("old.html"));
    for (String name : List.of("none/graph.html", "graph.txt", "a,b.html", "old.html")) {
      WorkloadProcess process = run(List.of(), "sequential", dir.resolve(name));
      assertThat(process.status()).as(name).isEqualTo(2);
      assertThat(process.err()).contains("is not allowed; an .html file that is not there yet").contains("see --help");
    }
  }
}
