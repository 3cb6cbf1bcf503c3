package echoladder.harness.cli;

import echoladder.harness.claims.ClaimPages;
import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.claims.Ledger;
import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.claims.LedgerPublication;
import echoladder.harness.cli.run.ClaimsOptions;
import echoladder.harness.cli.run.RunArgument;
import echoladder.harness.cli.run.TimesOption;
import echoladder.harness.cli.run.Window;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.compare.Judgement;
import echoladder.harness.report.Publication.Form;
import echoladder.harness.report.Publication;
import echoladder.harness.report.ReportFiles;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.StudyFile;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
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
        + "table; of a ledger its ledger.html and LEDGER.md. The folder of a published run is never written: give --out.",
    footer = {
      "",
      "Example:",
      "  ladder report results/quick/20260101T120000Z-1a2b",
      "",
      "Example: the report of a published run, with what can be made of what is published",
      "  ladder report results/reference/memory/20261123T062015Z-df3b --out /tmp/memory",
      "",
      "Example: put it among the published runs",
      "  ladder report results/quick/20260101T120000Z-1a2b --publish results/reference"
    })
public final class ReportVerb implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The folder of a run, results/STUDY/RUN-ID, or its id.")
  private Path dir = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "OUT",
      description = "Write into that folder, which is made where there is none, and nothing into DIR. It must not be the folder of another "
          + "run. Default: DIR.")
  private @Nullable Path out;

  @Option(
      names = "--pages",
      description = "Of a ledger: also renew the pages studies/claims/ID.md, from claims.yaml and the ledgers in "
          + "results/reference/claims.")
  private boolean pages;

  @Option(
      names = "--publish",
      paramLabel = "TO",
      description = "Of a run: also write what of it is published into TO/STUDY/RUN-ID: run.json, REPORT.md, plots, and times.hlog.gz, "
          + "a histogram for each rung and kind of time. At most 2 MB per study, plots left out first, and 6 MB of histograms. Of a "
          + "ledger: into TO/claims/RUN-ID ledger.json, LEDGER.md, and each climb's run.json and REPORT.md.")
  private @Nullable Path publish;

  @Option(
      names = "--least",
      description = "With --publish: leave plots out and compress run.json, even if they fit. For a study of which many runs are to be "
          + "published.")
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
    if (out != null && publish != null) {
      throw Refusal.badUsage("--publish takes the report that is in the run's folder: leave --out out, or publish first");
    }
    Path reference = Checkout.find().results().resolve("reference");
    RunFolder to = null;
    if (out == null) {
      Publication.refuseToChange(folder.dir(), reference, "give the report a folder of its own with --out OUT");
    } else {
      to = outside(out, reference);
    }
    // What cannot be read is refused before anything is written, the lock included.
    return ledger ? ledger(folder, LedgerFiles.read(folder), to) : run(folder, folder.read(), to);
  }

  /** The folder of {@code --out}, which is no run's. */
  private static RunFolder outside(Path out, Path reference) {
    Publication.refuseToChange(out, reference, "give another with --out OUT");
    if (!Files.isDirectory(out)) {
      return new RunFolder(out);
    }
    RunFolder to = RunFolder.open(out);
    if (to.hasRecord() || LedgerFiles.in(to)) {
      throw Refusal.badUsage("--out %s is the folder of a run, whose report would be replaced; give another".formatted(out));
    }
    return to;
  }

  private int ledger(RunFolder folder, Ledger found, @Nullable RunFolder to) {
    if (to != null) {
      Ledger ledger;
      try {
        Files.createDirectories(to.dir());
        ledger = LedgerFiles.report(found, to);
      } catch (IOException e) {
        throw Refusal.cannotRun("cannot write the ledger into " + to.dir() + ": " + ErrorText.of(e));
      }
      renewPages();
      return ClaimsOptions.tell(to, ledger);
    }
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
      throw Refusal.cannotRun("cannot write the ledger into " + folder.dir() + ": " + ErrorText.of(e));
    }
    renewPages();
    int status = ClaimsOptions.tell(folder, ledger);
    if (published != null) {
      tellPublished(published);
      System.out.flush();
    }
    return status;
  }

  private void renewPages() {
    if (pages) {
      Checkout checkout = Checkout.find();
      ClaimsFile file = ClaimsFile.read(checkout, StudyFile.named(checkout, "claims"), List.of());
      ClaimPages.of(checkout).renew(file).forEach(page -> System.err.println("ladder: renewed " + checkout.display(page)));
    }
  }

  private static void tellPublished(Path published) {
    System.out.printf(
        Locale.ROOT, "published: %s, %,d bytes of the %,d that a study may take%s%n", published,
        Publication.bytes(published) - Publication.times(published), Publication.MOST_STUDY_BYTES,
        Publication.times(published) == 0 ? ""
            : ", and %,d bytes of histograms of the %,d".formatted(Publication.times(published), Publication.MOST_TIMES_BYTES));
  }

  private int run(RunFolder folder, RunRecord found, @Nullable RunFolder to) {
    if (to != null) {
      try {
        Files.createDirectories(to.dir());
        tell(ReportFiles.write(folder, found, to));
      } catch (IOException e) {
        throw Refusal.cannotRun("cannot write the report into " + to.dir() + ": " + ErrorText.of(e));
      }
      return tell(found, to);
    }
    RunRecord run = found;
    Path published = null;
    try (RunLock lock = RunLock.of(folder)) {
      // Again, as its harness may have come to the end until it could be locked.
      run = folder.read();
      tell(ReportFiles.write(folder, run));
      if (publish != null) {
        published = Publication.write(folder, run, publish, least ? Form.LEAST : Form.WITH_PLOTS);
      }
      if (run.status() == Status.COMPLETE) {
        lock.remove();
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the report into " + folder.dir() + ": " + ErrorText.of(e));
    }
    int status = tell(run, folder);
    if (published != null) {
      tellPublished(published);
      Publication.lacks(published, run).forEach(lack -> System.out.println("published: " + lack));
      System.out.flush();
    }
    return status;
  }

  private static void tell(List<String> notes) {
    notes.forEach(note -> System.err.println("ladder: " + note));
  }

  /** Prints the table and where the page is, and gives the exit status. */
  private int tell(RunRecord run, RunFolder in) {
    System.out.print(TerminalTable.of(run, times.wanted(), Window.onStdout()));
    System.out.println("report: " + in.file("report.html"));
    System.out.flush();
    return Judgement.status(run);
  }
}
