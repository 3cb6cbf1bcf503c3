package echoladder.harness.common;

/** Text of a command that a message prints for its reader to copy. */
public final class ShellWord {
  private ShellWord() {}

  /** The text as one word of a shell, whatever is in it; a plain word stays as it is. */
  public static String of(String text) {
    return text.matches("[A-Za-z0-9_./:=,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
