package echoladder.harness.cli;

import echoladder.harness.compare.Comparison;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ladder compare}: two runs side by side, from their run.json alone. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Set two runs side by side: what differs around them first, then their figures with intervals. Runs of "
        + "different loads are refused.",
    footer = {
      "",
      "Example: the same study before and after a change of settings, ten repeats each",
      "  ladder run quick --set repeats=10",
      "  ladder compare results/quick/RUN-ID results/quick/ANOTHER",
      "",
      "Exit status: 0 compared, 2 not comparable, with the reasons."
    })
public final class CompareVerb implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "A", description = "The folder of a run, results/STUDY/RUN-ID, or its id.")
  private Path first = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "The folder of another, of which the ratio is taken.")
  private Path second = Path.of("");

  @Override
  public Integer call() {
    System.out.print(Comparison.of(RunArgument.folder(first).read(), RunArgument.folder(second).read()));
    System.out.flush();
    return 0;
  }
}
