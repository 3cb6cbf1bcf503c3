package echoladder.harness.host;

import java.util.ArrayList;
import java.util.List;

/**
 * A line as Ansible takes it apart (shlex of Python): blanks divide, quotes and backslashes keep together. Within double quotes a
 * backslash is one but before another one and a quote. Nothing is expanded. Pure.
 */
final class AnsibleWords {
  private AnsibleWords() {}

  /** Its words; a quote without end is an {@link IllegalArgumentException}. */
  static List<String> of(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean before = quote == 0 || (quote == '"' && i + 1 < line.length() && "\"\\".indexOf(line.charAt(i + 1)) >= 0);
      boolean escapes = c == '\\' && before && i + 1 < line.length();
      if (quote == 0 && Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
        }
        word = null;
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (escapes) {
        word.append(line.charAt(++i));
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote has no end in: " + line);
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }
}
