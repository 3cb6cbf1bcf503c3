package echoladder.harness.runbooks;

import echoladder.needs.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The commands of a runbook, each with the output that the page shows: what stands in blocks fenced as {@code console}
 * after {@code $}, continued after {@code >}.
 *
 * <p>In the output {@code ...} is anything, also a run of lines where it stands alone, and spaces are as many as a table
 * needs. In a block fenced as {@code console figures-vary} each number stands for any number of the same form: what is
 * shown was measured. Blocks fenced as {@code console not-run} are shown only.
 *
 * @param needs what its commands use that not every machine has: the line {@code Needs: `ip`, `tc`.} of the page
 */
record Page(Path file, List<Need> needs, List<Step> steps, List<String> notRun) {
  private static final String FENCE = "```";
  private static final Pattern NEEDS = Pattern.compile("Needs: (`[^`]+`(?:, `[^`]+`)*)\\.");

  private static final String NUMBER =
      "[-+]?\\d[\\d,.]*(?:e[-+]?\\d+)?(?: ?(?:ns|µs|ms|s|B|KiB|MiB|GiB)\\b)?";

  /** The upper bound of a time, with the unit of both behind it, and a mark. */
  private static final String MARK = "(?: \\(≤ " + NUMBER + "\\)(?: (?:ns|µs|ms|s)\\b)?)?[†‡°]?";

  /** A number with its unit, perhaps as a lower bound; or a cell of a table where there is none. */
  private static final Pattern FIGURE = Pattern.compile("(?<![\\w-])(?:[≥≤] )?" + NUMBER + MARK + "|(?<=\\s)[-–]" + MARK + "(?=\\s|$)");

  private static final String ANY_FIGURE = "(?:(?:[≥≤] )?" + NUMBER + "|[-–])" + MARK;

  /**
   * A command.
   *
   * @param line of the page on which it stands, from 1
   * @param figuresVary whether numbers of the output are examples
   */
  record Step(int line, String command, List<String> output, boolean figuresVary) {
    /** What the output must be like, every line with its end. */
    Pattern pattern() {
      StringBuilder pattern = new StringBuilder();
      for (String expected : output) {
        if (expected.equals("...")) {
          pattern.append("(?:.*\n)*?");
        } else {
          String[] parts = expected.strip().split(Pattern.quote("..."), -1);
          pattern.append(" *");
          for (int i = 0; i < parts.length; i++) {
            pattern.append(i == 0 ? "" : ".*").append(text(parts[i]));
          }
          pattern.append(" *\n");
        }
      }
      return Pattern.compile(pattern.toString());
    }

    private String text(String part) {
      StringBuilder pattern = new StringBuilder();
      int from = 0;
      Matcher figure = FIGURE.matcher(part);
      while (figuresVary && figure.find()) {
        pattern.append(spaced(part.substring(from, figure.start()))).append(ANY_FIGURE);
        from = figure.end();
      }
      return pattern.append(spaced(part.substring(from))).toString();
    }

    private static String spaced(String text) {
      StringBuilder pattern = new StringBuilder();
      Matcher word = Pattern.compile("[ \t]+|[^ \t]+").matcher(text);
      while (word.find()) {
        pattern.append(word.group().isBlank() ? "[ \t]+" : Pattern.quote(word.group()));
      }
      return pattern.toString();
    }
  }

  Page {
    needs = List.copyOf(needs);
    steps = List.copyOf(steps);
    notRun = List.copyOf(notRun);
  }

  static Page read(Path file) throws IOException {
    return parse(file, Files.readAllLines(file));
  }

  static Page parse(Path file, List<String> lines) {
    List<Need> needs = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    List<String> notRun = new ArrayList<>();
    String fence = "";
    boolean continues = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(FENCE)) {
        fence = fence.isEmpty() ? line : "";
        continues = false;
      } else if (fence.isEmpty()) {
        Matcher named = NEEDS.matcher(line);
        if (named.matches()) {
          Stream.of(named.group(1).split(", ", -1)).map(name -> Need.of(name.replace("`", ""))).forEach(needs::add);
        }
      } else if (fence.equals("```console not-run")) {
        if (line.startsWith("$ ")) {
          notRun.add(line.substring(2));
        }
      } else if (fence.startsWith("```console")) {
        boolean vary = fence.equals("```console figures-vary");
        if (!vary && !fence.equals("```console")) {
          throw new IllegalStateException(file + ":" + (i + 1) + ": unknown fence " + fence);
        }
        if (line.startsWith("$ ")) {
          steps.add(new Step(i + 1, line.substring(2), new ArrayList<>(), vary));
          continues = true;
        } else if (continues && line.startsWith("> ")) {
          Step before = steps.removeLast();
          steps.add(new Step(before.line, before.command + "\n" + line.substring(2), before.output, vary));
        } else if (steps.isEmpty()) {
          throw new IllegalStateException(file + ":" + (i + 1) + ": output before any command");
        } else {
          continues = false;
          steps.getLast().output.add(line);
        }
      }
    }
    return new Page(file, needs, steps, notRun);
  }
}
