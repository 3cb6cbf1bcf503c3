package echoladder.harness.run;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.SamplesFile;
import echoladder.loadmetrics.LoadExporter;
import org.jspecify.annotations.Nullable;

/**
 * The context that all rungs of one run share.
 *
 * @param setup what is climbed, and with what
 * @param metrics told of each load while it runs
 * @param quiet waits before each rung; null = nobody waits
 */
public record RunContext(
    RunSetup setup,
    RunFolder folder,
    SamplesFile samples,
    Display display,
    StopSignal stop,
    LoadExporter metrics,
    @Nullable QuietWait quiet) {}
