package echoladder.harness.cli;

import echoladder.harness.claims.LedgerComparison;
import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.cli.run.RunArgument;
import echoladder.harness.common.Refusal;
import echoladder.harness.compare.Comparison;
import echoladder.harness.compare.Guard;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder compare}: two runs side by side, from their run.json alone. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Set two runs side by side: what differs around them first, then their figures with intervals. Runs whose load, "
        + "placement, network or request differs are refused. Of ledgers, as many as are given: whether each claim has one verdict in "
        + "all of them.",
    footer = {
      "",
      "Example: the same study before and after a change of settings, ten repeats each",
      "  ladder run quick --set repeats=10",
      "  ladder compare results/quick/RUN-ID results/quick/ANOTHER",
      "",
      "Example: whether three quick ledgers say the same",
      "  ladder compare results/claims/RUN-ID results/claims/ANOTHER results/claims/THIRD",
      "",
      "Example: fail where an echo costs over a tenth more CPU than in the run that is kept as the baseline",
      "  ladder compare baseline results/quick/RUN-ID --fail-if 'server_cpu_us_per_echo > 1.10'",
      "",
      "Exit status: 0 compared, and within --fail-if; 1 beyond --fail-if, or that cannot be told; 2 not comparable, with the reasons."
    })
public final class CompareVerb implements Callable<Integer> {
  @Parameters(
      arity = "2..*",
      paramLabel = "DIR",
      description = "The folders of two runs, results/STUDY/RUN-ID, or their ids; the ratio is that of the second to the "
          + "first. Or those of two or more ledgers.")
  private List<Path> dirs = List.of();

  @Option(
      names = "--fail-if",
      paramLabel = "BOUND",
      description = "FIGURE > RATIO or FIGURE < RATIO, of two runs: fail where the second's ratio to the first is beyond it and the "
          + "repeats, four at least of each, show the difference. May be given several times.")
  private List<String> bounds = List.of();

  @Override
  public Integer call() {
    List<Guard> guards = bounds.stream().map(Guard::parse).toList();
    List<RunFolder> folders = dirs.stream().map(RunArgument::folder).toList();
    long ledgers = folders.stream().filter(LedgerFiles::in).count();
    if (ledgers > 0 && !guards.isEmpty()) {
      throw Refusal.badUsage("--fail-if is for two runs; %d of these %d are ledgers".formatted(ledgers, folders.size()));
    }
    boolean passed = true;
    if (ledgers == folders.size()) {
      System.out.print(LedgerComparison.of(folders.stream().map(LedgerFiles::read).toList()));
    } else if (ledgers > 0 || folders.size() > 2) {
      throw Refusal.badUsage(
          "compare takes two runs, or two or more ledgers; %d of these %d are ledgers".formatted(ledgers, folders.size()));
    } else {
      RunRecord first = folders.getFirst().read();
      RunRecord second = folders.getLast().read();
      System.out.print(Comparison.of(first, second));
      for (Guard guard : guards) {
        Guard.Outcome outcome = guard.look(first, second);
        outcome.lines().forEach(System.out::println);
        passed &= outcome.passed();
      }
    }
    System.out.flush();
    return passed ? 0 : 1;
  }
}
