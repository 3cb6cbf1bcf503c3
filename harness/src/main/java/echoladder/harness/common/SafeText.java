package echoladder.harness.common;

import echoladder.linux.TerminalStream;
import java.util.regex.Pattern;

/**
 * Text of others as it may be shown: names, versions and messages come from servers, tools, metrics pages and run folders,
 * and a terminal or a viewer obeys the control characters in them. {@link TerminalStream} is the same for a terminal.
 */
public final class SafeText {
  /** C0, DEL and C1 but for line end and tab, and what turns the direction of the text around (Unicode UAX 9). */
  private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}&&[^\\n\\t]]|[\\u202a-\\u202e\\u2066-\\u2069]");

  private SafeText() {}

  /** The text with a sign in the place of each control character; lines and tabs stay. */
  public static String text(String text) {
    return OBEYED.matcher(text).replaceAll(TerminalStream.INSTEAD);
  }
}
