package echoladder.harness.common;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Which known names a mistaken one may stand for. */
public final class Nearest {
  /** More of them than a reader compares at a glance. */
  private static final int MOST = 3;

  /** A longer word is no name, and would take a square of its length. */
  private static final int LONGEST = 200;

  private Nearest() {}

  /** At most three known names, the nearest first: those that hold the word, then by their {@link #distance}. */
  public static List<String> to(String word, Collection<String> known) {
    String asked = word.substring(0, Math.min(LONGEST, word.length())).toLowerCase(Locale.ROOT);
    return known.stream()
        .distinct()
        .sorted(
            Comparator.<String, Boolean>comparing(name -> !name.toLowerCase(Locale.ROOT).contains(asked))
                .thenComparingInt(name -> distance(asked, name.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()))
        .limit(MOST)
        .toList();
  }

  /**
   * The fewest letters to change, leave out or put in (V. I. Levenshtein, Soviet Physics Doklady 10, 1966, 707-710). It takes as long as
   * the product of the lengths.
   */
  public static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
