package echoladder.harness.cli;

import echoladder.harness.common.Refusal;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ladder report}: writes the report again, from the folder of a run alone. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write report.html, REPORT.md, results.csv and the plots of a run again from its folder alone, and print the table.",
    footer = {"", "Example:", "  ladder report results/quick/20260101T120000Z-1a2b"})
public final class ReportVerb implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The folder of a run, results/STUDY/RUN-ID, or its id.")
  private Path dir = Path.of("");

  @Override
  public Integer call() {
    RunFolder folder = RunArgument.folder(dir);
    RunRecord run = folder.read();
    try {
      ReportFiles.write(folder, run).forEach(note -> System.err.println("ladder: " + note));
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the report into " + folder.dir() + ": " + e);
    }
    System.out.print(TerminalTable.of(run, Colours.onStdout()));
    System.out.println("report: " + folder.file("report.html"));
    System.out.flush();
    return run.asExpected() ? 0 : 1;
  }
}
