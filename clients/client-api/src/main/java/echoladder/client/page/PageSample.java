package echoladder.client.page;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of Prometheus text: a series and its value.
 *
 * @param line its number on the page, from 1
 * @param text the line
 * @param value NaN and the infinities among them, as the format has them
 */
public record PageSample(int line, String text, String name, Map<String, String> labels, double value) {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("\\s*([a-zA-Z_][a-zA-Z0-9_]*)\\s*=\\s*\"");
  private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,6})?");

  /** A value, a time in ms or s that nobody needs here, and an exemplar as OpenMetrics has it. */
  private static final Pattern REST = Pattern.compile("\\s*(\\S+)(\\s+-?[0-9.eE+]+)?(\\s+#\\s.*)?");

  public PageSample {
    labels = Map.copyOf(labels);
  }

  /** Reads a line that is neither empty nor a comment; null where it is none of a series. */
  static @Nullable PageSample parse(int line, String text) {
    Matcher name = NAME.matcher(text);
    if (!name.lookingAt()) {
      return null;
    }
    Map<String, String> labels = new TreeMap<>();
    int at = skipBlanks(text, name.end());
    boolean labelled = at < text.length() && text.charAt(at) == '{';
    if (labelled) {
      at = labels(text, at + 1, labels);
    } else if (at == name.end()) {
      return null;
    }
    Matcher rest = at < 0 ? null : REST.matcher(text.substring(at));
    Double value = rest == null || !rest.matches() ? null : number(rest.group(1));
    return value == null ? null : new PageSample(line, text, name.group(), labels, value);
  }

  /** A value as the text form has it, or null. */
  public static @Nullable Double number(String text) {
    return switch (text) {
      case "NaN" -> (Double) Double.NaN;
      case "+Inf", "Inf" -> (Double) Double.POSITIVE_INFINITY;
      case "-Inf" -> (Double) Double.NEGATIVE_INFINITY;
      default -> NUMBER.matcher(text).matches() ? Double.valueOf(text) : null;
    };
  }

  /** Takes the labels up to the closing brace; where the text goes on behind it, or -1 where it does not close. */
  private static int labels(String text, int from, Map<String, String> into) {
    int at = from;
    while (true) {
      at = skipBlanks(text, at);
      if (at < text.length() && text.charAt(at) == '}') {
        return at + 1;
      }
      Matcher label = LABEL.matcher(text).region(at, text.length());
      if (!label.lookingAt()) {
        return -1;
      }
      StringBuilder value = new StringBuilder();
      at = value(text, label.end(), value);
      if (at < 0 || into.put(label.group(1), value.toString()) != null) {
        return -1;
      }
      at = skipBlanks(text, at);
      if (at < text.length() && text.charAt(at) == ',') {
        at++;
      } else if (at >= text.length() || text.charAt(at) != '}') {
        return -1;
      }
    }
  }

  /** Takes a quoted value; where the text goes on behind its closing quote, or -1. */
  private static int value(String text, int from, StringBuilder into) {
    for (int at = from; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        return at + 1;
      }
      if (c == '\\') {
        at++;
        if (at == text.length()) {
          return -1;
        }
        c = text.charAt(at) == 'n' ? '\n' : text.charAt(at);
      }
      into.append(c);
    }
    return -1;
  }

  private static int skipBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }
}
