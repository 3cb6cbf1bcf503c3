package echoladder.harness.report.words;

import java.util.regex.Pattern;

/**
 * Texts of others in Markdown: names, versions, messages and configurations come from servers, tools and run folders, and
 * what shows a page runs its HTML and loads its images. What this program writes itself has none of it in its texts.
 */
public final class MarkdownText {
  /** What begins a tag, a comment or a link by its address alone. */
  private static final Pattern TAG = Pattern.compile("<(?=[A-Za-z/!?])");

  private static final Pattern BEGINNING = Pattern.compile("(?m)^ {0,3}(?=#|```|~~~)");

  private MarkdownText() {}

  /** In running text or a cell: one line, without HTML, links and images. */
  public static String plain(String text) {
    return lines(text).replace('\n', ' ');
  }

  /** Several lines, without HTML, links and images, of which none begins a heading or code. */
  public static String paragraphs(String text) {
    return BEGINNING.matcher(lines(text)).replaceAll("\\\\");
  }

  private static String lines(String text) {
    // As entities: a backslash could stand behind one of theirs, which would take its meaning away.
    return TAG.matcher(text).replaceAll("&lt;").replace("](", "]&#40;");
  }

  /** Between backticks, where nothing but a backtick or a line's end means anything. */
  public static String code(String text) {
    return text.replace('`', '\'').replace('\n', ' ');
  }
}
