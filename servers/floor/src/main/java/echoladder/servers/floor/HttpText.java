package echoladder.servers.floor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Names and values of HTTP/1.1, read where they lie. */
final class HttpText {
  /** RFC 9110, 5.6.2. */
  private static final boolean[] TOKEN = table("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

  /** RFC 9110, 5.5: no control character but the tab. */
  private static final boolean[] VALUE = new boolean[256];

  static {
    Arrays.fill(VALUE, 0x20, 0x100, true);
    VALUE['\t'] = true;
    VALUE[0x7f] = false;
  }

  private static final byte[] SCHEME = ascii("http://");

  private HttpText() {}

  private static boolean[] table(String characters) {
    boolean[] table = new boolean[256];
    characters.chars().forEach(c -> table[c] = true);
    return table;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The position behind the characters of a token that begin at {@code from}. */
  static int behindToken(byte[] in, int from, int to) {
    int at = from;
    while (at < to && TOKEN[in[at] & 0xff]) {
      at++;
    }
    return at;
  }

  /** The position behind the characters of a value that begin at {@code from}. */
  static int behindText(byte[] in, int from, int to) {
    int at = from;
    while (at < to && VALUE[in[at] & 0xff]) {
      at++;
    }
    return at;
  }

  /** Whether these bytes, without their CR LF, are a field that may stand in a head or a trailer. */
  static boolean isField(byte[] in, int from, int to) {
    int at = behindToken(in, from, to);
    return at > from && at < to && in[at] == ':' && isText(in, at + 1, to);
  }

  /** Whether none of these bytes is a control character but the tab. */
  static boolean isText(byte[] in, int from, int to) {
    return behindText(in, from, to) == to;
  }

  /** Where the path of a target begins, also of one in absolute form (RFC 9112, 3.2.2). */
  static int behindAuthority(byte[] in, int from, int to) {
    int at = from + SCHEME.length;
    if (in[from] == '/' || at > to || !is(in, from, at, SCHEME)) {
      return from;
    }
    while (at < to && in[at] != '/') {
      at++;
    }
    return at;
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Whether these bytes are that text, which is in lower case, in any case. */
  static boolean is(byte[] in, int from, int to, byte[] text) {
    if (to - from != text.length) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if ((in[from + i] | 0x20) != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether a list, separated by commas, has that element. */
  static boolean lists(byte[] in, int from, int to, byte[] element) {
    int at = from;
    while (at < to) {
      int comma = at;
      while (comma < to && in[comma] != ',') {
        comma++;
      }
      int first = at;
      int last = comma;
      while (first < last && isBlank(in[first])) {
        first++;
      }
      while (last > first && isBlank(in[last - 1])) {
        last--;
      }
      if (is(in, first, last, element)) {
        return true;
      }
      at = comma + 1;
    }
    return false;
  }
}
