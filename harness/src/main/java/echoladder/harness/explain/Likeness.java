package echoladder.harness.explain;

import echoladder.harness.common.Nearest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How like a pasted line is to a known text: the part of the text's words that the line has, each by its weight, the
 * logarithm of how few texts have it. A word that is spelled a little differently counts in part.
 */
final class Likeness {
  private static final double MISSPELLED = 0.85;

  /** A shorter word with another letter is another word; a longer one may have two wrong ones. */
  private static final int SHORTEST_MISSPELLED = 4;

  private static final int LONG = 8;

  private final Map<String, Double> weights = new HashMap<>();
  private final double mostWeight;

  Likeness(List<List<String>> texts) {
    Map<String, Integer> having = new HashMap<>();
    texts.forEach(words -> new HashSet<>(words).forEach(word -> having.merge(word, 1, Integer::sum)));
    having.forEach((word, many) -> weights.put(word, Math.log((texts.size() + 1.0) / many)));
    mostWeight = Math.log(texts.size() + 1.0);
  }

  /**
   * What a line has of a text.
   *
   * @param ofText the part of the text's weight that the line has, 0 to 1
   * @param ofLine the part of the line's weight that the text has, without words that say nothing, 0 to 1
   * @param weight what the line has
   * @param words how many of the line's words the text has, without words that say nothing
   * @param inARow whether the line has the text word for word
   */
  record Found(double ofText, double ofLine, double weight, int words, boolean inARow) {
    /** A long text that is all there says more than a short one. */
    double score() {
      return ofText * ofText * weight * (0.6 + 0.4 * ofLine);
    }

    /** Whether the line says what the text says: all of it, much of both, or a part that is all that the line has. */
    boolean tells() {
      boolean much = (ofText >= 0.62 && ofLine >= 0.4) || (ofText >= 0.75 && weight >= 12);
      return inARow || much || (ofText >= 0.45 && ofLine >= 0.85 && words >= 2);
    }
  }

  /**
   * A pasted line.
   *
   * @param words in order
   * @param alike by each of its words: the words of known texts that may be meant, and how sure that is, above 0 to 1
   */
  record Line(List<String> words, Map<String, Map<String, Double>> alike) {}

  /** Looks its words up once for all texts. */
  Line line(List<String> words) {
    Map<String, Map<String, Double>> alike = new HashMap<>();
    for (String word : words) {
      alike.computeIfAbsent(word, this::known);
    }
    return new Line(words, alike);
  }

  private Map<String, Double> known(String word) {
    Map<String, Double> known = new HashMap<>();
    for (String other : weights.keySet()) {
      double same = same(word, other);
      if (same > 0) {
        known.put(other, same);
      }
    }
    return known;
  }

  /** Compares the words of both. */
  Found compare(List<String> text, Line line) {
    Set<String> known = new HashSet<>();
    double has = 0;
    double all = 0;
    for (String word : new HashSet<>(text)) {
      double part = 0;
      for (Map.Entry<String, Map<String, Double>> other : line.alike.entrySet()) {
        Double same = other.getValue().get(word);
        if (same != null) {
          known.add(other.getKey());
          part = Math.max(part, same);
        }
      }
      has += weight(word) * part;
      all += weight(word);
    }
    return found(all == 0 ? 0 : has / all, has, line.alike.keySet(), known, contains(line.words, text));
  }

  /** Compares words that say something one by one, and have to be spelled as they are. */
  Found any(List<String> keywords, Line line) {
    Set<String> known = new HashSet<>(line.alike.keySet());
    known.retainAll(keywords);
    return found(known.isEmpty() ? 0 : 1, known.stream().mapToDouble(this::weight).sum(), line.alike.keySet(), known, false);
  }

  private Found found(double ofText, double weight, Set<String> there, Set<String> known, boolean inARow) {
    double all = said(there);
    int words = (int) known.stream().filter(word -> !Wording.isFiller(word)).count();
    return new Found(ofText, all == 0 ? 0 : said(known) / all, weight, words, inARow);
  }

  private double said(Set<String> words) {
    return words.stream().filter(word -> !Wording.isFiller(word)).mapToDouble(this::weight).sum();
  }

  private double weight(String word) {
    return weights.getOrDefault(word, mostWeight);
  }

  private static boolean contains(List<String> line, List<String> text) {
    for (int from = 0; !text.isEmpty() && from + text.size() <= line.size(); from++) {
      if (line.subList(from, from + text.size()).equals(text)) {
        return true;
      }
    }
    return false;
  }

  private static double same(String a, String b) {
    if (a.equals(b)) {
      return 1;
    }
    int longer = Math.max(a.length(), b.length());
    int most = longer >= LONG ? 2 : 1;
    boolean other = longer < SHORTEST_MISSPELLED || Math.abs(a.length() - b.length()) > most || Nearest.distance(a, b) > most;
    return other ? 0 : MISSPELLED;
  }
}
