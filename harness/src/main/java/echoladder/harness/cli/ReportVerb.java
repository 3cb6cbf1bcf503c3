package echoladder.harness.cli;

import echoladder.harness.claims.ClaimPages;
import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.claims.Ledger;
import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.StudyReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder report}: writes the report again, from the folder of a run alone. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write report.html, REPORT.md, results.csv and the plots of a run again from its folder alone, and print the "
        + "table; of a ledger its ledger.html and LEDGER.md.",
    footer = {"", "Example:", "  ladder report results/quick/20260101T120000Z-1a2b"})
public final class ReportVerb implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The folder of a run, results/STUDY/RUN-ID, or its id.")
  private Path dir = Path.of("");

  @Option(
      names = "--pages",
      description = "Of a ledger: also renew the pages studies/claims/ID.md, from claims.yaml and the ledgers in "
          + "results/reference/claims.")
  private boolean pages;

  @Override
  public Integer call() {
    RunFolder folder = RunArgument.folder(dir);
    if (LedgerFiles.in(folder)) {
      return ledger(folder);
    }
    if (pages) {
      throw Refusal.badUsage("--pages is for ledgers; " + folder.dir() + " has no ledger.json");
    }
    return run(folder);
  }

  private int ledger(RunFolder folder) {
    Ledger ledger;
    try {
      ledger = LedgerFiles.renew(folder);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the ledger into " + folder.dir() + ": " + e);
    }
    if (pages) {
      Checkout checkout = Checkout.find();
      ClaimsFile file = ClaimsFile.read(checkout, StudyReader.locate(checkout, "claims"), List.of());
      ClaimPages.of(checkout).renew(file).forEach(page -> System.err.println("ladder: renewed " + checkout.display(page)));
    }
    return ClaimsOptions.tell(folder, ledger);
  }

  private static int run(RunFolder folder) {
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
