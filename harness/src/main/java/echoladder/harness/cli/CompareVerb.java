package echoladder.harness.cli;

import echoladder.harness.claims.LedgerComparison;
import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.common.Refusal;
import echoladder.harness.compare.Comparison;
import echoladder.harness.results.RunFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ladder compare}: two runs side by side, from their run.json alone. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Set two runs side by side: what differs around them first, then their figures with intervals. Runs of "
        + "different loads are refused. Of ledgers, as many as are given: whether each claim has one verdict in all of them.",
    footer = {
      "",
      "Example: the same study before and after a change of settings, ten repeats each",
      "  ladder run quick --set repeats=10",
      "  ladder compare results/quick/RUN-ID results/quick/ANOTHER",
      "",
      "Example: whether three quick ledgers say the same",
      "  ladder compare results/claims/RUN-ID results/claims/ANOTHER results/claims/THIRD",
      "",
      "Exit status: 0 compared, 2 not comparable, with the reasons."
    })
public final class CompareVerb implements Callable<Integer> {
  @Parameters(
      arity = "2..*",
      paramLabel = "DIR",
      description = "The folders of two runs, results/STUDY/RUN-ID, or their ids; the ratio is that of the second to the "
          + "first. Or those of two or more ledgers.")
  private List<Path> dirs = List.of();

  @Override
  public Integer call() {
    List<RunFolder> folders = dirs.stream().map(RunArgument::folder).toList();
    long ledgers = folders.stream().filter(LedgerFiles::in).count();
    if (ledgers == folders.size()) {
      System.out.print(LedgerComparison.of(folders.stream().map(LedgerFiles::read).toList()));
    } else if (ledgers > 0 || folders.size() > 2) {
      throw Refusal.badUsage(
          "compare takes two runs, or two or more ledgers; %d of these %d are ledgers".formatted(ledgers, folders.size()));
    } else {
      System.out.print(Comparison.of(folders.getFirst().read(), folders.getLast().read()));
    }
    System.out.flush();
    return 0;
  }
}
