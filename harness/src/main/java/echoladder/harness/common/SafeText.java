package echoladder.harness.common;

import echoladder.linux.output.TerminalStream;

/**
 * Text of others as it may be shown: names, versions and messages come from servers, tools, metrics pages and run folders,
 * and a terminal or a viewer obeys the control characters in them. {@link TerminalStream} is the same for a terminal.
 */
public final class SafeText {
  private SafeText() {}

  /** The text with a sign in the place of each control character; lines and tabs stay. */
  public static String text(String text) {
    if (text.chars().noneMatch(SafeText::obeyed)) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length());
    text.chars().forEach(c -> safe.append(obeyed(c) ? TerminalStream.INSTEAD : Character.toString(c)));
    return safe.toString();
  }

  /** C0, DEL and C1 but for line end and tab, and what turns the direction of the text around (Unicode UAX 9). */
  private static boolean obeyed(int c) {
    return Character.isISOControl(c) ? c != '\n' && c != '\t' : (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
  }
}
