package echoladder.harness.common;

/** What RFC 4180 says of a cell. */
public final class Csv {
  private Csv() {}

  /** A cell's text, in quotes where it would not be read as one cell without. */
  public static String cell(String text) {
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n') ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
