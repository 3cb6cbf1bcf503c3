package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.published.PublishedRuns;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder index}: the lists of published runs. */
@Command(
    name = "index",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write two lists of the published runs: index.csv has a line per run, with its host and the counts of its verdicts; "
        + "points.csv has a line per rung with the memory and CPU that 'size' reckons with.",
    footer = {
      "",
      "Example: after a run was published",
      "  ladder index",
      "",
      "Exit status: 0 written, 2 a run cannot be read, 3 the lists cannot be written."
    })
public final class IndexVerb implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "DIR", description = "The folder with STUDY/RUN-ID below it. Default: results/reference.")
  private @Nullable Path dir;

  @Option(names = "--to", paramLabel = "DIR", description = "The folder for the two lists. Default: the one above.")
  private @Nullable Path to;

  @Override
  public Integer call() {
    Checkout checkout = Checkout.find();
    Path reference = (dir != null ? dir : checkout.results().resolve("reference")).toAbsolutePath().normalize();
    Path lists = to != null ? to : parent(reference);
    PublishedRuns runs = PublishedRuns.read(reference, ServerManifest.all(checkout));
    PlainFiles files = new PlainFiles(lists);
    try {
      files.replace(PublishedRuns.INDEX, runs.index());
      files.replace(PublishedRuns.POINTS, runs.points());
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the lists into " + lists + ": " + e + "; give another folder with --to DIR");
    }
    System.out.printf("%d runs: %s, %s%n", runs.size(), lists.resolve(PublishedRuns.INDEX), lists.resolve(PublishedRuns.POINTS));
    System.out.flush();
    return 0;
  }

  private static Path parent(Path folder) {
    Path above = folder.getParent();
    if (above == null) {
      throw Refusal.badUsage(folder + " has no folder above it; say where the lists go with --to DIR");
    }
    return above;
  }
}
