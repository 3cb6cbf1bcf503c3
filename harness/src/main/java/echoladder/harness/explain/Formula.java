package echoladder.harness.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Arithmetic over named whole numbers: {@code + - * /} with the usual precedence, division rounds down; parentheses;
 * {@code min(a, b)} and {@code max(a, b)}.
 */
final class Formula {
  private static final Pattern PIECE = Pattern.compile("\\s*(?:(\\d{1,18}(?!\\d))|([a-z_]+)|([-+*/(),]))");

  private final List<String> pieces;
  private final Map<String, Long> values;
  private int at;

  private Formula(String text, Map<String, Long> values) {
    this.pieces = pieces(text);
    this.values = values;
  }

  /** Its value; a formula that is none, a name without a value and a number beyond 64 bits are an {@link IllegalArgumentException}. */
  static long value(String text, Map<String, Long> values) {
    Formula formula = new Formula(text, values);
    try {
      long value = formula.sum();
      if (formula.at < formula.pieces.size()) {
        throw new IllegalArgumentException("'%s': '%s' is not expected there".formatted(text, formula.pieces.get(formula.at)));
      }
      return value;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'%s' with %s: %s".formatted(text, values, e.getMessage()), e);
    }
  }

  /** As it is written, with values in place of names and groups of three digits. */
  static String shown(String text, Map<String, Long> values) {
    return Pattern.compile("\\d{1,18}|[a-z_]+")
        .matcher(text)
        .replaceAll(
            piece -> {
              String word = piece.group();
              Long value = Character.isDigit(word.charAt(0)) ? (Long) Long.parseLong(word) : values.get(word);
              return value == null ? word : "%,d".formatted(value);
            });
  }

  private static List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    Matcher piece = PIECE.matcher(text);
    int end = 0;
    while (end < text.length() && piece.find(end) && piece.start() == end) {
      pieces.add(piece.group().strip());
      end = piece.end();
    }
    if (end < text.length()) {
      throw new IllegalArgumentException("'%s': cannot be read from '%s'".formatted(text, text.substring(end)));
    }
    return pieces;
  }

  private boolean take(String piece) {
    boolean there = at < pieces.size() && pieces.get(at).equals(piece);
    at += there ? 1 : 0;
    return there;
  }

  private void expect(String piece) {
    if (!take(piece)) {
      throw new IllegalArgumentException("%s: '%s' is missing at its piece %d".formatted(String.join(" ", pieces), piece, at + 1));
    }
  }

  private long sum() {
    long value = product();
    while (true) {
      if (take("+")) {
        value = Math.addExact(value, product());
      } else if (take("-")) {
        value = Math.subtractExact(value, product());
      } else {
        return value;
      }
    }
  }

  private long product() {
    long value = one();
    while (true) {
      if (take("*")) {
        value = Math.multiplyExact(value, one());
      } else if (take("/")) {
        value = Math.floorDiv(value, one());
      } else {
        return value;
      }
    }
  }

  private long one() {
    if (take("(")) {
      long value = sum();
      expect(")");
      return value;
    }
    if (at >= pieces.size()) {
      throw new IllegalArgumentException(String.join(" ", pieces) + ": ends too early");
    }
    String piece = pieces.get(at++);
    if (piece.equals("min") || piece.equals("max")) {
      expect("(");
      long a = sum();
      expect(",");
      long b = sum();
      expect(")");
      return piece.equals("min") ? Math.min(a, b) : Math.max(a, b);
    }
    if (Character.isDigit(piece.charAt(0))) {
      return Long.parseLong(piece);
    }
    Long value = values.get(piece);
    if (value == null) {
      throw new IllegalArgumentException("%s: '%s' has no value; known: %s".formatted(String.join(" ", pieces), piece, values.keySet()));
    }
    return value;
  }
}
