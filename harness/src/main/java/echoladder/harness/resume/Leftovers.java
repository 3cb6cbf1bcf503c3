package echoladder.harness.resume;

import echoladder.harness.common.Refusal;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What rungs that are climbed again have left in the folder: it is removed before, so that nothing of two climbs is
 * mixed.
 */
record Leftovers(RunFolder folder) {
  /** As {@link SamplesFile} writes them. */
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}\\.\\d{3}");

  /**
   * Removes the files of tries that are not in the record, and halves of files that were being replaced.
   *
   * @param planned all rungs of the run
   * @param repeats of the study
   * @return the tries that had any, by the names of their files without the endings
   */
  List<String> removeFiles(List<Rung> planned, List<RungRecord> kept, int repeats) throws IOException {
    List<String> removed = new ArrayList<>();
    for (Rung rung : planned) {
      int recorded = kept.stream().filter(rung::isOf).findFirst().map(one -> one.tries().size()).orElse(0);
      for (int number = recorded + 1; number <= Attempt.MOST; number++) {
        String stem = rung.key().stem(repeats, number);
        boolean any = false;
        for (String ending : RunFolder.ENDINGS) {
          any |= Files.deleteIfExists(folder.file(stem + ending));
        }
        if (any) {
          removed.add(stem);
        }
      }
    }
    folder.files().removeHalves();
    return removed;
  }

  /**
   * The columns of samples.csv are this ladder's.
   *
   * @throws Refusal (bad usage) where they are another's
   */
  void checkColumns() throws IOException {
    String first = text().lines().findFirst().orElse("");
    // A full disk may have cut even that, or the ladder was killed before it was there; then there is no row either.
    boolean whole = text().indexOf('\n') >= 0;
    if (whole ? !SamplesFile.HEADER.equals(first) : !SamplesFile.HEADER.startsWith(first)) {
      throw Refusal.badUsage(
          ("%s has other columns than this ladder writes, so another version of it has begun this run; resume it with that one, or begin"
              + " anew")
              .formatted(folder.file(SamplesFile.NAME)));
    }
  }

  /**
   * Leaves whole rows of rungs that are kept in samples.csv, those of all their tries.
   *
   * @return seconds of the last of them, since the run began; 0 where there is none
   */
  double keepSamples(List<RungRecord> kept) throws IOException {
    Set<List<String>> keys = new HashSet<>();
    for (RungRecord rung : kept) {
      for (int number = 1; number <= rung.tries().size(); number++) {
        keys.add(new SamplesFile.Key(rung.key(), number).cells());
      }
    }
    List<String> columns = List.of(SamplesFile.HEADER.split(",", -1));
    List<Integer> at = SamplesFile.Key.COLUMNS.stream().map(columns::indexOf).toList();
    StringBuilder rows = new StringBuilder(SamplesFile.HEADER).append('\n');
    double last = 0;
    for (String line : wholeLines()) {
      String[] cells = line.split(",", -1);
      if (cells.length == columns.size()
          && SECONDS.matcher(cells[3]).matches()
          && keys.contains(at.stream().map(column -> cells[column]).toList())) {
        rows.append(line).append('\n');
        last = Math.max(last, Double.parseDouble(cells[3]));
      }
    }
    folder.replace(SamplesFile.NAME, rows.toString());
    return last;
  }

  private List<String> wholeLines() throws IOException {
    String text = text();
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private String text() throws IOException {
    try {
      return folder.files().text(SamplesFile.NAME, SamplesFile.MOST_BYTES);
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
