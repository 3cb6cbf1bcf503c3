package echoladder.harness.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a command line as pages have them: with single quotes, and up to what the shell takes for itself. */
final class PageWords {
  private static final Pattern WORD = Pattern.compile("(?:[^\\s']+|'[^']*')+");
  private static final Pattern OF_THE_SHELL = Pattern.compile("#|[|&;].*|\\d?>.*");

  private PageWords() {}

  static List<String> of(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find() && !OF_THE_SHELL.matcher(word.group()).matches()) {
      words.add(word.group().replace("'", "").replaceFirst(";$", ""));
      if (word.group().endsWith(";")) {
        break;
      }
    }
    return words;
  }
}
