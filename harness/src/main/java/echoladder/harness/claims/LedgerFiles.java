package echoladder.harness.claims;

import echoladder.harness.results.RunFolder;
import java.io.IOException;

/** All that is written of a ledger. */
public final class LedgerFiles {
  private LedgerFiles() {}

  /** Writes ledger.json and LEDGER.md. */
  public static void write(RunFolder folder, Ledger ledger) throws IOException {
    folder.replace("ledger.json", RunFolder.tree(ledger).toPrettyString() + "\n");
    folder.replace("LEDGER.md", LedgerText.markdown(ledger));
  }

  /** The table on the terminal. */
  public static String table(Ledger ledger) {
    return LedgerText.table(ledger);
  }
}
