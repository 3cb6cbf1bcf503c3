package echoladder.harness.cli;

import echoladder.harness.claims.LedgerIndex;
import echoladder.harness.cli.run.RunArgument;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.published.IndexLine;
import echoladder.harness.published.PublishedRuns;
import echoladder.harness.published.Submission;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.server.ServerManifest;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
    description = "Write four lists of the published runs: index.csv has a line per run or ledger, with its host and the counts of its "
        + "verdicts; points.csv has a line per rung with the memory and CPU that 'size' reckons with; climbs.csv has a line per climb with "
        + "what ended it; knobs.csv has what studies of knobs found of each knob and figure. Or check whether a run can be published.",
    footer = {
      "",
      "Example: after a run was published",
      "  ladder index",
      "",
      "Example: whether a run that somebody submits can be published",
      "  ladder index --check results/quick/20260101T120000Z-1a2b",
      "",
      "Exit status: 0 written, or nothing speaks against the run; 1 something does; 2 a run cannot be read; 3 the lists cannot be written."
    })
public final class IndexVerb implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "DIR", description = "The folder with STUDY/RUN-ID below it. Default: results/reference.")
  private @Nullable Path dir;

  @Option(names = "--to", paramLabel = "DIR", description = "The folder for the lists. Default: the one above.")
  private @Nullable Path to;

  @Option(
      names = "--check",
      paramLabel = "RUN",
      description =
          "Write nothing, and say what speaks against publishing that run, by its verdicts, the doctor's answer and the environment of"
          + " every host: its folder, or its id. docs/SUBMIT.md has the list.")
  private @Nullable Path submitted;

  @Override
  public Integer call() {
    if (submitted != null) {
      if (dir != null || to != null) {
        throw Refusal.badUsage("--check looks at one run and writes no list; leave DIR and --to out");
      }
      return check(RunArgument.folder(submitted));
    }
    Checkout checkout = Checkout.find();
    Path reference = (dir != null ? dir : checkout.results().resolve("reference")).toAbsolutePath().normalize();
    Path lists = to != null ? to : parent(reference);
    PublishedRuns runs = PublishedRuns.read(reference, ServerManifest.all(checkout));
    List<IndexLine> ledgers = LedgerIndex.of(reference);
    if (runs.size() == 0) {
      throw Refusal.badUsage(
          reference
              + ": there is no STUDY/RUN-ID/run.json below it, so the lists would be empty; a release has only the reports of the published"
              + " runs, a clone has the runs");
    }
    PlainFiles files = new PlainFiles(lists);
    try {
      files.replace(PublishedRuns.INDEX, runs.index(ledgers));
      files.replace(PublishedRuns.POINTS, runs.points());
      files.replace(PublishedRuns.CLIMBS, runs.climbs());
      files.replace(PublishedRuns.KNOBS, runs.knobs());
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the lists into " + lists + ": " + ErrorText.of(e) + "; give another folder with --to DIR");
    }
    System.out.printf(
        "%d runs, %d ledgers: %s, %s, %s and %s in %s%n",
        runs.size(), ledgers.size(), PublishedRuns.INDEX, PublishedRuns.POINTS, PublishedRuns.CLIMBS, PublishedRuns.KNOBS, lists);
    System.out.flush();
    return 0;
  }

  private static int check(RunFolder folder) {
    RunRecord run = folder.read();
    List<String> against = Submission.against(folder, run);
    if (against.isEmpty()) {
      System.out.printf("%s of '%s': nothing speaks against publishing it%n", run.runId(), run.study().name());
    } else {
      System.out.printf("%s of '%s' cannot be published:%n", run.runId(), run.study().name());
      against.forEach(why -> System.out.println("  " + why));
    }
    System.out.flush();
    return against.isEmpty() ? 0 : 1;
  }

  private static Path parent(Path folder) {
    Path above = folder.getParent();
    if (above == null) {
      throw Refusal.badUsage(folder + " has no folder above it; say where the lists go with --to DIR");
    }
    return above;
  }
}
