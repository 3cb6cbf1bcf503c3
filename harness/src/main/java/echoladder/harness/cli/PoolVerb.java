package echoladder.harness.cli;

import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.cli.run.RunArgument;
import echoladder.harness.common.Refusal;
import echoladder.harness.compare.Pool;
import echoladder.harness.report.text.PoolFile;
import echoladder.harness.report.text.PoolText;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder pool}: several runs as one sample, from their run.json alone. */
@Command(
    name = "pool",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Pool several runs of one study: the ratio of each two servers, its interval over runs, and where the ratio of the next "
        + "run is to be expected, beside the interval within one run. Runs are refused where instrument, load, placement, settings, "
        + "versions of a server or the kind of host differ; the difference is named.",
    footer = {
      "",
      "Example: the same study on five days",
      "  ladder pool results/async-vs-virtual/RUN-ID results/async-vs-virtual/ANOTHER ... --servers virtual-threads,netty-epoll",
      "",
      "Example: runs on two kinds of host, with the host as a level above the run",
      "  ladder pool RUN-ID ANOTHER THIRD FOURTH --across-hosts --out pooled.json",
      "",
      "Exit status: 0 pooled; 2 cannot be pooled, with the reasons; 3 --out cannot be written."
    })
public final class PoolVerb implements Callable<Integer> {
  @Parameters(
      arity = "2..*",
      paramLabel = "RUN",
      description = "The folders of runs, results/STUDY/RUN-ID, or their ids.")
  private List<Path> dirs = List.of();

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "LABEL",
      description = "Only these servers, by their labels in the study. Default: all that the runs have in common.")
  private List<String> servers = List.of();

  @Option(
      names = "--across-hosts",
      description = "Pool runs of several kinds of host, with hosts as a level above runs. A kind is told by CPU model, clock, idle "
          + "driver, kernel build and virtualization. Default: they are refused.")
  private boolean acrossHosts;

  @Option(names = "--out", paramLabel = "FILE", description = "Also write all of it there as JSON, with each run's own ratios.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    List<RunFolder> folders = dirs.stream().map(RunArgument::folder).toList();
    for (RunFolder folder : folders) {
      if (LedgerFiles.in(folder)) {
        throw Refusal.badUsage(folder.dir() + " is a ledger, which has verdicts; './ladder compare' sets several side by side");
      }
    }
    Pool pool = Pool.of(folders.stream().map(RunFolder::read).toList(), acrossHosts, servers);
    System.out.print(PoolText.of(pool));
    if (out != null) {
      write(out, PoolFile.of(pool));
      System.out.println("written: " + out);
    }
    System.out.flush();
    return 0;
  }

  private static void write(Path file, String text) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      if (folder == null || !Files.isDirectory(folder)) {
        throw new IOException("there is no such folder");
      }
      new PlainFiles(folder).replace(String.valueOf(file.getFileName()), text);
    } catch (IOException | IllegalArgumentException e) {
      throw Refusal.cannotRun("--out %s: cannot be written: %s".formatted(file, ErrorText.of(e)));
    }
  }
}
