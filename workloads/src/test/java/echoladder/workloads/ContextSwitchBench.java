package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.options.TimeValue;

/** The small cases of context-switch by JMH, to hold the workload's own figures against. */
class ContextSwitchBench {
  private static final Path JSON = Path.of("target", "jmh-context-switch.json");

  @Test
  void yields() throws Exception {
    List<RunResult> all = new ArrayList<>();
    for (Model model : Model.values()) {
      for (int threads : new int[] {2, 10, 100}) {
        for (RunResult run : YieldBenchmark.run(model, threads, 3, 3, TimeValue.seconds(1))) {
          Result<?> turn = run.getPrimaryResult();
          double atOnce = Math.min(threads, Runtime.getRuntime().availableProcessors());
          System.out.printf(
              "bench: %3d %-8s threads: %9.1f ns per yield, ± %.1f (a thread's own turn takes %.1f ns)%n",
              threads, model.id(), turn.getScore() * atOnce / threads, turn.getScoreError() * atOnce / threads,
              turn.getScore());
          all.add(run);
        }
      }
    }
    try (PrintStream out = new PrintStream(JSON.toFile(), StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(all);
    }
    System.out.println("bench: written to " + JSON.toAbsolutePath());
    assertThat(all).hasSize(6);
  }
}
