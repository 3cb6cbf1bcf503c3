package echoladder.harness.report.words;

import java.util.regex.Pattern;

/** Text as HTML. */
public final class Html {
  private static final Pattern BOLD = Pattern.compile("\\*\\*(.+?)\\*\\*");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private Html() {}

  /** Text that may stand between or in tags, of HTML and SVG alike. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  /** Begins a box that scrolls where what is in it is too wide; a keyboard gets there, and a screen reader says its label. */
  public static String scroll(String label) {
    return "<div class=\"scroll\" role=\"region\" aria-label=\"%s\" tabindex=\"0\">".formatted(escaped(label));
  }

  /** Escaped text in which marked words, bold and code, are marked as HTML. */
  public static String inline(String text) {
    return CODE.matcher(BOLD.matcher(escaped(text)).replaceAll("<strong>$1</strong>")).replaceAll("<code>$1</code>");
  }
}
