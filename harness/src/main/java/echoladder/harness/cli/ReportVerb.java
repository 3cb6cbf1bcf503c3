package echoladder.harness.cli;

import echoladder.harness.claims.ClaimPages;
import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.claims.Ledger;
import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.claims.LedgerPublication;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.report.Publication;
import echoladder.harness.report.Publication.Form;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.study.StudyFile;
import echoladder.linux.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder report}: writes the report again, from the folder of a run alone. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write report.html, REPORT.md, results.csv and the plots of a run again from its folder alone, and print the "
        + "table; of a ledger its ledger.html and LEDGER.md.",
    footer = {
      "",
      "Example:",
      "  ladder report results/quick/20260101T120000Z-1a2b",
      "",
      "Example: put it among the published runs",
      "  ladder report results/quick/20260101T120000Z-1a2b --publish results/reference"
    })
public final class ReportVerb implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The folder of a run, results/STUDY/RUN-ID, or its id.")
  private Path dir = Path.of("");

  @Option(
      names = "--pages",
      description = "Of a ledger: also renew the pages studies/claims/ID.md, from claims.yaml and the ledgers in "
          + "results/reference/claims.")
  private boolean pages;

  @Option(
      names = "--publish",
      paramLabel = "TO",
      description = "Of a run: also write what of it is published into TO/STUDY/RUN-ID: run.json, REPORT.md, plots, and interval "
          + "logs merged per rung; what does not fit is left out, logs first, then plots. Of a ledger: into TO/claims/RUN-ID ledger.json, "
          + "LEDGER.md, and each climb's run.json and REPORT.md. At most 2 MB per study.")
  private @Nullable Path publish;

  @Option(
      names = "--least",
      description = "With --publish: leave logs and plots out and compress run.json, even if they fit. For a study of which many runs "
          + "are to be published.")
  private boolean least;

  @Mixin private TimesOption times = new TimesOption();

  @Override
  public Integer call() {
    RunFolder folder = RunArgument.folder(dir);
    boolean ledger = LedgerFiles.in(folder);
    if (pages && !ledger) {
      throw Refusal.badUsage("--pages is for ledgers; " + folder.dir() + " has no ledger.json");
    }
    if (least && (publish == null || ledger)) {
      throw Refusal.badUsage("--least says how a run is published; add --publish results/reference, and a run's folder");
    }
    // What cannot be read is refused before anything is written, the lock included.
    return ledger ? ledger(folder, LedgerFiles.read(folder)) : run(folder, folder.read());
  }

  private int ledger(RunFolder folder, Ledger found) {
    Ledger ledger;
    Path published = null;
    try (RunLock lock = RunLock.of(folder)) {
      ledger = LedgerFiles.renew(folder);
      if (publish != null) {
        published = LedgerPublication.write(folder, ledger, publish);
      }
      if (found.status() != Status.RUNNING) {
        lock.remove();
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the ledger into " + folder.dir() + ": " + Reason.of(e));
    }
    if (pages) {
      Checkout checkout = Checkout.find();
      ClaimsFile file = ClaimsFile.read(checkout, StudyFile.named(checkout, "claims"), List.of());
      ClaimPages.of(checkout).renew(file).forEach(page -> System.err.println("ladder: renewed " + checkout.display(page)));
    }
    int status = ClaimsOptions.tell(folder, ledger);
    if (published != null) {
      tellPublished(published);
      System.out.flush();
    }
    return status;
  }

  private static void tellPublished(Path published) {
    System.out.printf(
        Locale.ROOT, "published: %s, %,d bytes of the %,d that a study may take%n", published, Publication.bytes(published),
        Publication.MOST_STUDY_BYTES);
  }

  private int run(RunFolder folder, RunRecord found) {
    RunRecord run = found;
    Path published = null;
    try (RunLock lock = RunLock.of(folder)) {
      // Again, as its harness may have come to the end until it could be locked.
      run = folder.read();
      ReportFiles.write(folder, run).forEach(note -> System.err.println("ladder: " + note));
      if (publish != null) {
        published = Publication.write(folder, run, publish, least ? Form.LEAST : Form.WITH_LOGS);
      }
      if (run.status() == Status.COMPLETE) {
        lock.remove();
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the report into " + folder.dir() + ": " + Reason.of(e));
    }
    System.out.print(TerminalTable.of(run, Colours.onStdout(), times.wanted));
    System.out.println("report: " + folder.file("report.html"));
    if (published != null) {
      tellPublished(published);
      Publication.lacks(published, run).forEach(lack -> System.out.println("published: " + lack));
    }
    System.out.flush();
    return run.asExpected() ? 0 : 1;
  }
}
