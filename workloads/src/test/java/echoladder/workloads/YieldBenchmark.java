package echoladder.workloads;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The yields of context-switch as a benchmark of JMH's, for few threads: its time per operation is one thread's turn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class YieldBenchmark {
  private static final String VIRTUAL = "echoladder.bench.virtual";

  /** Public for JMH. */
  public YieldBenchmark() {}

  /** JMH must have started the kind of thread that the result is named after. */
  @Setup
  public void checkModel() {
    if (Thread.currentThread().isVirtual() != Boolean.getBoolean(VIRTUAL)) {
      throw new IllegalStateException("not the kind of thread that was asked for: " + Thread.currentThread());
    }
  }

  /** One turn. */
  @Benchmark
  @SuppressWarnings("ThreadPriorityCheck") // It is what is measured.
  public void turn() {
    Thread.yield();
  }

  /** Runs it in so many JVMs, one after the other, each for as many times as long. */
  static Collection<RunResult> run(Model model, int threads, int jvms, int times, TimeValue each) throws RunnerException {
    boolean virtual = model == Model.VIRTUAL;
    return new Runner(
            new OptionsBuilder()
                .include(YieldBenchmark.class.getName() + ".turn")
                .threads(threads)
                .forks(jvms)
                .warmupIterations(times)
                .warmupTime(each)
                .measurementIterations(times)
                .measurementTime(each)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .jvmArgs("-Djmh.executor=" + model.name(), "-D" + VIRTUAL + "=" + virtual)
                .build())
        .run();
  }
}
