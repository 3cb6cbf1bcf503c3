package echoladder.harness.claims;

import echoladder.harness.claims.ClaimOutcome.Holding;
import echoladder.harness.common.Refusal;
import echoladder.harness.published.IndexLine;
import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The published ledgers, each as a line of the list of published runs. */
public final class LedgerIndex {
  /** {@code claims/RUN-ID/ledger.json}. */
  private static final int DEPTH = 3;

  private LedgerIndex() {}

  /**
   * Reads every ledger of a folder of published runs.
   *
   * @throws Refusal (bad usage) where there is no such folder, or a ledger cannot be read
   */
  public static List<IndexLine> of(Path reference) {
    try (Stream<Path> files = Files.walk(reference, DEPTH)) {
      return files.filter(LedgerFiles::isRecord).map(file -> file.resolveSibling("")).distinct().map(LedgerIndex::line).toList();
    } catch (IOException e) {
      throw Refusal.badUsage(reference + ": the published ledgers cannot be listed: " + ErrorText.of(e));
    }
  }

  private static IndexLine line(Path folder) {
    Ledger ledger = LedgerFiles.read(new RunFolder(folder));
    return new IndexLine(
        String.valueOf(folder.resolveSibling("").getFileName()), ledger.runId(), ledger.startedAt(), "",
        Map.of(
            "claims_hold", count(ledger, Holding.HOLDS), "claims_do_not_hold", count(ledger, Holding.DOES_NOT_HOLD),
            "claims_cannot_be_told", count(ledger, Holding.CANNOT_BE_TOLD)),
        ledger.environment());
  }

  private static long count(Ledger ledger, Holding holding) {
    return ledger.entries().stream().filter(entry -> entry.outcome().holding() == holding).count();
  }
}
