package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.TimeValue;

/** The benchmark runs, on the kind of thread that it says; what it measures is for a quiet machine. */
class YieldBenchmarkIT {
  @ParameterizedTest
  @EnumSource(Model.class)
  void itRunsOnThatKindOfThread(Model model) throws Exception {
    System.setProperty("jmh.ignoreLock", "true"); // Another benchmark on this host is nothing to wait for here.
    Collection<RunResult> results = YieldBenchmark.run(model, 2, 1, 1, TimeValue.milliseconds(50));
    assertThat(results).hasSize(1);
    for (RunResult result : results) {
      assertThat(result.getParams().getThreads()).isEqualTo(2);
      assertThat(result.getPrimaryResult().getScore()).isPositive();
    }
  }
}
