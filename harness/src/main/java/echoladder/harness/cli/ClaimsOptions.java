package echoladder.harness.cli;

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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What 'run' takes for a study of claims, and what it does with one. */
final class ClaimsOptions {
  @Mixin private ClaimChoice choice = new ClaimChoice();

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "Of a study of claims: where another JDK is, for claims about one; repeatable. Default: those in "
          + "/usr/lib/jvm, ~/.sdkman/candidates/java, ~/.jdks and /opt.")
  private List<Path> jdks = new ArrayList<>();

  /** They mean nothing for a climb. */
  void refuse(String study) {
    choice.refuse(study);
    if (!jdks.isEmpty()) {
      throw Refusal.badUsage("--jdk is for studies of claims, as 'claims' is; '" + study + "' climbs a ladder");
    }
  }

  /** Runs a ledger, whose study.yaml this is. */
  int run(Checkout checkout, StudyFile study, String name, Path results, Selection selection) {
    if (selection.client() != null || !selection.labels().isEmpty()) {
      throw Refusal.badUsage("--client and --servers are for studies that climb; '" + name + "' is one of claims");
    }
    ClaimsFile file = ClaimsFile.read(checkout, study, selection.settings());
    List<Claim> claims = choice.of(file);
    for (Path jdk : jdks) {
      String wrong = Jdks.complaint(jdk.toString());
      if (wrong != null) {
        throw Refusal.badUsage("--jdk: " + wrong);
      }
    }
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
          new LedgerRun(
                  checkout,
                  file,
                  claims,
                  choice.effort(),
                  Jdks.of(jdks),
                  folder,
                  stop,
                  reproduce)
              .run();
      return tell(folder, ledger);
    } catch (IOException e) {
      throw Refusal.cannotRun("the ledger in " + folder.dir() + " cannot go on: " + e.getMessage());
    }
  }

  /** Prints the table and where the page is, and gives the exit status. */
  static int tell(RunFolder folder, Ledger ledger) {
    System.out.print(LedgerFiles.table(ledger));
    System.out.println("ledger: " + folder.file("ledger.html"));
    System.out.flush();
    return ledger.asExpected() ? 0 : 1;
  }
}
