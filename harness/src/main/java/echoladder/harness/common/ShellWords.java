package echoladder.harness.common;

import java.util.ArrayList;
import java.util.List;

/** The words of a command as a shell takes them apart, where its words have no quotes but {@code '...'} and {@code \\'}. */
public final class ShellWords {
  private ShellWords() {}

  /**
   * The words.
   *
   * @throws IllegalArgumentException where a quote is open at the end
   */
  public static List<String> of(String command) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    boolean quoted = false;
    for (int i = 0; i < command.length(); i++) {
      char c = command.charAt(i);
      if (quoted) {
        quoted = c != '\'';
        if (quoted) {
          word.append(c);
        }
      } else if (c == ' ') {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else {
        begun = true;
        if (c == '\'') {
          quoted = true;
        } else if (c == '\\' && i + 1 < command.length()) {
          word.append(command.charAt(++i));
        } else {
          word.append(c);
        }
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("a quote is open at the end of: " + command);
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }
}
