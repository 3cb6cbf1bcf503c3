package echoladder.harness.cli.run;

import echoladder.harness.claims.Claim;
import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.claims.Ledger;
import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.claims.LedgerRun;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.harness.run.StopSignal;
import echoladder.harness.study.Selection;
import echoladder.harness.study.StudyFile;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** What 'run' takes for a study of claims, and what it does with one. */
public final class ClaimsOptions {
  @Mixin private ClaimChoice choice = new ClaimChoice();

  /** They mean nothing for a climb. */
  void refuse(String study) {
    choice.refuse(study);
  }

  /** Runs a ledger, whose study.yaml this is, with what may be about a JDK beside those that are found. */
  int run(Checkout checkout, StudyFile study, String name, Path results, Selection selection, List<Path> jdks) {
    if (selection.client() != null || !selection.labels().isEmpty()) {
      throw Refusal.badUsage("--client and --servers are for studies that climb; '" + name + "' is one of claims");
    }
    ClaimsFile file = ClaimsFile.read(checkout, study, selection.settings());
    List<Claim> claims = choice.of(file);
    RunFolder.refuseUnwritable(results);
    RunFolder folder =
        RunFolder.create(results, "claims", Instant.now(), RandomGenerator.getDefault());
    StopSignal stop = new StopSignal();
    String reproduce =
        "./ladder run "
            + name
            + choice.asOptions()
            + jdks.stream().map(jdk -> " --jdk " + jdk).collect(Collectors.joining())
            + selection.asOptions();
    try (UntilSignal _ = UntilSignal.stopping(stop)) {
      Ledger ledger =
          new LedgerRun(checkout, new LedgerRun.Order(file, claims, choice.effort(), reproduce), Jdks.of(jdks), folder, stop).run();
      return tell(folder, ledger);
    } catch (IOException e) {
      throw Refusal.cannotRun("the ledger in " + folder.dir() + " cannot go on: " + ErrorText.of(e));
    }
  }

  /** Prints the table and where the page is, and gives the exit status. */
  public static int tell(RunFolder folder, Ledger ledger) {
    System.out.print(LedgerFiles.table(ledger));
    System.out.println("ledger: " + folder.file("ledger.html"));
    System.out.flush();
    return ledger.asExpected() ? 0 : 1;
  }
}
