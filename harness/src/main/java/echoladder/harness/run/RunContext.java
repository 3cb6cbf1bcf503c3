package echoladder.harness.run;

import echoladder.harness.probe.HostWork;
import echoladder.harness.probe.WorkMeter;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.SamplesFile;
import echoladder.linux.cpu.CpuList;
import echoladder.loadmetrics.LoadExporter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The context that all rungs of one run share.
 *
 * @param setup what is climbed, and with what
 * @param metrics told of each load while it runs
 * @param quiet waits before each rung; null = nobody waits
 * @param budget what the run may take
 * @param hostWork tells how quick some processors are, see {@link HostWork}
 */
public record RunContext(
    RunSetup setup,
    RunFolder folder,
    SamplesFile samples,
    Display display,
    StopSignal stop,
    LoadExporter metrics,
    @Nullable QuietWait quiet,
    Budget budget,
    Function<CpuList, WorkMeter> hostWork) {
  /** With the real piece of work, and a budget that begins now. */
  public RunContext(
      RunSetup setup, RunFolder folder, SamplesFile samples, Display display, StopSignal stop, LoadExporter metrics,
      @Nullable QuietWait quiet) {
    this(setup, folder, samples, display, stop, metrics, quiet, new Budget(setup.study().budgetNs(), System.nanoTime()), HostWork::on);
  }

  /** With a budget that began before. */
  public RunContext with(Budget begun) {
    return new RunContext(setup, folder, samples, display, stop, metrics, quiet, begun, hostWork);
  }
}
