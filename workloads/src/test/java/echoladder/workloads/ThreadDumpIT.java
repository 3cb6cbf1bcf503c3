package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ThreadDumpIT {
  /** The file has all virtual threads, and what jstack prints may have none. */
  @ParameterizedTest
  @CsvSource({"platform, 50, 50", "virtual, 500, 0"})
  void theDumpHasEveryThread(String model, int tasks, int printedLeast) throws Exception {
    WorkloadProcess process =
        WorkloadProcess.run(
            ThreadDump.class, List.of("-Xmx512m", "-XX:+UseSerialGC"), "--model", model, "--tasks", Integer.toString(tasks));
    assertThat(process.status()).as(process.err()).isZero();
    JsonNode figures = process.figures();
    assertThat(figures.get("tasks_parked").asInt()).isEqualTo(tasks);
    assertThat(figures.get("dump_threads").asInt()).isBetween(tasks, tasks + 100);
    assertThat(figures.get("print_threads").asInt()).isBetween(Math.max(1, printedLeast), tasks + 100);
    for (String name : List.of("dump_ns", "dump_bytes", "print_ns", "print_bytes")) {
      assertThat(figures.get(name).asLong()).as(name).isPositive();
    }
  }
}
