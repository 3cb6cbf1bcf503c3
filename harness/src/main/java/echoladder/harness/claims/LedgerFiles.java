package echoladder.harness.claims;

import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import java.io.IOException;
import java.nio.file.Path;

/** All that is written of a ledger, and how it is read again. */
public final class LedgerFiles {
  static final String RECORD = "ledger.json";

  private LedgerFiles() {}

  /** Whether a folder is that of a ledger. */
  public static boolean in(RunFolder folder) {
    return folder.hasRecord(RECORD);
  }

  /** Whether a file is the record of a ledger, by its name. */
  public static boolean isRecord(Path file) {
    return RunFolder.isRecord(file, RECORD);
  }

  /** Writes ledger.json, and all that is made from it. */
  public static void write(RunFolder folder, Ledger ledger) throws IOException {
    folder.replace(RECORD, json(ledger));
    render(folder, ledger);
  }

  /**
   * Judges anew what was measured, and writes all that is made of it; of a ledger that somebody still writes not ledger.json.
   *
   * @throws Refusal as {@link #read}
   * @throws IOException where the folder cannot be written
   */
  public static Ledger renew(RunFolder folder) throws IOException {
    Ledger ledger = read(folder).judged();
    if (ledger.status() == Status.RUNNING) {
      render(folder, ledger);
    } else {
      write(folder, ledger);
    }
    return ledger;
  }

  /**
   * Judges anew what was measured, and writes LEDGER.md and ledger.html into a folder that is there and is not the ledger's own.
   *
   * @throws IOException where that folder cannot be written
   */
  public static Ledger report(Ledger found, RunFolder to) throws IOException {
    Ledger ledger = found.judged();
    render(to, ledger);
    return ledger;
  }

  /** Writes LEDGER.md and ledger.html. */
  private static void render(RunFolder folder, Ledger ledger) throws IOException {
    folder.replace("LEDGER.md", LedgerText.markdown(ledger));
    folder.replace("ledger.html", LedgerPage.of(ledger));
  }

  /** The text of ledger.json. */
  static String json(Ledger ledger) {
    return RunFolder.tree(ledger).toPrettyString() + "\n";
  }

  /**
   * Reads ledger.json of a folder; of a published ledger it may be compressed.
   *
   * @throws Refusal (bad usage) where it is not one of this version, or its schema has something against it
   */
  public static Ledger read(RunFolder folder) {
    try {
      return RunFolder.value(folder.recordText(RECORD), Ledger.class, "ledger");
    } catch (IOException | IllegalArgumentException e) {
      throw Refusal.badUsage(folder.file(RECORD) + ": cannot be read: " + e.getMessage());
    }
  }

  /** The table on the terminal. */
  public static String table(Ledger ledger) {
    return LedgerText.table(ledger);
  }
}
