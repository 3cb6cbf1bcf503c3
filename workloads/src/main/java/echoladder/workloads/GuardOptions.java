package echoladder.workloads;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every workload takes. */
final class GuardOptions {
  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = OptionTexts.Memory.class,
      description = "What the process may hold (resident pages, page tables, kernel stacks) before it stops itself, e.g."
          + " 4G. Default: four fifths of what the host has available. A limit of its control group counts too.")
  @Nullable Long memoryBytes;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = OptionTexts.Time.class,
      description = "How long it may take before it stops itself. Default: ${DEFAULT-VALUE}.")
  Duration time = Duration.ofMinutes(10);
}
